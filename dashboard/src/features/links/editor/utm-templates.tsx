import { useMutation, useQuery } from "@tanstack/react-query";
import { BookMarked, Check, Save } from "lucide-react";
import { useRef, useState, type SyntheticEvent } from "react";
import { call } from "#dashboard/api/client.ts";
import { queryClient } from "#dashboard/api/query-client.ts";
import { utmTemplatesQuery } from "#dashboard/api/resources.ts";
import type { UtmTemplate } from "#dashboard/api/types.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Button } from "#dashboard/ui/button.tsx";
import { InputField } from "#dashboard/ui/field.tsx";
import { explainError, fieldError } from "#dashboard/ui/notice.tsx";
import { Popover } from "#dashboard/ui/popover.tsx";
import { showToast } from "#dashboard/ui/toast.tsx";
import { useLinkForm } from "./form.ts";
import { applyUtm, UTM_NAMES, type Utm } from "./utm.ts";
import { MAX_UTM_TEMPLATE_NAME_CHARS } from "#src/utm-templates/limits.ts";
import { DeleteButton, EditButton } from "#dashboard/ui/row-buttons.tsx";

const refresh = () => queryClient.invalidateQueries({ queryKey: utmTemplatesQuery.queryKey });
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
                void deleteTemplate(template);
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

async function deleteTemplate({ id, name, utm }: UtmTemplate): Promise<void> {
  await attempt(async () => {
    await call("DELETE", `/api/utm-templates/${id}`);
    announce(words.deleted(name), async () => {
      await call("POST", "/api/utm-templates", { body: { name, utm } });
      showToast({ title: words.saved(name) });
    });
  });
}

async function renameTemplate(template: UtmTemplate, name: string): Promise<void> {
  const path = `/api/utm-templates/${template.id}`;
  await call("PATCH", path, { body: { name } });
  announce(words.renamed(name), async () => {
    await call("PATCH", path, { body: { name: template.name } });
    showToast({ title: words.renamed(template.name) });
  });
}

async function saveTemplate(name: string, utm: Utm): Promise<void> {
  const { template } = await call<{ template: UtmTemplate }>("POST", "/api/utm-templates", { body: { name, utm } });
  announce(words.saved(name), async () => {
    await call("DELETE", `/api/utm-templates/${template.id}`);
    showToast({ title: words.deleted(name) });
  });
}

/** Says what was done, and offers to undo it. */
function announce(title: string, undo: () => Promise<void>): void {
  showToast({ title, action: { label: texts.ui.undo, run: () => void attempt(undo) } });
}

async function attempt(change: () => Promise<void>): Promise<void> {
  try {
    await change();
  } catch (error) {
    showToast({ kind: "problem", title: explainError(error) });
  }
  await refresh();
}

function RenameTemplate({ template, onDone }: { template: UtmTemplate; onDone: () => void }) {
  const [name, setName] = useState(template.name);
  const rename = useMutation({
    mutationFn: () => renameTemplate(template, name),
    onSuccess: async () => {
      await refresh();
      onDone();
    },
  });
  return (
    <li>
      <NameForm
        name={name}
        onName={setName}
        error={rename.error}
        isBusy={rename.isPending}
        onSubmit={() => rename.mutate()}
      />
    </li>
  );
}

function SaveTemplate({ utm }: { utm: Utm }) {
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState(utm.campaign ?? utm.source ?? "");
  const save = useMutation({
    mutationFn: () => saveTemplate(name, utm),
    onSuccess: async () => {
      await refresh();
      setOpen(false);
    },
  });
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
        error={save.error}
        isBusy={save.isPending}
        onSubmit={() => save.mutate()}
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
