import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { createLink, expectNoBarriers } from "../support/dashboard.ts";
import { row, uniqueName } from "../support/link-list.ts";
import { openSignedIn } from "../support/visits.ts";

/** The field with the focus, which opens the keyboard of a phone; null: no field has it. */
const fieldWithFocus = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    return element?.matches("input, textarea") === true ? element.outerHTML : null;
  });

/** Waits, because a panel moves the focus after it is shown. */
const expectKeyboard = (page: Page, isOpen: boolean) =>
  isOpen ? expect.poll(() => fieldWithFocus(page)).not.toBeNull() : expect.poll(() => fieldWithFocus(page)).toBeNull();

/** Expects that the panel is as wide as the window and at its lower edge. */
async function expectDrawer(page: Page, panel: Locator): Promise<void> {
  await panel.waitFor();
  const { width, height } = page.viewportSize() ?? expect.fail("The page has no size.");
  // It rises.
  await expect
    .poll(async () => {
      const box = await panel.boundingBox();
      return box !== null && [box.x, box.width, Math.round(box.y + box.height)];
    })
    .toEqual([0, width, height]);
  await expectKeyboard(page, false);
  await expectNoBarriers(page);
}

it("shows panels as drawers, no keycaps, and no keyboard before a field is tapped", async () => {
  const { page, context } = await openSignedIn({ width: 390, height: 844, touch: true });
  const { slug } = await createLink(context, { slug: uniqueName(), tags: ["print"] });
  await page.goto("/app/links");
  await row(page, slug)
    .getByRole("button", { name: /^More for/ })
    .tap();
  const menu = page.getByRole("menu", { name: /^More for/ });
  await expectDrawer(page, menu);
  expect(await page.locator("kbd:visible").count()).toBe(0);
  await page.keyboard.press("Escape");
  await menu.waitFor({ state: "detached" });
  // Beside the drawer, nothing of the page can be tapped: it only closes.
  await page.getByRole("button", { name: /^Sort:/ }).tap();
  const orders = page.getByRole("menu");
  await expectDrawer(page, orders);
  const { x, y } = (await page.getByRole("link", { name: "Tern" }).boundingBox()) ?? { x: 0, y: 0 };
  await page.touchscreen.tap(x + 10, y + 10);
  await orders.waitFor({ state: "detached" });
  expect(new URL(page.url()).pathname).toBe("/app/links");

  await page.getByRole("button", { name: "Filter", exact: true }).tap();
  const filters = page.getByRole("dialog", { name: "Filter" });
  await expectDrawer(page, filters);
  await filters.getByRole("checkbox", { name: "print" }).tap();
  await page.waitForURL((url) => url.searchParams.has("tags"));
  await filters.getByRole("button", { name: "Close" }).tap();
  await filters.waitFor({ state: "detached" });

  await page.getByRole("button", { name: "Create link" }).last().tap();
  const editor = page.getByRole("dialog", { name: "New link" });
  await editor.getByRole("textbox", { name: /^Destination/ }).waitFor();
  await expectKeyboard(page, false);
  await editor.getByRole("textbox", { name: /^Destination/ }).tap();
  await expectKeyboard(page, true);
  await editor.getByRole("button", { name: "Close" }).tap();

  // What is set in a group has a line of its own.
  await page.goto("/app/links?create=true");
  const group = editor.getByRole("button", { name: /^Start and expiry/ });
  await group.tap();
  await editor.getByRole("button", { name: "1 year" }).tap();
  const title = group.getByText("Start and expiry", { exact: true });
  const [name, summary] = [await title.boundingBox(), await group.getByText(/\d{4}/).boundingBox()];
  expect(name?.height).toBeLessThan(30);
  expect(summary?.y).toBeGreaterThan(name?.y ?? 0);
  await page.goto("/app/links");

  // Its only purpose is a text.
  await page.getByRole("button", { name: "Search", exact: true }).tap();
  await page.getByPlaceholder("Search links, pages and actions").waitFor();
  await expectKeyboard(page, true);
  await page.keyboard.press("Escape");

  await page.goto("/app/analytics");
  await page.getByRole("button", { name: /^Period/ }).tap();
  await expectDrawer(page, page.getByRole("dialog", { name: "Period" }));
});

it("has one line of controls above the numbers of analytics, and one of filters", async () => {
  const { page } = await openSignedIn({ width: 390, height: 844, touch: true });
  /** From the first control to the first number, CSS px. */
  const distance = async () => {
    const period = await page.getByRole("button", { name: /^Period:/ }).boundingBox();
    const clicks = await page.getByRole("button", { name: /^Clicks 0/ }).boundingBox();
    return (clicks?.y ?? 0) - (period?.y ?? 0);
  };
  await page.goto("/app/analytics?country=DE&device=mobile&browser=!Chrome");
  await page.getByRole("button", { name: /^Clicks 0/ }).waitFor();
  expect(await distance()).toBeGreaterThan(90);
  expect(await distance()).toBeLessThan(130);
  await expectNoBarriers(page);
  await page.getByRole("button", { name: "Clear all" }).tap();
  await page.getByRole("list", { name: "Filters" }).waitFor({ state: "detached" });
  // An account without clicks.
  const box = await page
    .getByRole("button", { name: /^Period:/ })
    .locator("../..")
    .boundingBox();
  expect(box?.height).toBeLessThan(60);
  await page.getByRole("button", { name: "More actions" }).tap();
  const menu = page.getByRole("menu", { name: "More actions" });
  await expectDrawer(page, menu);
  await menu.getByRole("menuitem", { name: "Share" }).tap();
  await page.getByRole("dialog", { name: "Shared pages" }).waitFor();
});

it("lays the buttons of a QR code out evenly", async () => {
  const { page, context } = await openSignedIn({ width: 390, height: 844, touch: true });
  const { id } = await createLink(context);
  await page.goto(`/app/links/${id}`);
  await page.getByRole("button", { name: "QR code" }).tap();
  const formats = page.getByRole("dialog").getByRole("button", { name: /^Download/ });
  await formats.first().waitFor();
  const boxes = await Promise.all((await formats.all()).map((each) => each.boundingBox()));
  expect(boxes).toHaveLength(3);
  for (const side of ["y", "width"] as const)
    expect(new Set(boxes.map((box) => Math.round(box?.[side] ?? 0))).size).toBe(1);
});

it("keeps panels beside their buttons on tablets, without the keyboard", async () => {
  const { page, context } = await openSignedIn({ width: 1024, height: 768, touch: true });
  await createLink(context, { slug: uniqueName(), tags: ["print"] });
  await page.goto("/app/links");
  await page.getByRole("button", { name: "Filter", exact: true }).tap();
  await page.getByRole("dialog", { name: "Filter" }).getByRole("checkbox", { name: "print" }).waitFor();
  await expectKeyboard(page, false);
  expect(await page.locator("kbd:visible").count()).toBe(0);
});
