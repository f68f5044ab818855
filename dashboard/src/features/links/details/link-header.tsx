import { CornerDownRight, ExternalLink, Pencil, QrCode } from "lucide-react";
import { useNavigate } from "@tanstack/react-router";
import type { Link } from "#dashboard/api/types.ts";
import { copyText } from "#dashboard/lib/clipboard.ts";
import { useShortcut } from "#dashboard/lib/shortcuts.ts";
import { useSession } from "#dashboard/session.ts";
import { withoutScheme } from "#dashboard/lib/urls.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Button } from "#dashboard/ui/button.tsx";
import { CopyButton } from "#dashboard/ui/copy.tsx";
import { PageTitle } from "#dashboard/ui/page-title.tsx";
import { showToast } from "#dashboard/ui/toast.tsx";
import { changeLinks } from "../change-links.ts";
import type { Change } from "../changes.ts";
import { LinkBadges, WholeName } from "../link-parts.tsx";
import { RowMenu, type RowAction } from "../row-menu.tsx";

const words = texts.linkDetails;

export type Opened = "edit" | "duplicate" | "qr";

/** The short URL, where it leads, and what can be done with the link. */
export function LinkHeader({ link, onOpen }: { link: Link; onOpen: (what: Opened) => void }) {
  const { can } = useSession();
  const canWrite = can("links:write");
  const act = useLinkActions(link, onOpen);
  return (
    <header className="mb-6 grid gap-x-6 gap-y-4 md:grid-cols-[minmax(0,1fr)_auto]">
      <PageTitle>{withoutScheme(link.shortUrl)}</PageTitle>
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <h1 className="min-w-0 text-2xl leading-tight font-bold tracking-tight wrap-anywhere">
            <WholeName shortUrl={link.shortUrl} />
          </h1>
          <CopyButton text={link.shortUrl} label={words.copy} />
          <LinkBadges link={link} />
        </div>
        <p className="mt-1.5 flex items-start gap-2 text-soft">
          <CornerDownRight size={16} className="mt-1 shrink-0" aria-hidden />
          <a
            href={link.url}
            target="_blank"
            rel="noreferrer"
            className="line-clamp-2 min-w-0 break-all underline-offset-4 hover:text-accent-strong hover:underline"
          >
            <span className="sr-only">{words.openDestination}: </span>
            <bdi dir="ltr">{withoutScheme(link.url)}</bdi>
            <ExternalLink size={14} className="ms-1.5 inline" aria-hidden />
          </a>
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-2 self-start">
        <Button onClick={() => onOpen("qr")}>
          <QrCode size={18} aria-hidden />
          {words.qr}
        </Button>
        {canWrite && (
          <Button onClick={() => onOpen("edit")}>
            <Pencil size={18} aria-hidden />
            {words.edit}
          </Button>
        )}
        <RowMenu link={link} canWrite={canWrite} onAction={act} />
      </div>
      {canWrite && <LinkShortcuts onAction={(action) => act(action)} />}
    </header>
  );
}

function useLinkActions(link: Link, onOpen: (what: Opened) => void): (action: RowAction) => void {
  const navigate = useNavigate();
  return (action) => {
    const changes: Partial<Record<RowAction, Change>> = {
      archive: { kind: "archive", archived: !link.archived },
      disable: { kind: "disable", disabled: !link.disabled },
      delete: { kind: "delete" },
    };
    const change = changes[action];
    if (change !== undefined) void changeLinks([link], change);
    if (action === "delete") void navigate({ to: "/links" });
    if (action === "edit" || action === "duplicate" || action === "qr") onOpen(action);
    if (action === "copy") void copy(link);
  };
}

async function copy({ shortUrl }: Link): Promise<void> {
  const isCopied = await copyText(shortUrl);
  showToast(
    isCopied ? { title: words.copied(withoutScheme(shortUrl)) } : { kind: "problem", title: texts.ui.copyRefused },
  );
}

const KEYS = [
  ["e", "edit", texts.linkList.row.edit],
  ["q", "qr", texts.linkList.row.qr],
  ["d", "duplicate", texts.linkList.row.duplicate],
  ["a", "archive", texts.linkList.row.archive],
  ["x", "delete", texts.linkList.row.delete],
] as const;

/** The keys of a row of the list, for the only link of the page. */
function LinkShortcuts({ onAction }: { onAction: (action: RowAction) => void }) {
  return KEYS.map(([keys, action, label]) => (
    <LinkShortcut key={keys} keys={keys} label={label} onPress={() => onAction(action)} />
  ));
}

function LinkShortcut({ keys, label, onPress }: { keys: string; label: string; onPress: () => void }) {
  useShortcut(keys, { label, group: words.keysGroup }, onPress);
  return null;
}
