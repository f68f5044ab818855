import { rmSync } from "node:fs";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { LANGUAGE_COOKIE } from "../../../src/platform/languages.ts";
import { createLink, ORIGIN } from "../support/dashboard.ts";
import { findFaultsOf } from "../support/layout.ts";
import { buildLonger, servePages } from "../support/pseudo-language.ts";
import { fillScreens, OPEN_SCREENS } from "../support/screens.ts";
import { openSignedIn, openVisit } from "../support/visits.ts";

/** The screens that are opened in Arabic at each merge, one of each layout. */
const MIRRORED =
  /^\/app\/(?:links(?:\/[^/]*|\?edit=.*)?|analytics|moving|settings\/(?:general|domains.*|webhooks\/.*))$/;

let longer: string;
beforeAll(() => {
  longer = buildLonger();
});
afterAll(() => rmSync(longer, { recursive: true, force: true }));

it("has no barriers, and room for texts that are a third longer", async () => {
  const visitor = await openVisit();
  await servePages(visitor.context, longer);
  const { page, context } = await openSignedIn();
  const screens = await fillScreens(context);
  await servePages(context, longer);
  expect(await findFaultsOf(visitor.page, OPEN_SCREENS, { barriers: true })).toEqual([]);
  expect(await findFaultsOf(page, screens, { barriers: true })).toEqual([]);
  // These are the longer texts.
  expect(await page.locator("[data-dialog], [role=dialog]").first().textContent()).toMatch(/[áéíöü]{2}/);
});

it("has room for what stands for the content of a page while it loads", async () => {
  const { page, context } = await openSignedIn({ width: 390 });
  const { id } = await createLink(context);
  // Until the end of the test, nothing answers.
  await page.route(/\/api\/(?:links|clicks|webhooks)\b/, () => {});
  for (const path of ["/app/links", `/app/links/${id}`, "/app/analytics", "/app/settings/webhooks"]) {
    await page.goto(path);
    await page.locator("[role=status][aria-label]").first().waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), path).toBeLessThanOrEqual(0);
  }
});

it("mirrors the pages in Arabic", async () => {
  const inArabic = { name: LANGUAGE_COOKIE, value: "ar", url: ORIGIN };
  const visitor = await openVisit();
  await visitor.context.addCookies([inArabic]);
  const { page, context } = await openSignedIn();
  const screens = await fillScreens(context);
  await context.addCookies([inArabic]);
  const mirrored = inject("isNightly") ? screens : screens.filter(({ path }) => MIRRORED.test(path));
  expect(await findFaultsOf(visitor.page, OPEN_SCREENS, { barriers: false })).toEqual([]);
  expect(await findFaultsOf(page, mirrored, { barriers: false })).toEqual([]);

  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto("/app/links");
  const navigation = page.locator("header nav");
  const { x, width } = (await navigation.boundingBox()) ?? expect.fail("There is no navigation.");
  expect(x).toBeGreaterThan(1_000);
  expect(x + width).toBeGreaterThan(1_250);
  const name = page.locator("li[data-link] a[data-main] > span").first();
  expect(await name.evaluate((element) => getComputedStyle(element).direction)).toBe("ltr");
  // The menu of a row is at the left edge, and opens from there to the right.
  await page.locator("li[data-link] button[aria-haspopup]").first().click();
  const menu = await page.getByRole("menu").boundingBox();
  expect(menu?.x).toBeLessThan(60);
  await page.keyboard.press("Escape");

  await page.goto(screens.find(({ path }) => path.includes("/domains/"))?.path ?? "");
  const heading = page.locator("table.text-start th").first();
  expect(await heading.evaluate((element) => getComputedStyle(element).textAlign)).toBe("start");

  await page.goto("/app/analytics");
  // A value that is written from left to right begins at the right edge, like all others.
  const value = page.locator("li button > span[dir=auto]").filter({ hasText: "example.com" }).first();
  const distance = await value.evaluate((element) => {
    const text = document.createRange();
    text.selectNodeContents(element);
    return element.getBoundingClientRect().right - text.getBoundingClientRect().right;
  });
  expect(distance).toBeLessThan(1);
  const chart = page.getByRole("slider");
  expect(await chart.evaluate((element) => getComputedStyle(element).direction)).toBe("ltr");
});
