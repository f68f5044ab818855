import { Plus } from "lucide-react";
import { useId, useState } from "react";
import { useMutation } from "@tanstack/react-query";
import { lazyPart } from "#dashboard/lib/lazy-part.ts";
import { useShortcut } from "#dashboard/lib/shortcuts.ts";
import { useSession } from "#dashboard/session.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Button } from "#dashboard/ui/button.tsx";
import { showChange, showProblem } from "#dashboard/ui/change-toast.ts";
import { LazyDialogs } from "#dashboard/ui/lazy-dialogs.tsx";
import { Badge } from "#dashboard/ui/layout.tsx";
import { ErrorNotice } from "#dashboard/ui/notice.tsx";
import { useAnalytics } from "../context.ts";
import { useLinkNames } from "../link-names.ts";
import { momentFormat } from "../moments.ts";
import { createNote, deleteNote, type Note, type ShownNotes } from "./queries.ts";
import { DeleteButton, EditButton } from "#dashboard/ui/row-buttons.tsx";

const NoteDialog = lazyPart(() => import("./note-dialog.tsx").then(({ NoteDialog }) => NoteDialog));

const words = texts.notes;

/** How many notes the list has before the person asks for all. */
const MAX_SHOWN_FIRST = 5;

/** Unix milliseconds for a new note, or the note to change. */
type Opened = number | Note;

/** The notes below the chart, newest first. `newAt`: the time that a new note has at first. */
export function NoteList({ shown: { notes, error, retry }, newAt }: { shown: ShownNotes; newAt: number }) {
  const { can } = useSession();
  const id = useId();
  const [opened, setOpened] = useState<Opened | null>(null);
  const [showsAll, setShowsAll] = useState(false);
  const mayChange = can("links:write");
  useShortcut(mayChange ? "b" : undefined, { label: words.add, group: texts.analytics.group }, () => setOpened(newAt));
  if (notes.length === 0 && error === null && !mayChange) return null;
  const listed = notes.toReversed().slice(0, showsAll ? notes.length : MAX_SHOWN_FIRST);
  return (
    <section aria-labelledby={id} className="mt-2 border-t border-line px-3 pt-2 pb-1">
      <header className="flex items-center justify-between gap-2">
        <h2 id={id} className="text-sm font-bold">
          {words.title}
        </h2>
        {mayChange && (
          <Button kind="quiet" size="small" onClick={() => setOpened(newAt)}>
            <Plus size={16} aria-hidden />
            {words.add}
          </Button>
        )}
      </header>
      {error !== null && <ErrorNotice error={error} onRetry={retry} className="my-2" />}
      <Notes notes={listed} mayChange={mayChange} onEdit={setOpened} />
      {listed.length < notes.length && (
        <Button kind="quiet" size="small" onClick={() => setShowsAll(true)}>
          {words.showAll(notes.length)}
        </Button>
      )}
      <LazyDialogs onFail={() => setOpened(null)}>
        {opened !== null && <NoteDialog opened={opened} onClose={() => setOpened(null)} />}
      </LazyDialogs>
    </section>
  );
}

interface Actions {
  mayChange: boolean;
  onEdit: (note: Note) => void;
}

function Notes({ notes, ...actions }: { notes: readonly Note[] } & Actions) {
  const { source } = useAnalytics();
  const ids = source.kind === "account" ? notes.flatMap(({ linkId }) => linkId ?? []) : [];
  const names = useLinkNames([...new Set(ids)]);
  return (
    <ul className="divide-y divide-line">
      {notes.map((note) => (
        <Item key={note.id} note={note} link={names.get(note.linkId ?? "")} {...actions} />
      ))}
    </ul>
  );
}

/** `link`: the short URL of the link that the note is about, unless the whole page is about it. */
function Item({ note, link, mayChange, onEdit }: { note: Note; link: string | undefined } & Actions) {
  const { timezone } = useAnalytics().view;
  const about = link ?? note.tag;
  const remove = useMutation({
    mutationFn: async () => {
      await deleteNote(note.id);
      const { at, text, linkId, tag } = note;
      showChange(words.deleted, () =>
        createNote({ at, text, ...(linkId !== null && { linkId }), ...(tag !== null && { tag }) }),
      );
    },
    onError: showProblem,
  });
  return (
    <li className="flex items-center gap-2 py-1">
      <div className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3">
        <span className="tabular text-sm whitespace-nowrap text-soft">{momentFormat(timezone)(note.at)}</span>
        <span dir="auto" className="min-w-0 text-as-parent wrap-anywhere">
          {note.text}
        </span>
        {about !== null && (
          <Badge>
            <bdi>{about}</bdi>
          </Badge>
        )}
      </div>
      {mayChange && (
        <>
          <EditButton label={words.editOf(note.text)} onClick={() => onEdit(note)} />
          <DeleteButton label={words.deleteOf(note.text)} disabled={remove.isPending} onClick={() => remove.mutate()} />
        </>
      )}
    </li>
  );
}
