import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { createLink } from "../support/dashboard.ts";
import { createLinks, row, uniqueName } from "../support/link-list.ts";
import { newSlug, textbox } from "../support/links.ts";
import { openSignedIn } from "../support/visits.ts";

// Input methods of Chinese, Japanese and Korean. The Enter that ends a composition belongs to them.

/** What is typed on the way to 春節. */
const COMPOSITIONS = ["しゅんせつ", "chun'jie", "春", "しゅん"];
const TAG = "春節";

interface Opened {
  page: Page;
  name: string;
}

/** Two links, one of which has the tag. */
async function openList(path = "/app/links"): Promise<Opened & { id: string }> {
  const { page, context } = await openSignedIn();
  const name = uniqueName();
  await createLinks(context, [{ slug: `${name}-one`, tags: [TAG] }, { slug: `${name}-two` }]);
  const { id } = await createLink(context, { slug: newSlug("Composed") });
  await page.goto(path.replace(":id", id), { waitUntil: "networkidle" });
  return { page, name, id };
}

/** Composes the text, and presses the Enter of the input method: as Chromium sends it, and as Safari does, after the composition. */
async function compose(page: Page, text: string): Promise<void> {
  const devTools = await page.context().newCDPSession(page);
  const enter = async () => {
    const key = { key: "Enter", code: "Enter", windowsVirtualKeyCode: 229 };
    await devTools.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...key });
    await devTools.send("Input.dispatchKeyEvent", { type: "keyUp", ...key });
  };
  await devTools.send("Input.imeSetComposition", { text, selectionStart: text.length, selectionEnd: text.length });
  await enter();
  await devTools.send("Input.insertText", { text });
  await enter();
  await devTools.detach();
}

/** What would have been chosen by a wrong Enter is chosen beside the right value, or not any more. */
async function composeAll(page: Page, field: Locator, compositions: readonly string[]): Promise<void> {
  await field.focus();
  for (const text of compositions) {
    await compose(page, text);
    expect(await field.inputValue()).toBe(text);
    await field.fill("");
  }
}

const removable = (page: Page) => page.getByRole("button", { name: /^Remove / });
const checked = (page: Page) => page.getByRole("dialog").getByRole("checkbox", { checked: true });

async function takeTag(page: Page, field: Locator, chosen: Locator): Promise<void> {
  await composeAll(page, field, COMPOSITIONS);
  await field.fill(TAG);
  await page.keyboard.press("Enter");
  await expect.poll(() => field.inputValue()).toBe("");
  await expect.poll(() => chosen.count()).toBe(1);
}

it("chooses and creates no tag in the picker of several links", async () => {
  const { page, name } = await openList();
  await row(page, `${name}-two`).getByRole("checkbox").click();
  await page.getByRole("button", { name: "Tag", exact: true }).click();
  await takeTag(page, textbox(page, "Find a tag"), checked(page));
});

it("chooses no tag in the filter of the list", async () => {
  const { page } = await openList();
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  const field = textbox(page, "Find a tag");
  await composeAll(page, field, COMPOSITIONS);
  await field.fill(TAG);
  await page.keyboard.press("Enter");
  await page.waitForURL(({ searchParams }) => searchParams.get("tags") === JSON.stringify([TAG]));
});

it("makes no token in the tags of a link", async () => {
  const { page } = await openList("/app/links?edit=:id");
  const dialog = page.getByRole("dialog");
  await takeTag(page, dialog.getByRole("combobox", { name: "Tags" }), removable(page));
  await dialog.getByRole("button", { name: `Remove ${TAG}` }).waitFor();
});

it("adds no filter of clicks in a field with suggestions", async () => {
  const { page } = await openList("/app/analytics");
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  const panel = page.getByRole("dialog", { name: "Add a filter" });
  // Any value can be a filter of what visitors send.
  await panel.getByLabel("Filter by").selectOption("UTM source");
  const field = panel.getByRole("combobox", { name: "Value" });
  await composeAll(page, field, COMPOSITIONS);
  await field.fill(TAG);
  await page.keyboard.press("Enter");
  const chips = page.getByRole("list", { name: "Filters" }).getByRole("listitem");
  await expect.poll(() => chips.allInnerTexts()).toEqual([`UTM source is ${TAG}`]);
});

it("opens nothing from the palette", async () => {
  const { page, name } = await openList();
  await page.keyboard.press("Control+k");
  const field = page.getByRole("dialog").getByRole("combobox");
  await composeAll(page, field, [...COMPOSITIONS, `${name}-one`, "exports"]);
  await field.fill(`${name}-two`);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: new RegExp(`${name}-two`) }).waitFor();
});

it("limits a webhook to no link", async () => {
  const { page, name } = await openList("/app/settings/webhooks");
  await page.getByRole("button", { name: "Create webhook" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Only some links").click();
  const field = dialog.getByLabel("These links");
  await composeAll(page, field, [`${name}-one`, ...COMPOSITIONS]);
  await field.fill(`${name}-two`);
  await field.press("Enter");
  await dialog.getByRole("button", { name: new RegExp(`^Remove .*${name}-two$`) }).waitFor();
  expect(await removable(page).count()).toBe(1);
});
