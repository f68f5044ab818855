import { useMutation, useQuery } from "@tanstack/react-query";
import { BookMarked, Check, Save } from "lucide-react";
import { useRef, useState, type SyntheticEvent } from "react";
import { utmTemplatesQuery } from "#dashboard/api/resources.ts";
import type { UtmTemplate } from "#dashboard/api/types.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Button } from "#dashboard/ui/button.tsx";
import { InputField } from "#dashboard/ui/field.tsx";
import { explainError, fieldError } from "#dashboard/ui/notice.tsx";
import { Popover } from "#dashboard/ui/popover.tsx";
import { showChange, showProblem } from "#dashboard/ui/change-toast.ts";
import { createTemplate, deleteTemplate, updateTemplate } from "#dashboard/api/utm-templates.ts";
import { useLinkForm } from "./form.ts";
import { applyUtm, UTM_NAMES, type Utm } from "./utm.ts";
import { MAX_UTM_TEMPLATE_NAME_CHARS } from "#src/links/utm-templates/limits.ts";
import { DeleteButton, EditButton } from "#dashboard/ui/row-buttons.tsx";

const words = texts.editor.utm;

/** Chooses, saves, renames and deletes templates of campaigns. */
export function UtmTemplates({ utm, onApply }: { utm: Utm; onApply: (url: string) => void }) {
  const { draft } = useLinkForm();
  const { data: templates = [] } = useQuery(utmTemplatesQuery);
  const [isOpen, setOpen] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const current = templates.find((template) => UTM_NAMES.every((name) => template.utm[name] === utm[name]));
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Popover
        label={words.manage}
        open={isOpen}
        onOpenChange={setOpen}
        trigger={
          <Button size="small">
            <BookMarked size={16} aria-hidden />
            {current?.name ?? words.choose}
          </Button>
        }
      >
        {templates.length === 0 && <p className="text-soft">{words.empty}</p>}
        <ul ref={list} tabIndex={-1} className="grid grid-cols-1 gap-1 outline-none">
          {templates.map((template) => (
            <TemplateRow
              key={template.id}
              template={template}
              isCurrent={template === current}
              isDisabled={draft.url.trim() === ""}
              onChoose={() => {
                onApply(applyUtm(draft.url, template.utm));
                setOpen(false);
              }}
              onDelete={() => {
                // The panel closes when it loses the focus, which the row's button takes along.
                list.current?.focus();
                void remove(template).catch(showProblem);
              }}
            />
          ))}
        </ul>
      </Popover>
      {Object.keys(utm).length > 0 && current === undefined && <SaveTemplate utm={utm} />}
    </div>
  );
}

function TemplateRow({
  template,
  isCurrent,
  isDisabled,
  onChoose,
  onDelete,
}: {
  template: UtmTemplate;
  isCurrent: boolean;
  isDisabled: boolean;
  onChoose: () => void;
  onDelete: () => void;
}) {
  const [isRenaming, setRenaming] = useState(false);
  if (isRenaming) return <RenameTemplate template={template} onDone={() => setRenaming(false)} />;
  return (
    <li className="flex items-center gap-1">
      <button
        type="button"
        disabled={isDisabled}
        className="min-w-0 flex-1 rounded-control px-2 py-1.5 text-start hover:bg-sunken disabled:opacity-60"
        onClick={onChoose}
      >
        <span className="flex items-center gap-1.5 font-semibold">
          <span className="truncate">{template.name}</span>
          {isCurrent && <Check size={16} className="shrink-0 text-accent" aria-hidden />}
        </span>
        <span className="block truncate text-sm text-soft">{Object.values(template.utm).join(" · ")}</span>
      </button>
      <EditButton label={`${words.rename} ${template.name}`} onClick={() => setRenaming(true)} />
      <DeleteButton label={`${words.delete} ${template.name}`} onClick={onDelete} />
    </li>
  );
}

async function remove({ id, name, utm }: UtmTemplate): Promise<void> {
  await deleteTemplate(id);
  showChange(words.deleted(name), async () => {
    await createTemplate({ name, utm });
    showChange(words.saved(name));
  });
}

async function rename({ id, name: former }: UtmTemplate, name: string): Promise<void> {
  await updateTemplate(id, { name });
  showChange(words.renamed(name), async () => {
    await updateTemplate(id, { name: former });
    showChange(words.renamed(former));
  });
}

async function save(name: string, utm: Utm): Promise<void> {
  const { id } = await createTemplate({ name, utm });
  showChange(words.saved(name), async () => {
    await deleteTemplate(id);
    showChange(words.deleted(name));
  });
}

function RenameTemplate({ template, onDone }: { template: UtmTemplate; onDone: () => void }) {
  const [name, setName] = useState(template.name);
  const renaming = useMutation({ mutationFn: () => rename(template, name), onSuccess: onDone });
  return (
    <li>
      <NameForm
        name={name}
        onName={setName}
        error={renaming.error}
        isBusy={renaming.isPending}
        onSubmit={() => renaming.mutate()}
      />
    </li>
  );
}

function SaveTemplate({ utm }: { utm: Utm }) {
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState(utm.campaign ?? utm.source ?? "");
  const saving = useMutation({ mutationFn: () => save(name, utm), onSuccess: () => setOpen(false) });
  return (
    <Popover
      label={words.saveAs}
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        <Button size="small" kind="quiet">
          <Save size={16} aria-hidden />
          {words.saveAs}
        </Button>
      }
    >
      <NameForm
        name={name}
        onName={setName}
        error={saving.error}
        isBusy={saving.isPending}
        onSubmit={() => saving.mutate()}
      />
    </Popover>
  );
}

function NameForm({
  name,
  onName,
  error,
  isBusy,
  onSubmit,
}: {
  name: string;
  onName: (name: string) => void;
  error: Error | null;
  isBusy: boolean;
  onSubmit: () => void;
}) {
  // The editor's own form is around this one in React, though not in the page.
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    event.stopPropagation();
    onSubmit();
  };
  const fault = fieldError(error, "name");
  return (
    <form className="flex items-end gap-2" onSubmit={submit}>
      <InputField
        className="min-w-0 flex-1"
        label={words.name}
        error={error && (fault === undefined ? explainError(error) : texts.editor.fault(words.name, fault))}
        autoFocus="always"
        autoComplete="off"
        maxLength={MAX_UTM_TEMPLATE_NAME_CHARS}
        value={name}
        onValue={onName}
      />
      <Button type="submit" kind="primary" busy={isBusy}>
        {texts.ui.save}
      </Button>
    </form>
  );
}
