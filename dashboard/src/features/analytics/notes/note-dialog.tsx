import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { MAX_NOTE_CHARS } from "#src/clicks/notes/limits.ts";
import type { CreateNote } from "#src/clicks/notes/contract.ts";
import { withoutScheme } from "#dashboard/lib/urls.ts";
import { texts } from "#dashboard/texts/index.ts";
import { showChange } from "#dashboard/ui/change-toast.ts";
import { Field, InputField, SelectField } from "#dashboard/ui/field.tsx";
import { FormDialog } from "#dashboard/ui/form-dialog.tsx";
import { MomentInput } from "#dashboard/ui/moment-input.tsx";
import { fieldError } from "#dashboard/ui/notice.tsx";
import { useAnalytics, type AnalyticsState } from "../context.ts";
import { createNote, deleteNote, updateNote, type Note } from "./queries.ts";

const words = texts.notes;

/** What a note is about: a link, a tag, or with neither all clicks. */
type Subject = Pick<CreateNote, "linkId" | "tag">;

/** Adds a note at a time in Unix milliseconds, or changes one. */
export function NoteDialog({ opened, onClose }: { opened: number | Note; onClose: () => void }) {
  const state = useAnalytics();
  const { timezone } = state.view;
  const note = typeof opened === "number" ? null : opened;
  const [at, setAt] = useState<number | null>(typeof opened === "number" ? opened : opened.at);
  const [text, setText] = useState(note?.text ?? "");
  const subjects = subjectsOf(state);
  const [subject, setSubject] = useState(0);
  const save = useMutation({
    mutationFn: async () => {
      if (at === null) return;
      const fields = { at, text: text.trim() };
      if (note === null) {
        const { id } = await createNote({ ...fields, ...subjects[subject]?.value });
        showChange(words.added, () => deleteNote(id));
      } else {
        await updateNote(note.id, fields);
        showChange(words.changed, () => updateNote(note.id, { at: note.at, text: note.text }));
      }
    },
    onSuccess: onClose,
  });
  return (
    <FormDialog
      size="small"
      onClose={onClose}
      title={note === null ? words.add : words.edit}
      action={texts.ui.save}
      save={save}
      disabled={at === null || text.trim() === ""}
    >
      <InputField
        label={words.text}
        required
        autoFocus
        maxLength={MAX_NOTE_CHARS}
        placeholder={words.example}
        value={text}
        onValue={setText}
        error={fieldError(save.error, "text")}
      />
      <Field label={words.when} hint={timezone.replaceAll("_", " ")} error={fieldError(save.error, "at")}>
        {(control) => <MomentInput {...control} required value={at} zone={timezone} onChange={setAt} />}
      </Field>
      {note === null && subjects.length > 1 && (
        <SelectField
          label={words.about}
          error={fieldError(save.error, "tag") ?? fieldError(save.error, "linkId")}
          value={subject}
          onValue={(value) => setSubject(Number(value))}
        >
          {subjects.map(({ name }, index) => (
            <option key={name} value={index}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
    </FormDialog>
  );
}

/** What a new note can be about: the links and tags that are shown, and all clicks. The first one is proposed. */
function subjectsOf({ source, view, nameOf }: AnalyticsState): { name: string; value: Subject }[] {
  const isLink = source.kind === "link";
  const links = isLink
    ? [{ name: withoutScheme(source.link.shortUrl), value: { linkId: source.link.id } }]
    : (view.filters.linkIds ?? []).map((linkId) => ({ name: nameOf("linkIds", linkId), value: { linkId } }));
  const tags = (isLink ? source.link.tags : (view.filters.tag ?? [])).map((tag) => ({
    name: words.tag(tag),
    value: { tag },
  }));
  return [...links, ...tags, { name: words.allClicks, value: {} }];
}
