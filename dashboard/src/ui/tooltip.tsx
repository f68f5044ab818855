import { useEffect, useLayoutEffect, useRef, useState, type CSSProperties } from "react";
import { Keys } from "./keys.tsx";

/** How long the pointer rests on an element before its tooltip shows, and the way to the tooltip itself may take, ms. */
const SHOW_AFTER_MS = 350;
const HIDE_AFTER_MS = 150;
/** Between the element and its tooltip, and at least between the tooltip and the edges of the window, CSS px. */
const GAP_PX = 6;
const EDGE_PX = 8;
const ID = "tooltip";

/** The attributes of an element that has a tooltip: a short text beside it while it is hovered or focused. `<Tooltips>` shows it. */
export function tooltip(label: string, keys?: string): { "data-tooltip": string; "data-tooltip-keys"?: string } {
  return { "data-tooltip": label, ...(keys !== undefined && { "data-tooltip-keys": keys }) };
}

/** Shows the tooltips of all elements. One for the page: lists have hundreds of buttons, and a component in each is slow. */
export function Tooltips() {
  const [target, setTarget] = useState<HTMLElement | null>(null);
  const [position, setPosition] = useState<CSSProperties>();
  const box = useRef<HTMLDivElement>(null);
  useHoveredOrFocused(box, setTarget);

  useLayoutEffect(() => {
    if (target === null || box.current === null) return undefined;
    setPosition(beside(target.getBoundingClientRect(), box.current.getBoundingClientRect()));
    // A tooltip that repeats the name would be said twice.
    if (target.getAttribute("aria-label") === target.dataset["tooltip"]) return undefined;
    target.setAttribute("aria-describedby", ID);
    return () => {
      target.removeAttribute("aria-describedby");
    };
  }, [target]);

  if (target === null) return null;
  const { tooltip: label, tooltipKeys: keys } = target.dataset;
  return (
    <div
      ref={box}
      id={ID}
      role="tooltip"
      style={position}
      // A dialog behind it would close.
      onPointerDown={(event) => event.stopPropagation()}
      className="pointer-events-auto fixed top-0 left-0 z-60 flex w-max max-w-72 animate-fade items-center gap-2 rounded-control bg-ink px-2.5 py-1.5 text-sm text-page"
    >
      {label}
      {keys !== undefined && <Keys keys={keys} />}
    </div>
  );
}

/** Above the element, or below it where there is no room. */
function beside(element: DOMRect, box: DOMRect): CSSProperties {
  const above = element.top - GAP_PX - box.height;
  const centred = element.left + (element.width - box.width) / 2;
  return {
    top: above >= EDGE_PX ? above : element.bottom + GAP_PX,
    left: Math.max(EDGE_PX, Math.min(centred, document.documentElement.clientWidth - EDGE_PX - box.width)),
  };
}

/** Calls `show` with the element whose tooltip shows from now on; null: none. */
function useHoveredOrFocused(
  box: React.RefObject<HTMLElement | null>,
  show: (element: HTMLElement | null) => void,
): void {
  useEffect(() => {
    const ended = new AbortController();
    let shown: HTMLElement | null = null;
    /** It was pressed; its tooltip shows again once the pointer has left it. */
    let pressed: HTMLElement | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const change = (element: HTMLElement | null, afterMs: number) => {
      clearTimeout(timer);
      if (element === shown) return;
      timer = setTimeout(() => show((shown = element)), afterMs);
    };
    const hide = () => {
      clearTimeout(timer);
      if (shown !== null) show((shown = null));
    };
    const listen = <Type extends keyof DocumentEventMap>(type: Type, run: (event: DocumentEventMap[Type]) => void) =>
      document.addEventListener(type, run, { capture: true, passive: true, signal: ended.signal });
    listen("pointerover", ({ target, pointerType }) => {
      if (pointerType === "touch") return;
      const element = box.current?.contains(target as Node) === true ? shown : withTooltip(target);
      if (element !== null && element === pressed) return;
      pressed = null;
      change(element, element === null ? HIDE_AFTER_MS : shown === null ? SHOW_AFTER_MS : 0);
    });
    listen("pointerdown", ({ target }) => (pressed = withTooltip(target)));
    listen("focusin", ({ target }) => {
      const element = withTooltip(target);
      if (element?.matches(":focus-visible") === true) change(element, 0);
    });
    for (const type of ["focusout", "pointerdown", "keydown", "scroll"] as const) listen(type, hide);
    return () => {
      ended.abort();
      clearTimeout(timer);
    };
  }, [box, show]);
}

function withTooltip(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>("[data-tooltip]") : null;
}
