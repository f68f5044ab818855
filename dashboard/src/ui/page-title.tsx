import { useLayoutEffect } from "react";

/** The title of the window: `Links · Tern`. */
export function PageTitle({ children }: { children: string }) {
  useLayoutEffect(() => {
    document.title = `${children} · Tern`;
  }, [children]);
  return null;
}
