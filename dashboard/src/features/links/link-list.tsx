import { defaultRangeExtractor, measureElement, useWindowVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import type { Link, ListedLink } from "../../api/types.ts";
import { useLatest } from "../../lib/latest.ts";
import { inOwnTask } from "../../lib/own-task.ts";
import { texts } from "../../texts/index.ts";
import type { Display } from "./display.ts";
import { LinkRow } from "./link-row.tsx";
import type { RowAction } from "./row-menu.tsx";
import type { Selection } from "./selection.ts";
import { useRowKeys, type SelectionAction } from "./use-row-keys.ts";

interface LinkListProps {
  links: readonly ListedLink[];
  /** The number of links on all pages; null if it is not known exactly. */
  count: number | null;
  selection: Selection;
  display: Display;
  asCards: boolean;
  canWrite: boolean;
  /** Reads the next page; undefined if there is none or it is being read. */
  onNearEnd: (() => void) | undefined;
  onAction: (action: RowAction, link: Link) => void;
  onSelectionAction: (action: SelectionAction) => void;
}

/** Heights of rows before they are measured, CSS px. */
const HEIGHTS = { comfortable: 63, compact: 41, card: 102 } as const;
/** Rows that are rendered outside of the window, so that fast scrolling shows no gaps. */
const OVERSCAN_ROWS = 8;
/** How many rows are rendered in one task when the list appears. */
const ROWS_A_TASK = 4;
/** The next page is read when so few rows are left below. */
const NEAR_END_ROWS = 25;
/** The bars at the upper and lower edge, which must not hide the focused row, CSS px. */
const EDGES = { start: 72, end: 110 } as const;

/** The rows of the list. Only those near the window are rendered. The window scrolls. */
export function LinkList(props: LinkListProps) {
  const { links, count, selection, display, asCards, canWrite, onNearEnd, onAction, onSelectionAction } = props;
  const list = useRef<HTMLUListElement>(null);
  const [focused, setFocused] = useState<string | null>(null);
  const offset = useOffset(list);
  const height = HEIGHTS[asCards ? "card" : display.density];
  const focusedIndex = links.findIndex(({ id }) => id === focused);
  // oxlint-disable-next-line react/incompatible-library -- this component is not compiled
  const virtualizer = useWindowVirtualizer<HTMLLIElement>({
    count: links.length,
    estimateSize: () => height,
    getItemKey: (index) => links[index]?.id ?? index,
    overscan: OVERSCAN_ROWS,
    // The observer measures all new rows after one layout. Before it, each row would need a layout of its own.
    measureElement: (row, entry, instance) =>
      entry === undefined
        ? (instance.itemSizeCache.get(row.dataset["link"] ?? "") ?? height)
        : measureElement(row, entry, instance),
    scrollMargin: offset,
    scrollPaddingStart: EDGES.start,
    scrollPaddingEnd: EDGES.end,
    // The focused row stays, or the focus would be lost.
    rangeExtractor: (range) =>
      focusedIndex < 0
        ? defaultRangeExtractor(range)
        : [...new Set([...defaultRangeExtractor(range), focusedIndex])].toSorted((a, b) => a - b),
  });
  const rows = useInSteps(virtualizer.getVirtualItems());

  const last = virtualizer.range?.endIndex ?? 0;
  useEffect(() => {
    if (last >= links.length - NEAR_END_ROWS) onNearEnd?.();
  }, [last, links.length, onNearEnd]);

  // Other heights apply to all rows.
  const { density } = display;
  useEffect(() => virtualizer.measure(), [virtualizer, density, asCards]);

  const onKey = useRowKeys({
    list,
    links,
    focused,
    canWrite,
    selection,
    onAction,
    onSelectionAction,
    onFocus: setFocused,
    onMove: (index) => {
      const link = links[index];
      if (link === undefined) return;
      setFocused(link.id);
      // At the end of the list it is the same row again, whose focus may be elsewhere.
      focusRow(list.current, link.id);
      virtualizer.scrollToIndex(index, { align: "auto" });
    },
  });
  useFocusOnMove(list, focused);
  useFocusAfterRemoval(links, focusedIndex, setFocused);

  const select = useLatest(selection.toggle);
  const act = useLatest(onAction);
  const press = useLatest(onKey);
  const reachable = Math.max(0, focusedIndex);
  return (
    <ul
      ref={list}
      aria-label={texts.linkList.title}
      className="relative"
      style={{ height: virtualizer.getTotalSize() }}
    >
      {rows.map(({ index, start }) => {
        const link = links[index];
        return (
          link !== undefined && (
            <LinkRow
              key={link.id}
              link={link}
              index={index}
              setSize={count ?? -1}
              top={start - virtualizer.options.scrollMargin}
              measure={virtualizer.measureElement}
              selected={selection.has(link.id)}
              reachable={index === reachable}
              display={display}
              asCard={asCards}
              canWrite={canWrite}
              onSelect={select}
              onAction={act}
              onKey={press}
            />
          )
        );
      })}
    </ul>
  );
}

/** The first rows, and after each task some more, until the list has appeared in full. Then always all rows. */
function useInSteps<Row>(rows: readonly Row[]): readonly Row[] {
  const [shown, setShown] = useState(ROWS_A_TASK);
  const hasMore = shown < rows.length;
  useEffect(() => {
    if (rows.length === 0 || shown === Infinity) return undefined;
    return inOwnTask(() => setShown(hasMore ? shown + ROWS_A_TASK : Infinity));
  }, [rows.length, shown, hasMore]);
  return rows.slice(0, shown);
}

/** When the row with the focus is removed, the row that takes its place gets the focus. */
function useFocusAfterRemoval(
  links: readonly ListedLink[],
  focusedIndex: number,
  setFocused: (id: string | null) => void,
): void {
  const last = useRef(-1);
  useEffect(() => {
    if (focusedIndex >= 0) last.current = focusedIndex;
    else if (last.current >= 0) {
      const next = links[Math.min(last.current, links.length - 1)];
      last.current = -1;
      if (document.activeElement === document.body) setFocused(next?.id ?? null);
    }
  }, [links, focusedIndex, setFocused]);
}

/** Where the list begins on the page, CSS px. What is above it can grow. */
function useOffset(list: React.RefObject<HTMLElement | null>): number {
  const [offset, setOffset] = useState(0);
  useLayoutEffect(() => {
    const measure = () => {
      if (list.current !== null) setOffset(list.current.getBoundingClientRect().top + scrollY);
    };
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    measure();
    return () => observer.disconnect();
  }, [list]);
  return offset;
}

/** Focuses the row to which the person moved, once it is rendered. */
function useFocusOnMove(list: React.RefObject<HTMLElement | null>, focused: string | null): void {
  // The next key acts on the row with the focus.
  useLayoutEffect(() => focusRow(list.current, focused), [list, focused]);
}

/** Focuses a row, if it is rendered. A row that the pointer focused has the focus already. */
function focusRow(list: HTMLElement | null, id: string | null): void {
  const row = id === null ? null : list?.querySelector<HTMLElement>(`[data-link="${id}"]`);
  if (row?.contains(document.activeElement) === false)
    row.querySelector<HTMLElement>("[data-main]")?.focus({ preventScroll: true });
}
