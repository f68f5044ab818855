import { useSyncExternalStore } from "react";

/** Whether a media query matches now. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const media = matchMedia(query);
      media.addEventListener("change", listener);
      return () => media.removeEventListener("change", listener);
    },
    () => matchMedia(query).matches,
  );
}

/** Phones and narrow windows; as `max-md` in the styles. */
export const NARROW = "(max-width: 767px)";

/** Whether fingers are the main pointer. There, a field that gets the focus opens a keyboard over half of the page. */
export const isTouchScreen = (): boolean => matchMedia("(pointer: coarse)").matches;
