import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Presses Tab until the element has the focus. */
export async function tabTo(
  page: Page,
  role: "button" | "link" | "checkbox" | "radio" | "textbox" | "combobox",
  name: string | RegExp,
): Promise<void> {
  const target = page.getByRole(role, { name, exact: true });
  await target.waitFor();
  for (let presses = 0; presses < 60; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not reach the ${role} ${String(name)}.`);
}

/** Presses the down arrow until the open menu's item has the focus, then Enter. The menu moves its focus after each key. */
export async function chooseByKeys(page: Page, name: string): Promise<void> {
  const focused = page.locator('[role^="menuitem"]:focus');
  await focused.waitFor();
  for (let presses = 0; presses < 20; presses++) {
    const text = await focused.innerText();
    if (text.includes(name)) return page.keyboard.press("Enter");
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => focused.innerText()).not.toBe(text);
  }
  throw new Error(`The menu has no item ${name}.`);
}
