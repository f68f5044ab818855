import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { expectNoBarriers } from "../support/dashboard.ts";
import { openSignedIn, openVisit } from "../support/visits.ts";

/** Holds every file of the pages back until the returned function is called. */
async function holdFiles(page: Page): Promise<() => void> {
  const held = Promise.withResolvers<undefined>();
  await page.route("**/_app/**", async (route) => {
    await held.promise;
    await route.continue();
  });
  return () => held.resolve(undefined);
}

/** The times at which the page has painted content. */
const paints = (page: Page) =>
  page.evaluate(() => performance.getEntriesByName("first-contentful-paint").map(({ startTime }) => startTime));

it.each([1440, 390])("paints the frame before any file of the page has arrived (%i px)", async (width) => {
  const { page } = await openSignedIn({ width });
  await page.goto("/app/links");
  await page.getByRole("heading", { name: "Links", exact: true }).waitFor();
  const brand = await page.getByRole("link", { name: "Tern" }).boundingBox();
  const release = await holdFiles(page);
  await page.reload({ waitUntil: "commit" });
  const frame = page.locator("#frame");
  await expect.poll(() => paints(page), { timeout: 20_000 }).toHaveLength(1);
  await frame.getByText("Tern").waitFor();
  // The mark is where the page itself will have it.
  const mark = await frame.locator(".brand").boundingBox();
  expect(Math.abs((mark?.x ?? 99) - (brand?.x ?? 0))).toBeLessThanOrEqual(12);
  expect(Math.abs((mark?.y ?? 99) - (brand?.y ?? 0))).toBeLessThanOrEqual(12);
  expect(await frame.locator(width === 390 ? ".tabs" : ".side").isVisible()).toBe(true);
  await frame.getByText("The page is still loading.").waitFor();
  release();
  await page.getByRole("heading", { name: "Links", exact: true }).waitFor();
  expect(await frame.isVisible()).toBe(false);
});

it("has no navigation for visitors, is as dark as the page, and offers to reload if a file does not come", async () => {
  const { page } = await openVisit({ theme: "dark" });
  await page.route("**/_app/**/*.js", (route) => route.abort());
  await page.goto("/app/sign-in");
  const frame = page.locator("#frame");
  await frame.getByText("The page could not be loaded. Check your connection.").waitFor();
  expect(await frame.locator(".side").isVisible()).toBe(false);
  const colors = () =>
    page.evaluate(() =>
      [document.documentElement, document.body].map((each) => getComputedStyle(each).backgroundColor),
    );
  expect(new Set(await colors()).size).toBe(1);
  await expectNoBarriers(page);
  await page.unroute("**/_app/**/*.js");
  await frame.getByRole("link", { name: "Reload the page" }).click();
  await page.getByRole("heading", { name: "Sign in", level: 1 }).waitFor();
  expect(await frame.isVisible()).toBe(false);
});
