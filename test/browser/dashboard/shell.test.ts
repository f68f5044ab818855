import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findBarriers, launchForDashboard, openVisit, signUp } from "../support/dashboard.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await launchForDashboard();
});
afterAll(() => browser?.close());

it.each([
  ["light", 1440],
  ["dark", 1440],
  ["light", 390],
] as const)("shows the navigation, the menus and the palette (%s, %i px)", async (theme, width) => {
  const { page, context, problems } = await openVisit(browser, { theme, width });
  await signUp(context);
  await page.goto("/app");
  await page.getByRole("heading", { name: "Links", exact: true }).waitFor();
  expect(await findBarriers(page)).toEqual([]);

  await page.keyboard.press("Control+k");
  await page.getByPlaceholder("Search links, pages and actions").waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.keyboard.press("Escape");

  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: /Ann Lee/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL("**/app/sign-in");
  expect(problems).toEqual([]);
});
