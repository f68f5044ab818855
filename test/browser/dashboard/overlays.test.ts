import { expect, it } from "vitest";
import { createLink, expectNoBarriers } from "../support/dashboard.ts";
import { row, uniqueName } from "../support/link-list.ts";
import { openSignedIn } from "../support/visits.ts";

it("shows a tooltip to the pointer and the focus, until it is left or dismissed", async () => {
  const { page, context } = await openSignedIn();
  const slug = uniqueName();
  await createLink(context, { slug });
  await page.goto("/app/links", { waitUntil: "networkidle" });
  const copy = row(page, slug).getByRole("button", { name: "Copy short link" });
  const tooltip = page.getByRole("tooltip");
  // What loads later moves the rows from under the pointer.
  const hover = async () => {
    await copy.hover();
    return tooltip.getByText("Copy short link").isVisible();
  };
  await expect.poll(hover, { interval: 600, timeout: 20_000 }).toBe(true);
  await expectNoBarriers(page);
  // The pointer can move onto it.
  await tooltip.hover();
  await tooltip.waitFor();
  await page.getByRole("heading", { name: "Links", exact: true }).hover();
  await tooltip.waitFor({ state: "detached" });

  await row(page, slug).getByRole("link").first().focus();
  await page.keyboard.press("Tab");
  await tooltip.waitFor();
  expect(await copy.evaluate((button) => button === document.activeElement)).toBe(true);
  await page.keyboard.press("Escape");
  await tooltip.waitFor({ state: "detached" });
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Tab");
  await tooltip.waitFor();
  // Neither the pointer elsewhere nor a modifier takes it from the focus.
  await page.mouse.move(5, 5);
  await page.keyboard.press("Shift");
  await page.waitForTimeout(300);
  await tooltip.waitFor();
  // It goes with its element.
  await page.evaluate(() => document.activeElement?.closest("li")?.remove());
  await tooltip.waitFor({ state: "detached" });

  await page.keyboard.press("?");
  const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await dialog.getByRole("button", { name: "Close" }).hover();
  await tooltip.click();
  expect(await dialog.isVisible()).toBe(true);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
});

it("opens and closes menus by mouse and by key, and gives the focus back", async () => {
  const { page, context } = await openSignedIn();
  const slug = uniqueName();
  await createLink(context, { slug });
  await page.goto("/app/links");
  const button = row(page, slug).getByRole("button", { name: /^More for/ });
  const menu = page.getByRole("menu", { name: /^More for/ });
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? "");

  await button.click();
  await menu.waitFor();
  expect(await button.getAttribute("aria-expanded")).toBe("true");
  await button.click();
  await menu.waitFor({ state: "detached" });
  await button.click();
  await page.getByRole("heading", { name: "Links", exact: true }).click();
  await menu.waitFor({ state: "detached" });

  const isFocused = () => button.evaluate((each) => each === document.activeElement);
  const openByKey = async (key: string) => {
    await page.keyboard.press(key);
    await expect.poll(focused).toContain("Copy");
  };
  const goToQrCode = async () => {
    await page.keyboard.press("ArrowDown");
    await expect.poll(focused).toContain("QR");
  };
  await button.focus();
  for (const key of ["Enter", "Space", "ArrowDown"]) {
    await openByKey(key);
    await goToQrCode();
    await page.keyboard.press("Escape");
    await menu.waitFor({ state: "detached" });
    await expect.poll(isFocused).toBe(true);
  }
  // A dialog that an item opens gives the focus back to the button.
  await openByKey("Enter");
  await goToQrCode();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await expect.poll(isFocused).toBe(true);
  await openByKey("Enter");
  await page.keyboard.press("End");
  await expect.poll(focused).toContain("Delete");
  await page.keyboard.press("Enter");
  await page.getByText("Deleted 1 link", { exact: true }).waitFor();

  // A toast is beside the buttons of a dialog, and its own button works.
  await page.keyboard.press("c");
  await dialog.getByRole("button", { name: "Create link" }).click({ trial: true });
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  // The first Escape goes to a toast that has the focus.
  await page.getByRole("button", { name: "Undo", exact: true }).waitFor({ state: "detached" });
  await dialog.getByRole("textbox", { name: "Destination" }).focus();
  await page.keyboard.press("Escape");
  await row(page, slug).waitFor();
});
