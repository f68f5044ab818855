import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { MAX_VIEW_NAME_CHARS } from "#src/links/views/limits.ts";
import type { SavedView } from "../../api/types.ts";
import { texts } from "../../texts/index.ts";
import { Checkbox, InputField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { fieldError } from "../../ui/notice.tsx";
import { showChange } from "#dashboard/ui/change-toast.ts";
import { createView, deleteView, updateView } from "./queries.ts";

const words = texts.savedViews;

type NewView = Pick<SavedView, "kind" | "query">;

interface ViewDialogProps {
  /** The view that is renamed or shared, or what a new one shows. */
  view: SavedView | NewView;
  mayShare: boolean;
  onSaved: (view: Pick<SavedView, "id">) => void;
  onClose: () => void;
}

/** Saves a view by a name, or changes its name and who has it. */
export function ViewDialog({ view, mayShare, onSaved, onClose }: ViewDialogProps) {
  const before = "id" in view ? view : null;
  const [name, setName] = useState(before?.name ?? "");
  const [shared, setShared] = useState(before?.shared ?? false);
  const save = useMutation({
    mutationFn: async () => onSaved(await saveView(view, { name: name.trim(), shared })),
    onSuccess: onClose,
  });
  return (
    <FormDialog
      onClose={onClose}
      title={before === null ? words.create : words.change(before.name)}
      action={texts.ui.save}
      save={save}
    >
      {before === null && <p className="text-soft">{words.createText}</p>}
      <InputField
        label={words.name}
        error={fieldError(save.error, "name")}
        required
        autoFocus
        maxLength={MAX_VIEW_NAME_CHARS}
        value={name}
        onValue={setName}
      />
      {mayShare && (
        <Checkbox
          label={words.share}
          hint={words.shareHint}
          checked={shared}
          onChange={({ target }) => setShared(target.checked)}
        />
      )}
    </FormDialog>
  );
}

async function saveView(
  view: SavedView | NewView,
  fields: Pick<SavedView, "name" | "shared">,
): Promise<Pick<SavedView, "id">> {
  if (!("id" in view)) {
    const created = await createView({ kind: view.kind, query: view.query, ...fields });
    showChange(words.created(created.name), () => deleteView(created.id));
    return created;
  }
  const { id, name, shared } = view;
  await updateView(id, fields);
  showChange(words.saved(fields.name), () => updateView(id, { name, shared }));
  return view;
}
