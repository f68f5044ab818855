// First: they take the token of a link and the request of an app out of the address before the router reads it.
import "./lib/link-token.ts";
import "./lib/authorization-request.ts";
import "./lib/preact.ts";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { setNonce } from "get-nonce";
import { createRoot } from "react-dom/client";
import { queryClient } from "./api/query-client.ts";
import { router } from "./router.tsx";
import { preloadDialogs } from "./ui/dialog.tsx";
import { preloadMenus } from "./ui/menu.tsx";
import { keepPageUntilLoaded } from "./ui/page-loading.ts";
import { preloadPopovers } from "./ui/popover.tsx";
import { PageProgress } from "./ui/progress.tsx";
import { preloadToasts, Toasts } from "./ui/toast.tsx";
import { Tooltips } from "./ui/tooltip.tsx";
import "./styles.css";

// Dialogs insert a style element, which the policy allows with the nonce of the page only.
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce;
if (nonce !== undefined) setNonce(nonce);

const container = document.getElementById("root");
if (container === null) throw new Error("app.html has no element #root.");

// Loads the code of the page in parallel with the session.
const [routes] = router.getMatchedRoutes(router.latestLocation.pathname);
// An error is that of the page, which loads it again.
for (const route of routes) router.loadRouteChunk(route)?.catch(() => undefined);
keepPageUntilLoaded(router);

createRoot(container).render(
  <QueryClientProvider client={queryClient}>
    <RouterProvider router={router} />
    <PageProgress />
    <Toasts />
    <Tooltips />
  </QueryClientProvider>,
);

/** How long the first screen has for its own requests before the code of what opens later is loaded. */
const OVERLAYS_AFTER_MS = 1_000;

// So that they open at once, also without a connection. Without the code, the first one that opens asks for it again.
addEventListener("load", () =>
  setTimeout(
    () => void Promise.allSettled([preloadDialogs(), preloadMenus(), preloadPopovers(), preloadToasts()]),
    OVERLAYS_AFTER_MS,
  ),
);
