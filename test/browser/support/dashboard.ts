import type { BrowserContext, Page } from "playwright-core";
import { expect, inject, vi } from "vitest";
import { CONTRAST, findBarriers } from "./checks.ts";

/** The service that support/dashboard-service.ts has started. */
export const ORIGIN = inject("origin");

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
