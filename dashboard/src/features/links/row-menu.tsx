import {
  Archive,
  ArchiveRestore,
  Ban,
  ChartNoAxesColumn,
  CircleCheck,
  Copy,
  CopyPlus,
  Ellipsis,
  Pencil,
  QrCode,
  Trash2,
} from "lucide-react";
import type { Link } from "../../api/types.ts";
import { withoutScheme } from "../../lib/urls.ts";
import { texts } from "../../texts/index.ts";
import { IconButton } from "../../ui/button.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../ui/menu.tsx";

/** What people do with one link of the list. */
/** "askToDelete" is the key that deletes: a key is pressed by accident more easily. */
export type RowAction =
  | "askToDelete"
  | "copy"
  | "open"
  | "qr"
  | "edit"
  | "duplicate"
  | "archive"
  | "disable"
  | "delete"
  | "restore";

export function RowMenu({
  link,
  canWrite,
  tabIndex,
  onAction,
}: {
  link: Link;
  canWrite: boolean;
  tabIndex?: number;
  onAction: (action: RowAction, link: Link) => void;
}) {
  const { row } = texts.linkList;
  const run = (action: RowAction) => () => onAction(action, link);
  return (
    <Menu
      trigger={
        <IconButton
          label={row.more(withoutScheme(link.shortUrl))}
          icon={<Ellipsis size={18} aria-hidden />}
          size="small"
          tabIndex={tabIndex}
        />
      }
    >
      <MenuItem icon={<Copy size={16} aria-hidden />} onSelect={run("copy")}>
        {row.copy}
      </MenuItem>
      <MenuItem icon={<QrCode size={16} aria-hidden />} keys="q" onSelect={run("qr")}>
        {row.qr}
      </MenuItem>
      <MenuItem icon={<ChartNoAxesColumn size={16} aria-hidden />} keys="Enter" onSelect={run("open")}>
        {row.open}
      </MenuItem>
      {canWrite && (
        <>
          <MenuSeparator />
          <MenuItem icon={<Pencil size={16} aria-hidden />} keys="e" onSelect={run("edit")}>
            {row.edit}
          </MenuItem>
          <MenuItem icon={<CopyPlus size={16} aria-hidden />} keys="d" onSelect={run("duplicate")}>
            {row.duplicate}
          </MenuItem>
          <MenuItem
            icon={link.archived ? <ArchiveRestore size={16} aria-hidden /> : <Archive size={16} aria-hidden />}
            keys="a"
            onSelect={run("archive")}
          >
            {link.archived ? row.unarchive : row.archive}
          </MenuItem>
          <MenuItem
            icon={link.disabled ? <CircleCheck size={16} aria-hidden /> : <Ban size={16} aria-hidden />}
            onSelect={run("disable")}
          >
            {link.disabled ? row.enable : row.disable}
          </MenuItem>
          <MenuSeparator />
          <MenuItem icon={<Trash2 size={16} aria-hidden />} keys="x" danger onSelect={run("delete")}>
            {row.delete}
          </MenuItem>
        </>
      )}
    </Menu>
  );
}
