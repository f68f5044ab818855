import { useSyncExternalStore } from "react";

// The token behind `#token=` in the link of a mail. It leaves the address bar before the page is shown, so that neither the
// history nor a copied address has it.

interface LinkToken {
  /** The path of the link. A token counts on its own page only. */
  path: string;
  token: string;
}

let taken: LinkToken | null = take();
const listeners = new Set<() => void>();

function take(): LinkToken | null {
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (token === null || token === "") return null;
  history.replaceState(history.state, "", location.pathname + location.search);
  return { path: location.pathname, token };
}

// A link to the page that is open already loads nothing.
addEventListener("hashchange", () => {
  taken = take() ?? taken;
  for (const listener of listeners) listener();
});

/** The token of the link that opened this page; null without one. It stays while the person signs in for it. */
export function useLinkToken(): string | null {
  const current = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => taken,
  );
  return current !== null && current.path === location.pathname ? current.token : null;
}

/** Puts the token into the address again, before the page is loaded again. */
export function putBackLinkToken(): void {
  if (taken !== null && taken.path === location.pathname)
    history.replaceState(history.state, "", `${location.pathname}${location.search}#token=${taken.token}`);
}

/** Forgets the token once it was used. */
export function forgetLinkToken(): void {
  taken = null;
}
