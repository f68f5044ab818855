import { useMutation, useQuery } from "@tanstack/react-query";
import { Tags } from "lucide-react";
import { useState } from "react";
import { rolesWith } from "#src/platform/auth/roles.ts";
import { MAX_UTM_TEMPLATES_PER_ACCOUNT } from "#src/limits.ts";
import type { UtmTemplate } from "#src/links/utm-templates/contract.ts";
import { utmTemplatesQuery } from "#dashboard/api/resources.ts";
import { useSession } from "#dashboard/session.ts";
import { texts } from "#dashboard/texts/index.ts";
import { showChange, showProblem } from "#dashboard/ui/change-toast.ts";
import { OnlyRoles } from "../frame.tsx";
import { ListPage } from "../list-page.tsx";
import { toListed } from "../queries.ts";
import { createTemplate, deleteTemplate } from "#dashboard/api/utm-templates.ts";
import { TemplateDialog } from "./template-dialog.tsx";
import { DeleteButton, EditButton } from "#dashboard/ui/row-buttons.tsx";

/** The template that the dialog edits, or a new one. */
type Edited = UtmTemplate | "new" | null;

export function TemplateSettings() {
  const { can } = useSession();
  const list = toListed(useQuery(utmTemplatesQuery));
  const [edited, setEdited] = useState<Edited>(null);
  const mayChange = can("links:write");
  return (
    <>
      <ListPage
        section="templates"
        words={texts.settings.templates}
        icon={<Tags aria-hidden />}
        list={list}
        used={list.items?.length ?? 0}
        limit={MAX_UTM_TEMPLATES_PER_ACCOUNT}
        mayCreate={mayChange}
        onCreate={() => setEdited("new")}
        notice={!mayChange && <OnlyRoles roles={rolesWith("links:write")} />}
      >
        {(template) => (
          <Row key={template.id} template={template} mayChange={mayChange} onEdit={() => setEdited(template)} />
        )}
      </ListPage>
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
      <EditButton label={`${texts.settings.edit}: ${name}`} disabled={!mayChange} onClick={onEdit} />
      <DeleteButton
        label={`${texts.settings.delete}: ${name}`}
        disabled={!mayChange || remove.isPending}
        onClick={() => remove.mutate()}
      />
    </li>
  );
}
