import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from "@tanstack/react-router";
import { ApiError } from "./api/client.ts";
import { completeSearch } from "./features/links/last-view.ts";
import { openSession } from "./session.ts";
import { AppLayout } from "./shell/app-layout.tsx";
import { NotFoundPage, PageError, PagePending } from "./shell/page-states.tsx";

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFoundPage });

/** A page without the navigation, for people who may not be signed in. */
function openPage<Path extends string>(path: Path, component: ReturnType<typeof lazyRouteComponent>) {
  return createRoute({
    getParentRoute: () => root,
    path,
    component,
    validateSearch: (search: Record<string, unknown>) => search as { next?: string },
  });
}

const signIn = () => import("./features/sign-in/pages.tsx");

const openPages = [
  openPage("/sign-in", lazyRouteComponent(signIn, "SignInPage")),
  openPage("/sign-up", lazyRouteComponent(signIn, "SignUpPage")),
  openPage("/verify-email", lazyRouteComponent(signIn, "VerifyEmailPage")),
  openPage("/forgot-password", lazyRouteComponent(signIn, "ForgotPasswordPage")),
  openPage("/reset-password", lazyRouteComponent(signIn, "ResetPasswordPage")),
  openPage("/confirm-email", lazyRouteComponent(signIn, "ConfirmEmailPage")),
  openPage("/undo-email", lazyRouteComponent(signIn, "UndoEmailPage")),
  openPage("/invitation", lazyRouteComponent(signIn, "InvitationPage")),
  openPage("/restore-account", lazyRouteComponent(signIn, "RestoreAccountPage")),
  openPage(
    "/shared/$token",
    lazyRouteComponent(() => import("./features/shared/shared-page.tsx"), "SharedPage"),
  ),
] as const;

const app = createRoute({
  getParentRoute: () => root,
  id: "app",
  component: AppLayout,
  beforeLoad: async ({ location }) => {
    try {
      await openSession();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code === "account_deleted") throw redirect({ to: "/restore-account" });
      if (error.status !== 401) throw error;
      throw redirect({ to: "/sign-in", search: { next: location.publicHref } });
    }
  },
  errorComponent: PageError,
  pendingComponent: PagePending,
});

/** For a page of a person who is signed in. Its view is in the search parameters, which the page itself validates. */
const appOptions = {
  getParentRoute: () => app,
  validateSearch: (search: Record<string, unknown>) => search,
  errorComponent: PageError,
  pendingComponent: PagePending,
};

function appPage<Path extends string>(path: Path, component: ReturnType<typeof lazyRouteComponent>) {
  return createRoute({ ...appOptions, path, component });
}

const moving = () => import("./features/moving/pages.tsx");
const settings = () => import("./features/settings/pages.tsx");

const appPages = [
  createRoute({
    getParentRoute: () => app,
    path: "/",
    beforeLoad: () => {
      throw redirect({ to: "/links" });
    },
  }),
  createRoute({
    ...appOptions,
    path: "/links",
    component: lazyRouteComponent(() => import("./features/links/links-page.tsx"), "LinksPage"),
    beforeLoad: ({ search, cause }) => {
      const completed = completeSearch(search, cause !== "stay");
      if (completed !== null) throw redirect({ to: "/links", search: completed });
    },
  }),
  appPage(
    "/links/$linkId",
    lazyRouteComponent(() => import("./features/links/link-page.tsx"), "LinkPage"),
  ),
  appPage(
    "/analytics",
    lazyRouteComponent(() => import("./features/analytics/analytics-page.tsx"), "AnalyticsPage"),
  ),
  appPage("/moving", lazyRouteComponent(moving, "MovingPage")),
  appPage("/moving/$kind", lazyRouteComponent(moving, "MovingPage")),
  appPage("/settings", lazyRouteComponent(settings, "SettingsPage")),
  appPage("/settings/$section", lazyRouteComponent(settings, "SettingsPage")),
  appPage("/settings/$section/$id", lazyRouteComponent(settings, "SettingsPage")),
] as const;

export const router = createRouter({
  routeTree: root.addChildren([...openPages, app.addChildren(appPages)]),
  basepath: "/app",
  defaultPreload: "intent",
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
  interface HistoryState {
    /** The entry of the browser's history opens a dialog of the page that the entry before it shows. */
    opensDialog?: boolean;
  }
}
