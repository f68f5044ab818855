import { useRouter } from "@tanstack/react-router";
import { useEffect, useRef, useState, type RefObject } from "react";

/**
 * Moves the focus to the content when another page is shown, as a browser does after loading one. Returns the element
 * of the content, and the title of the page for screen readers; it is empty until the person has gone to another page.
 */
export function usePageFocus(): [RefObject<HTMLElement | null>, string] {
  const router = useRouter();
  const content = useRef<HTMLElement>(null);
  const [title, setTitle] = useState("");
  useEffect(
    () =>
      router.subscribe("onRendered", ({ fromLocation, pathChanged }) => {
        if (fromLocation === undefined || !pathChanged) return;
        setTitle(document.title);
        const hasFocus = content.current?.contains(document.activeElement) === true;
        const isCovered = document.querySelector("[role=dialog]") !== null;
        if (!hasFocus && !isCovered) content.current?.focus({ preventScroll: true });
      }),
    [router],
  );
  return [content, title];
}
