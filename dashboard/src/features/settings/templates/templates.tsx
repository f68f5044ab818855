import { useMutation } from "@tanstack/react-query";
import { Pencil, Plus, Tags, Trash2 } from "lucide-react";
import { useState } from "react";
import { rolesWith } from "../../../../../src/auth/roles.ts";
import { MAX_UTM_TEMPLATES_PER_ACCOUNT } from "../../../../../src/limits.ts";
import type { UtmTemplate } from "../../../../../src/utm-templates/contract.ts";
import { formatCount } from "../../../lib/format.ts";
import { useSession } from "../../../session.ts";
import { texts } from "../../../texts/index.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { Card, EmptyState } from "../../../ui/layout.tsx";
import { showChange, showProblem } from "../change-toast.ts";
import { ListOf, OnlyRoles, SettingsHeader } from "../frame.tsx";
import { createTemplate, deleteTemplate, useTemplates } from "./queries.ts";
import { TemplateDialog } from "./template-dialog.tsx";

/** The template that the dialog edits, or a new one. */
type Edited = UtmTemplate | "new" | null;

export function TemplateSettings() {
  const { lead, create, empty, count } = texts.settings.templates;
  const { can } = useSession();
  const list = useTemplates();
  const [edited, setEdited] = useState<Edited>(null);
  const mayChange = can("links:write");
  const used = list.items?.length ?? 0;
  const createButton = (
    <Button
      kind="primary"
      disabled={!mayChange || used >= MAX_UTM_TEMPLATES_PER_ACCOUNT}
      onClick={() => setEdited("new")}
    >
      <Plus size={18} aria-hidden />
      {create}
    </Button>
  );
  return (
    <>
      <SettingsHeader
        title={texts.settings.sections.templates}
        lead={lead}
        actions={used > 0 ? createButton : undefined}
      />
      {!mayChange && <OnlyRoles roles={rolesWith("links:write")} />}
      <ListOf
        list={list}
        empty={
          <Card>
            <EmptyState icon={<Tags aria-hidden />} title={empty.title} action={createButton}>
              {empty.text}
            </EmptyState>
          </Card>
        }
      >
        {(templates) => (
          <>
            <Card>
              <ul className="divide-y divide-line">
                {templates.map((template) => (
                  <Row key={template.id} template={template} mayChange={mayChange} onEdit={() => setEdited(template)} />
                ))}
              </ul>
            </Card>
            <p className="tabular mt-3 text-sm text-soft">
              {count(formatCount(used), formatCount(MAX_UTM_TEMPLATES_PER_ACCOUNT))}
            </p>
          </>
        )}
      </ListOf>
      {edited !== null && (
        <TemplateDialog template={edited === "new" ? null : edited} onClose={() => setEdited(null)} />
      )}
    </>
  );
}

function Row({
  template: { id, name, utm },
  mayChange,
  onEdit,
}: {
  template: UtmTemplate;
  mayChange: boolean;
  onEdit: () => void;
}) {
  const remove = useMutation({
    mutationFn: () => deleteTemplate(id),
    onSuccess: () => showChange(texts.settings.templates.deleted(name), () => createTemplate({ name, utm })),
    onError: showProblem,
  });
  return (
    <li className="flex items-center gap-3 px-5 py-3">
      <div className="min-w-0 flex-1">
        <p className="truncate font-semibold">{name}</p>
        <p className="font-mono text-sm text-soft [overflow-wrap:anywhere]">
          {Object.entries(utm)
            .map(([parameter, value]) => `utm_${parameter}=${value}`)
            .join("  ")}
        </p>
      </div>
      <IconButton
        label={`${texts.settings.edit}: ${name}`}
        icon={<Pencil size={16} aria-hidden />}
        size="small"
        disabled={!mayChange}
        onClick={onEdit}
      />
      <IconButton
        label={`${texts.settings.delete}: ${name}`}
        icon={<Trash2 size={16} aria-hidden />}
        size="small"
        disabled={!mayChange || remove.isPending}
        onClick={() => remove.mutate()}
      />
    </li>
  );
}
