import {
  Archive,
  ArchiveRestore,
  Ban,
  CalendarClock,
  CircleCheck,
  Ellipsis,
  FolderInput,
  RotateCcw,
  Tag,
  Trash2,
  X,
} from "lucide-react";
import { useEffect, type ReactNode } from "react";
import { lazyPart } from "../../lib/lazy-part.ts";
import { useShortcut } from "../../lib/shortcuts.ts";
import { texts } from "../../texts/index.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { LazyDialogs } from "../../ui/lazy-dialogs.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import type { Change } from "./changes.ts";
import type { Selection } from "./selection.ts";
import type { BulkDialogKind } from "./bulk-dialogs.tsx";

const BulkDialog = lazyPart(() => import("./bulk-dialogs.tsx").then(({ BulkDialog }) => BulkDialog));

interface SelectionBarProps {
  selection: Selection;
  /** The number of selected links. */
  count: number;
  /** All links that match; null while they are all loaded. */
  matches: { value: number; isExact: boolean } | null;
  /** The dialog that is open. */
  dialog: BulkDialogKind | null;
  onDialog: (dialog: BulkDialogKind | null) => void;
  onChange: (change: Change) => void;
  /** For deleted links: the only thing that can be done with them. */
  onRestore?: () => void;
}

/** What can be done with the selected links, at the lower edge of the window. */
export function SelectionBar(props: SelectionBarProps) {
  const { selection, count, matches, dialog, onDialog, onChange, onRestore } = props;
  // A later selection begins without a dialog.
  useEffect(() => () => onDialog(null), [onDialog]);
  const { selection: words } = texts.linkList;
  useShortcut(dialog === null ? "Escape" : undefined, { label: words.clear, group: texts.linkList.shortcuts }, () =>
    selection.clear(),
  );
  const isExact = matches?.isExact ?? true;
  return (
    <>
      <section
        aria-label={words.label}
        className="fixed inset-x-2 bottom-18 z-20 mx-auto flex w-fit max-w-[calc(100%-1rem)] animate-rise flex-wrap items-center gap-x-1 gap-y-1.5 rounded-card bg-raised p-1.5 ps-4 shadow-float lg:bottom-6 lg:inset-s-60"
      >
        <p role="status" className="me-1 font-semibold whitespace-nowrap tabular">
          {selection.all && matches !== null ? words.all(count, isExact) : words.count(count)}
        </p>
        {matches !== null && !selection.all && (
          <Button kind="quiet" size="small" className="text-accent-strong" onClick={selection.selectAll}>
            {words.selectAll(matches.value, isExact)}
          </Button>
        )}
        <div className="flex flex-wrap items-center gap-1">
          {onRestore === undefined ? (
            <ChangeButtons onDialog={onDialog} onChange={onChange} />
          ) : (
            <BarButton icon={<RotateCcw size={16} aria-hidden />} onClick={onRestore}>
              {texts.linkList.row.restore}
            </BarButton>
          )}
          <IconButton
            size="small"
            keys="Escape"
            label={words.clear}
            icon={<X size={16} aria-hidden />}
            onClick={selection.clear}
          />
        </div>
      </section>
      <LazyDialogs onFail={() => onDialog(null)}>
        {dialog !== null && (
          <BulkDialog
            kind={dialog}
            what={texts.linkList.amount(count, isExact || !selection.all)}
            links={selection.links}
            onClose={() => onDialog(null)}
            onChange={(change) => {
              onDialog(null);
              onChange(change);
            }}
          />
        )}
      </LazyDialogs>
    </>
  );
}

function ChangeButtons({
  onDialog,
  onChange,
}: {
  onDialog: (kind: BulkDialogKind) => void;
  onChange: (change: Change) => void;
}) {
  const { selection: words, row } = texts.linkList;
  return (
    <>
      <BarButton icon={<Tag size={16} aria-hidden />} onClick={() => onDialog("tag")}>
        {words.tag}
      </BarButton>
      <BarButton icon={<FolderInput size={16} aria-hidden />} onClick={() => onDialog("move")}>
        {words.move}
      </BarButton>
      <BarButton icon={<CalendarClock size={16} aria-hidden />} onClick={() => onDialog("expire")}>
        {words.expire}
      </BarButton>
      <BarButton icon={<Archive size={16} aria-hidden />} onClick={() => onChange({ kind: "archive", archived: true })}>
        {row.archive}
      </BarButton>
      <BarButton icon={<Trash2 size={16} className="text-bad" aria-hidden />} onClick={() => onDialog("delete")}>
        {row.delete}
      </BarButton>
      <MoreActions onChange={onChange} />
    </>
  );
}

function BarButton({ icon, onClick, children }: { icon: ReactNode; onClick: () => void; children: string }) {
  return (
    <Button kind="quiet" size="small" onClick={onClick}>
      {icon}
      <span className="max-sm:sr-only">{children}</span>
    </Button>
  );
}

function MoreActions({ onChange }: { onChange: (change: Change) => void }) {
  const { row, selection } = texts.linkList;
  return (
    <Menu trigger={<IconButton size="small" label={selection.more} icon={<Ellipsis size={16} aria-hidden />} />}>
      <MenuItem
        icon={<ArchiveRestore size={16} aria-hidden />}
        onSelect={() => onChange({ kind: "archive", archived: false })}
      >
        {row.unarchive}
      </MenuItem>
      <MenuItem icon={<Ban size={16} aria-hidden />} onSelect={() => onChange({ kind: "disable", disabled: true })}>
        {row.disable}
      </MenuItem>
      <MenuItem
        icon={<CircleCheck size={16} aria-hidden />}
        onSelect={() => onChange({ kind: "disable", disabled: false })}
      >
        {row.enable}
      </MenuItem>
    </Menu>
  );
}
