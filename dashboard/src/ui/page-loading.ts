import type { AnyRouter, RouterHistory } from "@tanstack/react-router";
import { useSyncExternalStore } from "react";
import { openAnew } from "../lib/open-anew.ts";
import { texts } from "../texts/index.ts";
import { hideToast, showToast } from "./toast.tsx";

const TOAST = "page-loading";

let isLoading = false;
const listeners = new Set<() => void>();

function setLoading(value: boolean): void {
  isLoading = value;
  for (const listener of listeners) listener();
}

/** Whether the code of the next page is being loaded. */
export function usePageLoading(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isLoading,
  );
}

/**
 * Keeps the page that is shown until the code of the next one is there. If it does not come, the page stays: a message says so,
 * offers to try again, and does so by itself once the browser is online again.
 */
export function keepPageUntilLoaded(router: AnyRouter): void {
  let newest = 0;
  /** The page that was not loaded at the last attempt. */
  let missing: string | null = null;
  let forgetOffer: (() => void) | null = null;

  const offer = (href: string) => {
    const again = () => router.history.push(href);
    // What somebody is typing in a dialog must not disappear by itself.
    const againOnline = () => document.querySelector("[data-dialog]") === null && again();
    addEventListener("online", againOnline, { once: true });
    showToast({
      name: TOAST,
      kind: "problem",
      title: texts.errors.notOpened,
      text: navigator.onLine ? texts.errors.perhapsNew : texts.errors.opensOnline,
      action: { label: texts.ui.retry, run: again },
      isLasting: true,
    });
    forgetOffer = () => {
      removeEventListener("online", againOnline);
      hideToast(TOAST);
    };
  };

  const history: RouterHistory = router.history;
  history.block({
    enableBeforeUnload: false,
    blockerFn: async ({ currentLocation, nextLocation: { pathname, href }, action }) => {
      if (pathname === currentLocation.pathname) return false;
      const own = ++newest;
      forgetOffer?.();
      setLoading(true);
      try {
        const [routes] = router.getMatchedRoutes(pathname.slice(router.basepath.length) || "/");
        await Promise.all(routes.map(async (route) => router.loadRouteChunk(route)));
        missing = null;
        // A step back has been made already, so it cannot be left out.
        return own !== newest && (action === "PUSH" || action === "REPLACE");
      } catch {
        // Without a connection, the code may come later. With one, a new version has replaced it.
        if (own === newest && !(missing === href && (await openAnew(href)))) offer(href);
        missing = href;
        return true;
      } finally {
        if (own === newest) setLoading(false);
      }
    },
  });
}
