import { lazyPart } from "../../lib/lazy-part.ts";
import type { Link } from "../../api/types.ts";
import { LazyDialogs } from "../../ui/lazy-dialogs.tsx";
import { texts } from "../../texts/index.ts";
import { changeLinks } from "./change-links.ts";
import { useLink } from "./queries.ts";
import type { RowDialog } from "./use-list-page.ts";

const LinkEditor = lazyPart(() => import("./link-editor.tsx").then(({ LinkEditor }) => LinkEditor));
const BulkDialog = lazyPart(() => import("./bulk-dialogs.tsx").then(({ BulkDialog }) => BulkDialog));
const QrDialog = lazyPart(() => import("./qr-dialog.tsx").then(({ QrDialog }) => QrDialog));

interface ListDialogsProps {
  /** The search parameters of the page. */
  search: Record<string, unknown>;
  links: readonly Link[];
  canWrite: boolean;
  row: RowDialog | null;
  onCloseEditor: () => void;
  onCloseRow: () => void;
}

/** The editor that the address asks for, and the dialog of a row. */
export function ListDialogs({ search, links, canWrite, row, onCloseEditor, onCloseRow }: ListDialogsProps) {
  return (
    <LazyDialogs
      onFail={() => {
        if (row === null) onCloseEditor();
        else onCloseRow();
      }}
    >
      {canWrite && <Editor search={search} links={links} onClose={onCloseEditor} />}
      {row?.kind === "qr" && <QrDialog link={row.link} onClose={onCloseRow} />}
      {row?.kind === "delete" && (
        <BulkDialog
          kind="delete"
          what={texts.linkList.amount(1)}
          links={[row.link]}
          onChange={(change) => {
            void changeLinks([row.link], change);
            onCloseRow();
          }}
          onClose={onCloseRow}
        />
      )}
    </LazyDialogs>
  );
}

function Editor({
  search,
  links,
  onClose,
}: {
  search: Record<string, unknown>;
  links: readonly Link[];
  onClose: () => void;
}) {
  const kind = "duplicate" in search ? "duplicate" : "edit";
  const id = typeof search[kind] === "string" ? search[kind] : null;
  const { data: link } = useLink(
    id,
    links.find((each) => each.id === id),
  );
  if (search["create"] === true) return <LinkEditor target={{ kind: "create", given: search }} onClose={onClose} />;
  // `key`: another link is another draft.
  return id === null || link === undefined ? null : <LinkEditor key={id} target={{ kind, link }} onClose={onClose} />;
}
