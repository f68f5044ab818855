import { useEffect, useLayoutEffect, useRef, useState, type CSSProperties, type RefObject } from "react";
import { Keys } from "./keys.tsx";

/** The delay before the tooltip of a hovered element shows. */
const SHOW_AFTER_MS = 350;
/** How long the pointer has to reach the tooltip from the element. */
const HIDE_AFTER_MS = 150;
/** Between the element and its tooltip, and at least between the tooltip and the edges of the window. */
const GAP_PX = 6;
const EDGE_PX = 8;
const ID = "tooltip";

/**
 * The attributes of an element that has a tooltip: a short text beside it while it is hovered or focused. `<Tooltips>`
 * shows it, and sets the `aria-describedby` of the element meanwhile.
 */
export function tooltip(label: string, keys?: string): { "data-tooltip": string; "data-tooltip-keys"?: string } {
  return { "data-tooltip": label, ...(keys !== undefined && { "data-tooltip-keys": keys }) };
}

interface Shown {
  element: HTMLElement;
  label: string;
  keys: string | undefined;
}

/** Shows the tooltips of all elements. One for the page: lists have hundreds of buttons, and a component in each is slow. */
export function Tooltips() {
  const [shown, setShown] = useState<Shown | null>(null);
  const [position, setPosition] = useState<CSSProperties>();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => followElements(box, setShown), []);

  useLayoutEffect(() => {
    if (shown === null || box.current === null) return undefined;
    const { element, label, keys } = shown;
    setPosition(beside(element.getBoundingClientRect(), box.current.getBoundingClientRect()));
    // A tooltip that only repeats the name would be said twice.
    if (element.getAttribute("aria-label") === label && keys === undefined) return undefined;
    element.setAttribute("aria-describedby", ID);
    return () => {
      element.removeAttribute("aria-describedby");
    };
  }, [shown]);

  if (shown === null) return null;
  return (
    <div
      ref={box}
      id={ID}
      role="tooltip"
      style={position}
      className="pointer-events-auto fixed top-0 left-0 z-60 flex w-max max-w-72 animate-fade items-center gap-2 rounded-control bg-ink px-2.5 py-1.5 text-sm text-page"
    >
      {shown.label}
      {shown.keys !== undefined && <Keys keys={shown.keys} />}
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

/**
 * Follows the pointer and the focus, and calls `show` with the tooltip to show from now on; null: none. The tooltip of the
 * focused element shows until the focus leaves it, that of a hovered element until the pointer does. Returns a function that
 * removes the listeners.
 */
function followElements(box: RefObject<HTMLElement | null>, show: (shown: Shown | null) => void): () => void {
  const ended = new AbortController();
  let current: HTMLElement | null = null;
  let focused: HTMLElement | null = null;
  /** The element whose tooltip was dismissed. It shows again once the pointer or the focus has left the element. */
  let dismissed: HTMLElement | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const set = (element: HTMLElement | null) => {
    clearTimeout(timer);
    const { tooltip: label, tooltipKeys: keys } = element?.dataset ?? {};
    current = element?.isConnected === true && label !== undefined ? element : null;
    show(current === null || label === undefined ? null : { element: current, label, keys });
    if (current === null) observer.disconnect();
    else observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ["data-tooltip"] });
  };
  const observer = new MutationObserver(() => set(current));
  const change = (element: HTMLElement | null, afterMs: number) => {
    clearTimeout(timer);
    if (element !== current) timer = setTimeout(() => set(element), afterMs);
  };
  const dismiss = (element: HTMLElement | null) => {
    dismissed = element;
    clearTimeout(timer);
    if (current !== null) set(null);
  };
  const isInBox = (target: EventTarget | null) => box.current?.contains(target as Node) === true;

  const listen = <Type extends keyof DocumentEventMap>(type: Type, run: (event: DocumentEventMap[Type]) => void) =>
    document.addEventListener(type, run, { capture: true, signal: ended.signal });
  listen("pointerover", ({ target, pointerType }) => {
    if (pointerType === "touch") return;
    const element = isInBox(target) ? current : (withTooltip(target) ?? focused);
    if (element !== null && element === dismissed) return;
    dismissed = null;
    change(element, element === null ? HIDE_AFTER_MS : current === null ? SHOW_AFTER_MS : 0);
  });
  listen("pointerout", ({ relatedTarget, pointerType }) => {
    // The pointer has left the window.
    if (relatedTarget === null && pointerType !== "touch") change(focused, HIDE_AFTER_MS);
  });
  // A press on the tooltip would close the dialog behind it, or take the focus from it.
  listen("pointerdown", (event) => {
    if (isInBox(event.target)) event.stopPropagation();
    else dismiss(withTooltip(event.target));
  });
  listen("mousedown", (event) => {
    if (isInBox(event.target)) event.preventDefault();
  });
  listen("focusin", ({ target }) => {
    const element = withTooltip(target);
    if (element?.matches(":focus-visible") !== true) return;
    focused = element;
    change(element, 0);
  });
  listen("focusout", ({ target }) => {
    focused = null;
    dismiss(withTooltip(target) === dismissed ? null : dismissed);
  });
  listen("keydown", ({ key }) => {
    if (MODIFIERS.has(key)) return;
    focused = null;
    dismiss(current ?? dismissed);
  });
  // The element may have moved away from its tooltip. A tooltip that is still to show is placed when it does.
  const hide = () => current !== null && set(null);
  listen("scroll", hide);
  addEventListener("resize", hide, { signal: ended.signal });
  return () => {
    ended.abort();
    observer.disconnect();
    clearTimeout(timer);
  };
}

const MODIFIERS = new Set(["Alt", "AltGraph", "CapsLock", "Control", "Meta", "Shift"]);

function withTooltip(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>("[data-tooltip]") : null;
}
