import { useEffect, useRef, type KeyboardEvent, type RefObject } from "react";
import type { Link, ListedLink } from "../../api/types.ts";
import { useShortcut } from "../../lib/shortcuts.ts";
import { texts } from "../../texts/index.ts";
import type { RowAction } from "./row-menu.tsx";
import type { Selection } from "./selection.ts";

/** What the keys of a selected row do with the whole selection. */
export type SelectionAction = Extract<RowAction, "archive" | "delete" | "restore">;

interface RowKeys {
  list: RefObject<HTMLElement | null>;
  links: readonly ListedLink[];
  /** The id of the row that has the focus. */
  focused: string | null;
  canWrite: boolean;
  onAction: (action: RowAction, link: Link) => void;
  selection: Selection;
  onSelectionAction: (action: SelectionAction) => void;
  /** The row with this id has got the focus. */
  onFocus: (id: string) => void;
  /** Goes to the row. */
  onMove: (index: number) => void;
}

/**
 * The keys of the rows. They act on the row that the person has pointed at or moved to last. Those that change links act
 * on the row that has the keyboard focus, or on all selected ones if it is selected or there is none: a row that is only
 * under the pointer is never changed.
 */
export function useRowKeys(keys: RowKeys) {
  const { list, links, focused, canWrite, selection, onAction, onSelectionAction, onFocus, onMove } = keys;
  const hovered = useRef<string | null>(null);
  const current = (): number => links.findIndex(({ id }) => id === (hovered.current ?? focused));
  const move = (step: number) => {
    const from = current();
    hovered.current = null;
    onMove(from < 0 ? 0 : Math.min(Math.max(from + step, 0), links.length - 1));
  };
  const { row } = texts.linkList;
  const act = (action: RowAction) => () => {
    const link = links[current()];
    if (link !== undefined) onAction(action, link);
  };
  const changeBy = (action: SelectionAction) => () => {
    const id = idOf(list.current?.querySelector(":focus") ?? null);
    const link = links.find((each) => each.id === id);
    if (link !== undefined && !selection.has(link.id)) onAction(action === "delete" ? "askToDelete" : action, link);
    else if (selection.links.length > 0) onSelectionAction(action);
  };
  const isDeleted = links[0]?.deletesAt !== undefined;
  const canChange = canWrite && !isDeleted;
  useListShortcut(!isDeleted && "q", row.qr, act("qr"));
  useListShortcut(canChange && "e", row.edit, act("edit"));
  useListShortcut(canChange && "d", row.duplicate, act("duplicate"));
  useListShortcut(canChange && "a", row.archive, changeBy("archive"));
  useListShortcut(canChange && "x", row.delete, changeBy("delete"));
  useListShortcut(canWrite && isDeleted && "r", row.restore, changeBy("restore"));
  useListShortcut("j", row.next, () => move(1));
  useListShortcut("k", row.previous, () => move(-1));

  useEffect(() => {
    const element = list.current;
    if (element === null) return undefined;
    const ended = new AbortController();
    const listen = (type: string, run: (id: string | null) => void) =>
      element.addEventListener(type, ({ target }) => run(idOf(target)), { signal: ended.signal });
    listen("pointerover", (id) => (hovered.current = id));
    listen("pointerleave", () => (hovered.current = null));
    listen("focusin", (id) => id !== null && onFocus(id));
    return () => ended.abort();
  }, [list, onFocus]);

  /** The keys of a row's main control, which the browser itself opens or presses at Enter, and a button also at Space. */
  return (event: KeyboardEvent<HTMLElement>, link: Link): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    hovered.current = null;
    if (step !== undefined) {
      const next = links[links.indexOf(link) + step];
      if (event.shiftKey && canWrite && next !== undefined) selection.toggle(next.id, true);
      move(step);
    } else if (event.key === " " && canChange) selection.toggle(link.id, event.shiftKey);
    else return;
    event.preventDefault();
  };
}

function idOf(target: EventTarget | null): string | null {
  return target instanceof Element ? (target.closest("li")?.dataset["link"] ?? null) : null;
}

function useListShortcut(keys: string | false, label: string, run: () => void): void {
  useShortcut(keys === false ? undefined : keys, { label, group: texts.linkList.shortcuts }, run);
}
