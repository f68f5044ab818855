import { lazy, Suspense } from "react";
import type { Link } from "../../api/types.ts";
import { useLink } from "./queries.ts";

const LinkEditor = lazy(() => import("./link-editor.tsx").then(({ LinkEditor }) => ({ default: LinkEditor })));
const QrDialog = lazy(() => import("./qr-dialog.tsx").then(({ QrDialog }) => ({ default: QrDialog })));

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
    <Suspense>
      {canWrite && <Editor search={search} links={links} onClose={onCloseEditor} />}
      {qr !== null && <QrDialog link={qr} onClose={onCloseQr} />}
    </Suspense>
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
  if (search["create"] === true) {
    const url = typeof search["url"] === "string" ? { url: search["url"] } : {};
    return <LinkEditor target={{ kind: "create", ...url }} onClose={onClose} />;
  }
  // `key`: another link is another draft.
  return id === null || link === undefined ? null : <LinkEditor key={id} target={{ kind, link }} onClose={onClose} />;
}
