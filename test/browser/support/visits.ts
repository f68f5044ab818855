import type { Browser, BrowserContext, Page } from "playwright-core";
import { expect } from "vitest";
import { newClient, newLocalClient } from "./addresses.ts";
import { launchBrowser, VISITOR } from "./browser.ts";
import { watchProblems } from "./checks.ts";
import { ORIGIN } from "./dashboard.ts";
import { signInNewPerson, type Person } from "./persons.ts";

// All files of a process share a browser. Visits with touch share another one, because pages of one browser may share what it
// emulates. After each test, its visits must have had no problems.

export interface View {
  width?: number;
  height?: number;
  theme?: "light" | "dark";
  reducedMotion?: boolean;
  /** A phone or a tablet, with fingers as its pointer. */
  touch?: boolean;
  javaScript?: boolean;
  /** Whether the visitor is at the machine of the service, which shows the links of mails there. */
  isLocal?: boolean;
  /** Matches the problems that the test causes. */
  expectedProblems?: RegExp;
}

/** A page with a browser context of its own. */
export interface Visit {
  page: Page;
  context: BrowserContext;
}

/** How long a page may take to show what a test waits for. */
const PATIENCE_MS = 20_000;

const browsers: { touch?: Browser; mouse?: Browser } = {};
/** Errors, violations of the policy, and requests to other origins, in the visits of the running test. */
const visits: { context: BrowserContext; problems: string[]; expectedProblems: RegExp | undefined }[] = [];

/** Closes the visits of the test, which must have had no problems. */
export async function endVisits(): Promise<void> {
  const ended = visits.splice(0);
  const problems = ended.flatMap(({ problems, expectedProblems }) =>
    problems.filter((problem) => expectedProblems?.test(problem) !== true),
  );
  await Promise.all(ended.map(({ context }) => close(context)));
  expect(problems).toEqual([]);
}

async function close(context: BrowserContext): Promise<void> {
  // Routes may still wait for responses.
  await Promise.all(context.pages().map((page) => page.unrouteAll({ behavior: "ignoreErrors" })));
  await context.close();
}

/** Opens a browser context with an IP address of its own. It ends with the test. */
export async function openVisit(view: View = {}): Promise<Visit> {
  const {
    width = 1440,
    height = 900,
    theme = "light",
    reducedMotion,
    touch = false,
    javaScript = true,
    isLocal = false,
  } = view;
  const browser = (browsers[touch ? "touch" : "mouse"] ??= await launchBrowser(new URL(ORIGIN).host));
  const context = await browser.newContext({
    baseURL: ORIGIN,
    userAgent: VISITOR,
    viewport: { width, height },
    colorScheme: theme,
    hasTouch: touch,
    isMobile: touch,
    javaScriptEnabled: javaScript,
    locale: "en-GB",
    timezoneId: "Europe/Berlin",
    permissions: ["clipboard-read", "clipboard-write"],
    reducedMotion: reducedMotion === true ? "reduce" : "no-preference",
    extraHTTPHeaders: isLocal ? newLocalClient() : newClient(),
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  visits.push({ context, problems: watchProblems(page, ORIGIN), expectedProblems: view.expectedProblems });
  return { page, context };
}

/** A visit of a new person who is signed in. */
export async function openSignedIn({ name, ...view }: View & { name?: string } = {}): Promise<
  Visit & { person: Person }
> {
  const visit = await openVisit(view);
  return { ...visit, person: await signInNewPerson(visit.context, name) };
}

/**
 * The code of menus and messages, which the page loads after its own. Without a connection, they need that it is there. To be
 * called before the page is opened.
 */
export async function overlaysOf(page: Page): Promise<void> {
  const response = await page.waitForResponse(/\/assets\/overlays-[^/]*\.js$/);
  await response.finished();
}
