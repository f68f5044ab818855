import {
  createRootRoute,
  createRoute,
  createRouter,
  type RouteComponent,
  Outlet,
  redirect,
} from "@tanstack/react-router";
import { isConsole } from "#src/platform/languages.ts";
import { ApiError } from "./api/client.ts";
import { completeSearch } from "./features/links/last-view.ts";
import { asksPerson } from "./lib/authorization-request.ts";
import { keepLanguage } from "./lib/kept-language.ts";
import { isShown } from "./lib/language.ts";
import { lazyPart } from "./lib/lazy-part.ts";
import { describeEnd, hadSession, openSession, type EndedSession } from "./session.ts";
import { NotFoundPage, PageError, PagePending } from "./ui/page-states.tsx";

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFoundPage });

/** A page without the navigation, for people who may not be signed in. */
function openPage<Path extends string>(path: Path, component: RouteComponent) {
  return createRoute({
    getParentRoute: () => root,
    path,
    component,
    validateSearch: (search: Record<string, unknown>) => search as { next?: string },
  });
}

/** The pages to which the links of mails lead, and others that few people open. */
const rare = () => import("./features/sign-in/pages.tsx");

const openPages = [
  openPage(
    "/sign-in",
    lazyPart(() => import("./features/sign-in/sign-in-page.tsx").then(({ SignInPage }) => SignInPage)),
  ),
  openPage(
    "/sign-up",
    lazyPart(() => import("./features/sign-in/sign-up-page.tsx").then(({ SignUpPage }) => SignUpPage)),
  ),
  openPage(
    "/claim",
    lazyPart(() => rare().then(({ ClaimPage }) => ClaimPage)),
  ),
  openPage(
    "/verify-email",
    lazyPart(() => rare().then(({ VerifyEmailPage }) => VerifyEmailPage)),
  ),
  openPage(
    "/forgot-password",
    lazyPart(() => rare().then(({ ForgotPasswordPage }) => ForgotPasswordPage)),
  ),
  openPage(
    "/reset-password",
    lazyPart(() => rare().then(({ ResetPasswordPage }) => ResetPasswordPage)),
  ),
  openPage(
    "/confirm-email",
    lazyPart(() => rare().then(({ ConfirmEmailPage }) => ConfirmEmailPage)),
  ),
  openPage(
    "/undo-email",
    lazyPart(() => rare().then(({ UndoEmailPage }) => UndoEmailPage)),
  ),
  openPage(
    "/undo-factor",
    lazyPart(() => rare().then(({ UndoFactorPage }) => UndoFactorPage)),
  ),
  openPage(
    "/invitation",
    lazyPart(() => rare().then(({ InvitationPage }) => InvitationPage)),
  ),
  createRoute({
    getParentRoute: () => root,
    path: "/restore-account",
    component: lazyPart(() => rare().then(({ RestoreAccountPage }) => RestoreAccountPage)),
    beforeLoad: needDeletedPerson,
    errorComponent: PageError,
  }),
  openPage(
    "/shared/$token",
    lazyPart(() => import("./features/shared/shared-page.tsx").then(({ SharedPage }) => SharedPage)),
  ),
  openPage(
    "/embed/$token",
    lazyPart(() => import("./features/shared/shared-page.tsx").then(({ EmbeddedPage }) => EmbeddedPage)),
  ),
] as const;

async function needSession({ location }: { location: { publicHref: string } }): Promise<void> {
  try {
    const { language } = (await openSession()).user;
    if (language !== null && !isShown(language) && keepLanguage(language)) await loadAnew(location.publicHref);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === "account_deleted") throw redirect({ to: "/restore-account" });
    if (error.status !== 401) throw error;
    const state = hadSession() ? { endedSession: describeEnd() } : {};
    throw redirect({ to: "/sign-in", search: { next: location.publicHref }, state });
  }
}

/** Whether the Worker has served the page for the console of operators, which is in English for everybody. */
const isServedForConsole = isConsole(window.location.pathname);

/** Loads the page anew where the Worker serves it in another language: into the console, and out of it. */
async function needLanguage({ location, preload }: { location: { publicHref: string }; preload: boolean }) {
  const isInto = isConsole(location.publicHref);
  if (preload || isInto === isServedForConsole || (isInto && isShown("en"))) return;
  await loadAnew(location.publicHref);
}

/** For the page of people who are deleted. Others go on to their links, or sign in. */
async function needDeletedPerson(context: { location: { publicHref: string } }): Promise<void> {
  try {
    await openSession();
  } catch (error) {
    if (error instanceof ApiError && error.code === "account_deleted") return;
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    throw redirect({ to: "/sign-in", search: { next: context.location.publicHref } });
  }
  throw redirect({ to: "/links" });
}

/** Loads the page at the path, in the language that is kept. It ends this one. */
function loadAnew(path: string): Promise<never> {
  history.replaceState(history.state, "", path);
  location.reload();
  return new Promise(() => {});
}

/** A page without the navigation, which other programs open. Who opens it must be signed in to answer. */
const authorize = createRoute({
  getParentRoute: () => root,
  path: "/authorize",
  component: lazyPart(() =>
    import("./features/authorize/authorize-page.tsx").then(({ AuthorizePage }) => AuthorizePage),
  ),
  beforeLoad: async (context) => {
    if (asksPerson()) await needSession(context);
  },
  errorComponent: PageError,
  pendingComponent: PagePending,
});

const app = createRoute({
  getParentRoute: () => root,
  id: "app",
  component: lazyPart(() => import("./shell/app-layout.tsx").then(({ AppLayout }) => AppLayout)),
  beforeLoad: async (context) => {
    await needLanguage(context);
    await needSession(context);
  },
  errorComponent: PageError,
});

/** For a page of a person who is signed in. Its view is in the search parameters, which the page itself validates. */
const appOptions = {
  getParentRoute: () => app,
  validateSearch: (search: Record<string, unknown>) => search,
  errorComponent: PageError,
  pendingComponent: PagePending,
};

function appPage<Path extends string>(path: Path, component: RouteComponent) {
  return createRoute({ ...appOptions, path, component });
}

const moving = lazyPart(() => import("./features/moving/pages.tsx").then(({ MovingPage }) => MovingPage));
const settings = lazyPart(() => import("./features/settings/pages.tsx").then(({ SettingsPage }) => SettingsPage));

const admin = lazyPart(() => import("./features/admin/admin-page.tsx").then(({ AdminPage }) => AdminPage));

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
    component: lazyPart(() => import("./features/links/links-page.tsx").then(({ LinksPage }) => LinksPage)),
    beforeLoad: ({ search, cause }) => {
      const completed = completeSearch(search, cause !== "stay");
      if (completed !== null) throw redirect({ to: "/links", search: completed });
    },
  }),
  appPage(
    "/links/$linkId",
    lazyPart(() => import("./features/links/link-page.tsx").then(({ LinkPage }) => LinkPage)),
  ),
  appPage(
    "/analytics",
    lazyPart(() => import("./features/analytics/analytics-page.tsx").then(({ AnalyticsPage }) => AnalyticsPage)),
  ),
  appPage("/moving", moving),
  appPage("/moving/$kind", moving),
  appPage("/admin", admin),
  appPage("/admin/$section", admin),
  appPage("/settings", settings),
  appPage("/settings/$section", settings),
  appPage("/settings/$section/$id", settings),
] as const;

export const router = createRouter({
  routeTree: root.addChildren([...openPages, authorize, app.addChildren(appPages)]),
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
    /** The session ended before the person left. */
    endedSession?: EndedSession;
  }
}
