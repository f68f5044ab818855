import { Link } from "@tanstack/react-router";
import { CodeXml, Ellipsis, ExternalLink } from "lucide-react";
import { useState } from "react";
import { formatRelative } from "#dashboard/lib/format.ts";
import { useSession } from "#dashboard/session.ts";
import { texts } from "#dashboard/texts/index.ts";
import { CopyButton } from "#dashboard/ui/copy.tsx";
import { ConfirmDialog } from "#dashboard/ui/dialog.tsx";
import { IconButton } from "#dashboard/ui/button.tsx";
import { Badge } from "#dashboard/ui/layout.tsx";
import { Menu, MenuItem, MenuSeparator } from "#dashboard/ui/menu.tsx";
import { showChange, showProblem } from "#dashboard/ui/change-toast.ts";
import { ChangeForm } from "./change-form.tsx";
import { EmbedCode } from "./embed-code.tsx";
import { useSharedPageChanges, type SharedPage } from "./queries.ts";

const { page: words } = texts.shared;

/** What is open below the item. */
type Opened = "title" | "password" | "embed";

interface SharedItemProps {
  page: SharedPage;
  isOfAccount: boolean;
  /** Called when a link leaves the dialog. */
  onLeave: () => void;
}

/** A page that is shared, with what can be done with it. */
export function SharedItem({ page, isOfAccount, onLeave }: SharedItemProps) {
  const { can } = useSession();
  const [opened, setOpened] = useState<Opened | null>(null);
  return (
    <li className="rounded-control border border-line p-3">
      <div className="flex items-center gap-1">
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap items-center gap-2 font-semibold">
            <PageName page={page} isOfAccount={isOfAccount} onLeave={onLeave} />
            {page.hasPassword && <Badge kind="accent">{words.hasPassword}</Badge>}
            {page.showDestination && <Badge>{words.showsDestination}</Badge>}
          </p>
          <p className="truncate font-mono text-sm text-soft">{page.url}</p>
          <p className="text-sm text-soft">{words.created(formatRelative(page.createdAt))}</p>
        </div>
        <CopyButton text={page.url} label={words.copy} />
        <a
          href={page.url}
          target="_blank"
          rel="noreferrer"
          aria-label={words.open}
          className="inline-flex size-8 items-center justify-center rounded-control hover:bg-sunken"
        >
          <ExternalLink size={16} aria-hidden />
        </a>
        <IconButton
          label={words.embed}
          icon={<CodeXml size={16} aria-hidden />}
          size="small"
          aria-expanded={opened === "embed"}
          onClick={() => setOpened(opened === "embed" ? null : "embed")}
        />
        {can("links:write") && <ItemMenu page={page} onChange={setOpened} />}
      </div>
      {page.passwordAttackedAt !== null && (
        <p className="mt-2 rounded-control bg-warn-wash px-2 py-1 text-sm text-warn">
          {words.attacked(formatRelative(page.passwordAttackedAt))}
        </p>
      )}
      {opened === "embed" && <EmbedCode page={page} onDone={() => setOpened(null)} />}
      {(opened === "title" || opened === "password") && (
        <ChangeForm page={page} field={opened} onDone={() => setOpened(null)} />
      )}
    </li>
  );
}

function PageName({ page, isOfAccount, onLeave }: SharedItemProps) {
  const name = page.title ?? (page.tag === null ? words.ofLink : words.ofTag(page.tag));
  if (!isOfAccount || page.linkId === null) return <bdi className="min-w-0 wrap-anywhere">{name}</bdi>;
  return (
    <Link to="/links/$linkId" params={{ linkId: page.linkId }} onClick={onLeave} className="wrap-anywhere underline">
      <bdi>{name}</bdi>
    </Link>
  );
}

function ItemMenu({ page, onChange }: { page: SharedPage; onChange: (field: "title" | "password") => void }) {
  const { update, revoke } = useSharedPageChanges();
  const [confirming, setConfirming] = useState<"password" | "page" | null>(null);
  const removePassword = async () => {
    const removal = update.mutateAsync({ id: page.id, body: { password: null } });
    await removal.then(() => showChange(words.passwordRemoved), showProblem);
    setConfirming(null);
  };
  const showDestination = (showsIt: boolean) => update.mutateAsync({ id: page.id, body: { showDestination: showsIt } });
  const toggleDestination = async () => {
    const former = page.showDestination;
    await showDestination(!former);
    showChange(former ? words.destinationHidden : words.destinationShown, () => showDestination(former));
  };
  const revokePage = () => revoke.mutateAsync(page.id).then(() => showChange(words.revoked), showProblem);
  return (
    <>
      <Menu trigger={<IconButton label={words.actions} icon={<Ellipsis size={18} aria-hidden />} size="small" />}>
        <MenuItem onSelect={() => onChange("title")}>{words.rename}</MenuItem>
        <MenuItem onSelect={() => onChange("password")}>
          {page.hasPassword ? words.changePassword : words.setPassword}
        </MenuItem>
        {page.hasPassword && (
          <MenuItem danger onSelect={() => setConfirming("password")}>
            {words.removePassword}
          </MenuItem>
        )}
        {page.linkId !== null && (
          <MenuItem onSelect={() => void toggleDestination().catch(showProblem)}>
            {page.showDestination ? words.hideDestination : words.showDestination}
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuItem danger onSelect={() => setConfirming("page")}>
          {words.revoke}
        </MenuItem>
      </Menu>
      {confirming === "password" && (
        <ConfirmDialog
          onClose={() => setConfirming(null)}
          title={words.removeTitle}
          description={words.removeText}
          action={words.removePassword}
          danger
          onConfirm={removePassword}
        />
      )}
      {confirming === "page" && (
        <ConfirmDialog
          onClose={() => setConfirming(null)}
          title={words.confirmTitle}
          description={words.confirmText}
          action={words.revoke}
          danger
          onConfirm={revokePage}
        />
      )}
    </>
  );
}
