import type { BrowserContext, Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { post } from "./dashboard.ts";

interface NewLink {
  slug: string;
  [field: string]: unknown;
}

let nextRun = 1;

/** Slugs are unique on the service, which other tests use too. */
export const uniqueName = (): string => `l${process.pid}x${nextRun++}`;

/** Creates up to 100 links in one request. */
export async function createLinks(context: BrowserContext, links: readonly NewLink[]): Promise<void> {
  const body = { links: links.map((link) => ({ url: "https://example.com/spring?ref=poster", ...link })) };
  const { results } = (await post(context, "/api/links/bulk", body, 200)) as { results: object[] };
  expect(results.filter((result) => !("link" in result))).toEqual([]);
}

/** The row or card of a link. */
export function row(page: Page, slug: string): Locator {
  return page.getByRole("listitem").filter({ has: page.getByRole("link", { name: slug }) });
}

/** The slugs that the list shows, from above. */
export async function shownSlugs(page: Page): Promise<string[]> {
  const names = await page.getByRole("list", { name: "Links" }).getByRole("link").allTextContents();
  return names
    .filter((name) => name.startsWith("localhost") || name.includes(":"))
    .map((name) => name.split("/").at(-1) ?? "");
}

/** Waits until the page says that a change was undone. */
export async function expectUndone(page: Page): Promise<void> {
  await page
    .getByText(/^Undone:/)
    .first()
    .waitFor();
}
