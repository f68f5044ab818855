import type { Browser, BrowserContext, Page } from "playwright-core";
import { expect, inject, vi } from "vitest";
import { launchBrowser, VISITOR } from "./browser.ts";
import { CONTRAST, findBarriers, watchProblems } from "./checks.ts";

/** The service that support/dashboard-service.ts has started. */
export const ORIGIN = inject("origin");

/** Chromium for the pages of that service. */
export function launchForDashboard(): Promise<Browser> {
  return launchBrowser(new URL(ORIGIN).host);
}

export interface View {
  width?: number;
  height?: number;
  theme?: "light" | "dark";
  reducedMotion?: boolean;
  /** A phone or a tablet, with fingers as its pointer. */
  touch?: boolean;
}

/** A page with a browser profile of its own, and what must not happen in it. */
export interface Visit {
  page: Page;
  context: BrowserContext;
  /** Errors, violations of the policy, and requests to other origins. */
  problems: string[];
}

/** How long a page may take to show what a test waits for. */
const PATIENCE_MS = 20_000;

let nextAddress = 1;

/** Opens a browser profile with an IP address of its own, so the limits of a client do not add up. */
export async function openVisit(
  browser: Browser,
  { width = 1440, height = 900, theme = "light", reducedMotion, touch = false }: View = {},
): Promise<Visit> {
  const context = await browser.newContext({
    baseURL: ORIGIN,
    userAgent: VISITOR,
    viewport: { width, height },
    colorScheme: theme,
    hasTouch: touch,
    isMobile: touch,
    locale: "en-GB",
    timezoneId: "Europe/Berlin",
    permissions: ["clipboard-read", "clipboard-write"],
    reducedMotion: reducedMotion === true ? "reduce" : "no-preference",
    extraHTTPHeaders: { "CF-Connecting-IP": addressOf(nextAddress++) },
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  return { page, context, problems: watchProblems(page, ORIGIN) };
}

function addressOf(number: number): string {
  return `10.${process.pid & 255}.${number >> 8}.${number & 255}`;
}

export interface Person {
  email: string;
  password: string;
  name: string;
}

let nextPerson = 1;

/** Signs a new person up in this browser profile, by the calls that the pages make. */
export async function signUp(context: BrowserContext, name = "Ann Lee"): Promise<Person> {
  const person = {
    email: `person${process.pid}x${nextPerson++}@example.com`,
    password: "seventeen quiet lanterns",
    name,
  };
  await post(context, "/api/auth/sign-up", person, 202);
  await post(context, "/api/auth/verify-email", { token: await tokenFor(person.email) }, 200);
  return person;
}

/** How often the outbox is read. A client may read it 60 times a minute. */
const OUTBOX_POLL_MS = 500;

/** The token of the newest mail to the address. */
export async function tokenFor(email: string): Promise<string> {
  const link = await vi.waitUntil(
    async () => {
      // Only this machine may read it.
      const response = await fetch(`${ORIGIN}/api/auth/outbox`, { headers: { "CF-Connecting-IP": "127.0.0.1" } });
      const { mails } = (await response.json()) as { mails: { to: string; link: string }[] };
      return mails.find(({ to }) => to === email)?.link;
    },
    { timeout: 30_000, interval: OUTBOX_POLL_MS },
  );
  return link?.split("#token=")[1] ?? "";
}

/** Calls the API with the session of the browser profile. */
export async function post(context: BrowserContext, path: string, data: object, status = 201): Promise<unknown> {
  const response = await context.request.post(path, { data, headers: { Origin: ORIGIN } });
  expect(response.status(), await response.text()).toBe(status);
  return response.json();
}

export async function createLink(
  context: BrowserContext,
  link: object = {},
): Promise<{ id: string; shortUrl: string; slug: string }> {
  const body = await post(context, "/api/links", { url: "https://example.com/spring?ref=poster", ...link });
  return (body as { link: { id: string; shortUrl: string; slug: string } }).link;
}

/** Takes the last change back by its key, once the page offers it. */
export async function undo(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Undo", exact: true }).last().waitFor();
  await page.keyboard.press("Control+z");
}

/** Checks the page in its theme against WCAG 2.2 AA, and its colours in the other theme. */
export async function expectNoBarriers(page: Page): Promise<void> {
  // What is being replaced is dimmed.
  await page.locator(":not(button)[aria-busy=true]").first().waitFor({ state: "detached" });
  expect(await findBarriers(page)).toEqual([]);
  const isDark = await page.evaluate(() => matchMedia("(prefers-color-scheme: dark)").matches);
  await page.emulateMedia({ colorScheme: isDark ? "light" : "dark" });
  expect(await findBarriers(page, CONTRAST), isDark ? "light" : "dark").toEqual([]);
  await page.emulateMedia({ colorScheme: isDark ? "dark" : "light" });
}
