import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { UtmTemplate } from "#src/links/utm-templates/contract.ts";
import { texts } from "#dashboard/texts/index.ts";
import { FormDialog } from "#dashboard/ui/form-dialog.tsx";
import { InputField } from "#dashboard/ui/field.tsx";
import { fieldError } from "#dashboard/ui/notice.tsx";
import { showChange } from "#dashboard/ui/change-toast.ts";
import { createTemplate, deleteTemplate, updateTemplate, type TemplateFields } from "#dashboard/api/utm-templates.ts";
import { MAX_UTM_CHARS } from "#src/links/limits.ts";
import { MAX_UTM_TEMPLATE_NAME_CHARS } from "#src/links/utm-templates/limits.ts";

const PARAMETERS = ["source", "medium", "campaign", "term", "content"] as const;

type Values = Record<(typeof PARAMETERS)[number], string>;

/** Creates a template, or changes one. */
export function TemplateDialog({ template, onClose }: { template: UtmTemplate | null; onClose: () => void }) {
  const { create, edit, name: nameLabel, parameters, placeholders, needsOne } = texts.settings.templates;
  const [name, setName] = useState(template?.name ?? "");
  const [values, setValues] = useState<Values>(valuesOf(template?.utm ?? {}));
  const save = useMutation({
    mutationFn: () => saveTemplate(template, { name: name.trim(), utm: withoutEmpty(values) }),
    onSuccess: onClose,
  });
  const isEmpty = Object.keys(withoutEmpty(values)).length === 0;
  return (
    <FormDialog
      onClose={onClose}
      title={template === null ? create : edit(template.name)}
      action={texts.ui.save}
      save={save}
      disabled={isEmpty}
    >
      <InputField
        label={nameLabel}
        error={fieldError(save.error, "name")}
        required
        autoFocus
        maxLength={MAX_UTM_TEMPLATE_NAME_CHARS}
        value={name}
        onValue={setName}
      />
      {PARAMETERS.map((parameter) => (
        <InputField
          key={parameter}
          label={parameters[parameter]}
          error={fieldError(save.error, `utm.${parameter}`)}
          maxLength={MAX_UTM_CHARS}
          placeholder={placeholders[parameter]}
          value={values[parameter]}
          onValue={(value) => setValues({ ...values, [parameter]: value })}
        />
      ))}
      {isEmpty && <p className="text-sm text-soft">{needsOne}</p>}
    </FormDialog>
  );
}

async function saveTemplate(template: UtmTemplate | null, fields: TemplateFields): Promise<void> {
  const { created, saved } = texts.settings.templates;
  if (template === null) {
    const { id, name } = await createTemplate(fields);
    showChange(created(name), () => deleteTemplate(id));
  } else {
    await updateTemplate(template.id, fields);
    const { id, name, utm } = template;
    showChange(saved(fields.name), () => updateTemplate(id, { name, utm }));
  }
}

function withoutEmpty(values: Values): TemplateFields["utm"] {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ""));
}

function valuesOf({ source = "", medium = "", campaign = "", term = "", content = "" }: TemplateFields["utm"]): Values {
  return { source, medium, campaign, term, content };
}
