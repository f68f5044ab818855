import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { BERLIN, click, waitForClicks } from "../support/clicks.ts";
import { createLinks, uniqueName } from "../support/link-list.ts";
import { signInNewPerson } from "../support/persons.ts";
import { openVisit } from "../support/visits.ts";

// What a page has shown stays in its place when more of it comes, and the font last.

/** The greatest sum of layout shifts (https://web.dev/articles/cls). Up to 0.1 is good. */
const MAX_SHIFT = 0.01;

const OPEN_PAGES = ["/", "/docs", "/docs/api/links", "/docs/reference", "/app/sign-in"];
const OWN_PAGES = ["/app/links", "/app/analytics", "/app/settings/keys"];

it.each([
  ["light", 412],
  ["dark", 1350],
] as const)("moves nothing while its pages load (%s, %i px)", async (theme, width) => {
  const { page, context } = await openVisit({ theme, width, height: 823 });
  await page.addInitScript(sumShifts);
  const shifts: [path: string, shift: number][] = [];
  for (const path of OPEN_PAGES) shifts.push([path, await shiftOf(page, path)]);
  await signInNewPerson(context);
  // With fewer, the list has the first steps above it.
  const links = Array.from({ length: 12 }, () => ({ slug: uniqueName() }));
  await createLinks(context, links);
  await click(links[0]?.slug ?? "", { place: BERLIN });
  await waitForClicks(context, 1);
  for (const path of OWN_PAGES) shifts.push([path, await shiftOf(page, path)]);
  expect(shifts.filter(([, shift]) => shift > MAX_SHIFT)).toEqual([]);
});

/** Opens the page, whose font comes when the rest is there. Returns the sum of its layout shifts. */
async function shiftOf(page: Page, path: string): Promise<number> {
  const rest = Promise.withResolvers<void>();
  await page.route("**/*.woff2", async (route) => {
    await rest.promise;
    await route.continue();
  });
  // The load of a page ends after its font.
  await page.goto(path, { waitUntil: "domcontentloaded" });
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  await page.locator(".animate-pulse-soft").first().waitFor({ state: "detached" });
  rest.resolve();
  const shift = await page.evaluate(async () => {
    await document.fonts.ready;
    if (![...document.fonts].some(({ family, status }) => /^.?Figtree Variable/.test(family) && status === "loaded"))
      throw new Error("The font has not come.");
    for (let frames = 0; frames < 4; frames++) await new Promise(requestAnimationFrame);
    return (globalThis as unknown as { takeShift: () => number }).takeShift();
  });
  await page.unroute("**/*.woff2");
  return shift;
}

/** In the page: adds its layout shifts up, which `takeShift` returns. */
function sumShifts(): void {
  let sum = 0;
  const add = (entries: PerformanceEntry[]) => {
    for (const entry of entries) sum += (entry as PerformanceEntry & { value: number }).value;
  };
  const observer = new PerformanceObserver((list) => add(list.getEntries()));
  observer.observe({ type: "layout-shift", buffered: true });
  Object.assign(globalThis, {
    takeShift: () => {
      add(observer.takeRecords());
      return sum;
    },
  });
}
