import type { Page } from "playwright-core";

/** Presses Tab until the element has the focus. */
export async function tabTo(
  page: Page,
  role: "button" | "link" | "checkbox" | "radio" | "textbox",
  name: string,
): Promise<void> {
  const target = page.getByRole(role, { name, exact: true });
  await target.waitFor();
  for (let presses = 0; presses < 60; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not reach the ${role} ${name}.`);
}
