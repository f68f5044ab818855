import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { expect, inject, vi } from "vitest";
import { launchBrowser, VISITOR } from "./browser.ts";

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
  { width = 1440, height = 900, theme = "light", reducedMotion }: View = {},
): Promise<Visit> {
  const context = await browser.newContext({
    baseURL: ORIGIN,
    userAgent: VISITOR,
    viewport: { width, height },
    colorScheme: theme,
    locale: "en-GB",
    timezoneId: "Europe/Berlin",
    permissions: ["clipboard-read", "clipboard-write"],
    reducedMotion: reducedMotion === true ? "reduce" : "no-preference",
    extraHTTPHeaders: { "CF-Connecting-IP": addressOf(nextAddress++) },
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => {
    // The browser logs every response of 4xx; the pages show them to people.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      problems.push(message.text());
  });
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol.startsWith("http") && origin !== ORIGIN) problems.push(`request to ${request.url()}`);
  });
  return { page, context, problems };
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

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const WCAG_2_2_AA = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** The rule of axe-core that depends on the theme. */
const CONTRAST = ["color-contrast"];

/** Checks the page in its theme against WCAG 2.2 AA, and its colours in the other theme. */
export async function expectNoBarriers(page: Page): Promise<void> {
  expect(await findBarriers(page)).toEqual([]);
  const isDark = await page.evaluate(() => matchMedia("(prefers-color-scheme: dark)").matches);
  await page.emulateMedia({ colorScheme: isDark ? "light" : "dark" });
  expect(await findBarriers(page, CONTRAST), isDark ? "light" : "dark").toEqual([]);
  await page.emulateMedia({ colorScheme: isDark ? "dark" : "light" });
}

/** Returns what axe-core finds against the rules or groups of rules, a line for each element. */
async function findBarriers(page: Page, runOnly = WCAG_2_2_AA): Promise<string[]> {
  // Without animations, which have intermediate colours. Those that never end are cancelled.
  await page.evaluate(() => {
    const animations = document.getAnimations();
    const isEndless = ({ effect }: Animation) => effect?.getComputedTiming().endTime === Infinity;
    for (const animation of animations.filter(isEndless)) animation.cancel();
    return Promise.all(
      animations.filter((each) => !isEndless(each)).map((animation) => animation.finished.catch(() => undefined)),
    );
  });
  // Runs in the page's main world, outside of its policy.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(AXE);
  const found = await page.evaluate(async (runOnly) => {
    const { axe } = globalThis as unknown as {
      axe: { run: (options: object) => Promise<{ violations: AxeViolation[] }> };
    };
    // Menus and tooltips are beside the landmarks.
    const rules = { region: { enabled: false } };
    return (await axe.run({ runOnly, rules, resultTypes: ["violations"] })).violations;
  }, runOnly);
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  );
}

interface AxeViolation {
  id: string;
  nodes: { html: string; failureSummary: string }[];
}
