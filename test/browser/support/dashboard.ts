import type { BrowserContext, Page } from "playwright-core";
import { expect, inject, vi } from "vitest";
import { newLocalClient } from "./addresses.ts";
import { CONTRAST, findBarriers } from "./checks.ts";

/** The service that support/dashboard-service.ts has started. */
export const ORIGIN = inject("origin");

/** How often the outbox is read. A client may read it 60 times a minute. */
const OUTBOX_POLL_MS = 500;
const MAIL_TIMEOUT_MS = 30_000;

/** The path with the token of the newest mail to the address whose link leads to this page. */
export async function linkOf(email: string, page: string): Promise<string> {
  // Only this machine may read it.
  const headers = newLocalClient();
  const link = await vi.waitUntil(
    async () => {
      const response = await fetch(`${ORIGIN}/api/auth/outbox`, { headers });
      expect(response.status).toBe(200);
      const { mails } = (await response.json()) as { mails: { to: string; link: string | null }[] };
      return mails.find(({ to, link }) => to === email && link?.includes(`/app/${page}#`))?.link;
    },
    { timeout: MAIL_TIMEOUT_MS, interval: OUTBOX_POLL_MS },
  );
  return (link ?? "").slice(ORIGIN.length);
}

/** The token of the newest mail to the address whose link leads to this page. */
export async function tokenOf(email: string, page: string): Promise<string> {
  return (await linkOf(email, page)).split("#token=")[1] ?? "";
}

/** Calls the API with the session of the browser context. */
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

/** Chooses one of the rare actions of analytics by keyboard: a button, in narrow windows an item of a menu. */
export async function chooseAction(page: Page, name: string): Promise<void> {
  const isNarrow = (page.viewportSize()?.width ?? 0) < 768;
  const button = page.getByRole("button", { name: isNarrow ? "More actions" : name, exact: true });
  await button.press("Enter");
  if (isNarrow) await page.getByRole("menuitem", { name, exact: true }).press("Enter");
}

/** Keeps the requests back until the function that it returns is called. */
export async function keepBack(page: Page, url: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

/** Takes the last change back by its key, once the page offers it. */
export async function undo(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Undo", exact: true }).last().waitFor();
  await page.keyboard.press("Control+z");
}

/** Checks the page against WCAG 2.2 AA, at night also its colours in the other theme (the screens of layout.test.ts always). */
export async function expectNoBarriers(page: Page): Promise<void> {
  // What is being replaced is dimmed.
  await page.locator(":not(button)[aria-busy=true]").first().waitFor({ state: "detached" });
  expect(await findBarriers(page), page.url()).toEqual([]);
  if (!inject("isNightly")) return;
  const isDark = await page.evaluate(() => matchMedia("(prefers-color-scheme: dark)").matches);
  await page.emulateMedia({ colorScheme: isDark ? "light" : "dark" });
  expect(await findBarriers(page, CONTRAST), `${page.url()}, ${isDark ? "light" : "dark"}`).toEqual([]);
  await page.emulateMedia({ colorScheme: isDark ? "dark" : "light" });
}
