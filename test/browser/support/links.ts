import type { BrowserContext, Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { ORIGIN } from "./dashboard.ts";

// Links in the dashboard: what several tests of the editor and of the page of a link do.

export const HOST = new URL(ORIGIN).host;
export const URL_FIELD = { name: "Destination", exact: true } as const;

let nextSlug = 1;

/** A slug that no other test has: all tests share the service's own domain. */
export const newSlug = (word: string): string => `${word}-${process.pid}-${nextSlug++}`;

export const textbox = (page: Page, name: string): Locator => page.getByRole("textbox", { name, exact: true });

export const readClipboard = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText());

export async function readLink(context: BrowserContext, id: string): Promise<Record<string, unknown>> {
  const response = await context.request.get(`/api/links/${id}`);
  return ((await response.json()) as { link: Record<string, unknown> }).link;
}

/** Changes the link as somebody else would do it. */
export async function patchLink(context: BrowserContext, id: string, data: object): Promise<void> {
  const response = await context.request.patch(`/api/links/${id}`, { data, headers: { Origin: ORIGIN } });
  expect(response.status(), await response.text()).toBe(200);
}

export async function openEditor(page: Page, id: string): Promise<Locator> {
  await page.goto(`/app/links?edit=${id}`);
  const dialog = page.getByRole("dialog", { name: /^Edit/ });
  await dialog.waitFor();
  return dialog;
}

/** Drags with the mouse to just above the middle of the target. */
export async function drag(page: Page, handle: Locator, target: Locator): Promise<void> {
  await handle.scrollIntoViewIfNeeded();
  const from = await handle.boundingBox();
  if (from === null) throw new Error("The handle is not shown.");
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  const to = await target.boundingBox();
  if (to === null) throw new Error("The target is not shown.");
  await page.mouse.move(to.x + 40, to.y + 2, { steps: 8 });
  await page.mouse.up();
}
