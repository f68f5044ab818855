import { lazyPart } from "../../lib/lazy-part.ts";
import type { Link } from "../../api/types.ts";
import { LazyDialogs } from "../../ui/lazy-dialogs.tsx";
import { useLink } from "./queries.ts";

const LinkEditor = lazyPart(() => import("./link-editor.tsx").then(({ LinkEditor }) => LinkEditor));
const QrDialog = lazyPart(() => import("./qr-dialog.tsx").then(({ QrDialog }) => QrDialog));

interface ListDialogsProps {
  /** The search parameters of the page. */
  search: Record<string, unknown>;
  links: readonly Link[];
  canWrite: boolean;
  qr: Link | null;
  onCloseEditor: () => void;
  onCloseQr: () => void;
}

/** The editor that the address asks for, and the QR code of a row. */
export function ListDialogs({ search, links, canWrite, qr, onCloseEditor, onCloseQr }: ListDialogsProps) {
  return (
    <LazyDialogs
      onFail={() => {
        if (qr === null) onCloseEditor();
        else onCloseQr();
      }}
    >
      {canWrite && <Editor search={search} links={links} onClose={onCloseEditor} />}
      {qr !== null && <QrDialog link={qr} onClose={onCloseQr} />}
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
