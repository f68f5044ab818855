import { GripVertical } from "lucide-react";
import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import { cx } from "#dashboard/lib/class-names.ts";
import { texts } from "#dashboard/texts/index.ts";

/** Moves an item of a list: by dragging with a mouse or a finger, and by the arrow keys. */
export function RuleHandle({
  index,
  count,
  onMove,
  onDragging,
}: {
  index: number;
  count: number;
  /** Called with the new place. */
  onMove: (to: number) => void;
  onDragging: (isDragging: boolean) => void;
}) {
  const handle = useRef<HTMLButtonElement>(null);
  const [isDragging, setDragging] = useState(false);
  const latest = useRef({ index, onMove, onDragging });
  useEffect(() => {
    latest.current = { index, onMove, onDragging };
  });

  useEffect(() => {
    if (!isDragging) return undefined;
    const follow = (event: PointerEvent) => {
      const to = placeAt(handle.current, event.clientY);
      if (to !== null && to !== latest.current.index) latest.current.onMove(to);
    };
    const end = () => {
      setDragging(false);
      latest.current.onDragging(false);
    };
    // The handle itself moves in the page, so it cannot capture the pointer.
    addEventListener("pointermove", follow);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
    return () => {
      removeEventListener("pointermove", follow);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
    };
  }, [isDragging]);

  const onKeyDown = (event: KeyboardEvent) => {
    const places: Record<string, number> = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: count - 1 };
    const to = places[event.key];
    if (to === undefined) return;
    event.preventDefault();
    onMove(to);
    // Moving the element in the page has taken the focus.
    requestAnimationFrame(() => handle.current?.focus());
  };
  return (
    <button
      ref={handle}
      type="button"
      aria-label={texts.editor.rules.move(index + 1, count)}
      className={cx(
        "inline-flex size-8 shrink-0 touch-none items-center justify-center rounded-control text-soft hover:bg-sunken",
        isDragging ? "cursor-grabbing" : "cursor-grab",
      )}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        setDragging(true);
        onDragging(true);
      }}
      onKeyDown={onKeyDown}
    >
      <GripVertical size={18} aria-hidden />
    </button>
  );
}

/** The place in the list whose middle the pointer has passed. */
function placeAt(handle: HTMLElement | null, y: number): number | null {
  const item = handle?.closest("li");
  const items = [...(item?.parentElement?.children ?? [])];
  if (item == null) return null;
  const own = items.indexOf(item);
  const boxes = items.map((each) => each.getBoundingClientRect());
  const middle = (at: number) => (boxes[at]?.top ?? 0) + (boxes[at]?.height ?? 0) / 2;
  let to = own;
  while (to > 0 && y < middle(to - 1)) to--;
  while (to < items.length - 1 && y > middle(to + 1)) to++;
  return to;
}
