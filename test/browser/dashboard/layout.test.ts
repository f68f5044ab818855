import { rmSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findMisfitsOf } from "../support/layout.ts";
import { buildLonger, servePages } from "../support/pseudo-language.ts";
import { fillScreens, OPEN_SCREENS } from "../support/screens.ts";
import { openSignedIn, openVisit } from "../support/visits.ts";

let longer: string;
beforeAll(() => {
  longer = buildLonger();
});
afterAll(() => rmSync(longer, { recursive: true, force: true }));

it("has room for texts that are a third longer", async () => {
  const visitor = await openVisit();
  await servePages(visitor.context, longer);
  const { page, context } = await openSignedIn();
  const screens = await fillScreens(context);
  await servePages(context, longer);
  expect(await findMisfitsOf(visitor.page, OPEN_SCREENS)).toEqual([]);
  expect(await findMisfitsOf(page, screens)).toEqual([]);
  // These are the longer texts.
  expect(await page.locator("[data-dialog], [role=dialog]").first().textContent()).toMatch(/[áéíöü]{2}/);
});
