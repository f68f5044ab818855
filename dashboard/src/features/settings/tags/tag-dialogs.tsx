import { useMutation } from "@tanstack/react-query";
import { useId, useState } from "react";
import { MAX_TAG_CHARS } from "#src/limits.ts";
import type { Job } from "#src/links/tags/job-contract.ts";
import { useTagChoices } from "#dashboard/api/tag-choices.ts";
import type { Tag } from "#dashboard/api/types.ts";
import { texts } from "#dashboard/texts/index.ts";
import { ConfirmDialog } from "#dashboard/ui/dialog.tsx";
import { InputField } from "#dashboard/ui/field.tsx";
import { FormDialog } from "#dashboard/ui/form-dialog.tsx";
import { fieldError, Notice } from "#dashboard/ui/notice.tsx";
import { findOther, startRemoval, startRename } from "./queries.ts";

/** A change of a tag that the service has begun. */
export interface StartedChange {
  job: Job;
  /** The other tag that the tag becomes a part of. */
  into?: Tag;
}

interface TagDialogProps {
  tag: Tag;
  onClose: () => void;
  onStart: (change: StartedChange) => void;
}

const words = texts.tagList;

/** Renames a tag. If another one has the name already, asks whether to merge them. */
export function RenameDialog({ tag, onClose, onStart }: TagDialogProps) {
  const listId = useId();
  const [name, setName] = useState(tag.name);
  const [other, setOther] = useState<Tag | undefined>();
  const { tags } = useTagChoices(name);
  const save = useMutation({
    mutationFn: async () => {
      const found = await findOther(tag.name, name.trim());
      // What the person has agreed to is what is shown.
      if (found?.name !== other?.name) return setOther(found);
      const job = await startRename(tag.name, found?.name ?? name.trim());
      onStart({ job, ...(found !== undefined && { into: found }) });
      return onClose();
    },
  });
  return (
    <FormDialog
      size="small"
      onClose={onClose}
      title={words.rename(tag.name)}
      action={other === undefined ? texts.ui.save : words.merge}
      save={save}
      disabled={name.trim() === "" || name.trim() === tag.name}
    >
      <InputField
        label={words.name}
        hint={words.nameHint}
        error={fieldError(save.error, "name")}
        required
        autoFocus
        dir="auto"
        autoComplete="off"
        list={listId}
        maxLength={MAX_TAG_CHARS}
        value={name}
        onValue={(value) => {
          setName(value);
          setOther(undefined);
        }}
      />
      <datalist id={listId}>
        {tags.map((choice) => (
          <option key={choice.name}>{choice.name}</option>
        ))}
      </datalist>
      {other !== undefined && (
        <div role="status">
          <Notice>{words.merges(tag, other)}</Notice>
        </div>
      )}
    </FormDialog>
  );
}

/** Removes a tag from all links. */
export function RemovalDialog({ tag, onClose, onStart }: TagDialogProps) {
  const remove = async () => {
    onStart({ job: await startRemoval(tag.name) });
    onClose();
  };
  return (
    <ConfirmDialog
      danger
      title={words.removal(tag.name)}
      description={words.removalText(tag.links)}
      action={words.remove}
      onConfirm={remove}
      onClose={onClose}
    />
  );
}
