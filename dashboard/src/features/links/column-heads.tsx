import { cx } from "../../lib/class-names.ts";
import { texts } from "../../texts/index.ts";
import { Checkbox } from "../../ui/field.tsx";
import type { Column, Display } from "./display.ts";

export const COLUMN_WIDTHS: Record<Column, string> = {
  tags: "w-48 max-lg:hidden xl:w-60",
  clicks: "w-16 text-end",
  lastClickedAt: "w-28 text-end",
  createdBy: "w-32 max-lg:hidden",
  createdAt: "w-28 text-end",
};

/** Of the control at the end of a deleted link's row. */
export const RESTORE_WIDTH = "w-34 shrink-0 text-end";

/** The line above the rows, with a box that selects all that are loaded. */
export function ColumnHeads({
  display,
  checked,
  ofDeleted,
  onCheck,
}: {
  display: Display;
  checked: boolean;
  ofDeleted: boolean;
  /** Undefined if the person may not change links. */
  onCheck: (() => void) | undefined;
}) {
  const { columns, selection } = texts.linkList;
  return (
    <div className="flex items-center gap-3 border-b border-line py-2 pe-2 ps-4 text-sm text-soft">
      {onCheck !== undefined && (
        <span className="-ms-2 grid w-8 place-content-center">
          <Checkbox label={selection.selectLoaded} hideLabel checked={checked} onChange={onCheck} />
        </span>
      )}
      <span className="flex-1">{columns.link}</span>
      {display.columns.map((column) => (
        <span key={column} className={cx("shrink-0", COLUMN_WIDTHS[column])}>
          {columns[column]}
        </span>
      ))}
      <span className={ofDeleted ? RESTORE_WIDTH : "w-8"} />
    </div>
  );
}
