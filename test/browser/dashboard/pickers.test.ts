import type { BrowserContext, Page } from "playwright-core";
import { expect, it } from "vitest";
import { createLink, expectNoBarriers } from "../support/dashboard.ts";
import { createLinks, row, uniqueName } from "../support/link-list.ts";
import { newSlug, readLink, textbox, URL_FIELD } from "../support/links.ts";
import { openSignedIn } from "../support/visits.ts";

// Fields in which people type to choose. Enter comes before the answer to what was typed.

const LATENCY_MS = 180;

/** Delays all calls of the API from now on. Those of a closed page are dropped. */
async function delay(page: Page): Promise<void> {
  await page.route("**/api/**", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, LATENCY_MS));
    if (!page.isClosed()) await route.continue();
  });
}

/** Three links. "alpha" is the first of all tags, and "priority" begins with "prio". */
async function openList() {
  const visit = await openSignedIn();
  const name = uniqueName();
  const links = ["alpha", "beta", "priority"].map((tag) => ({ slug: `${name}-${tag}`, tags: [tag] }));
  await createLinks(visit.context, links);
  await visit.page.goto("/app/links", { waitUntil: "networkidle" });
  await row(visit.page, `${name}-beta`).waitFor();
  await delay(visit.page);
  return { ...visit, name };
}

async function allTags(context: BrowserContext): Promise<string[]> {
  const response = await context.request.get("/api/tags");
  return ((await response.json()) as { tags: { name: string }[] }).tags.map(({ name }) => name);
}

it("filters by the tag that was typed", async () => {
  const { page } = await openList();
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  const field = textbox(page, "Find a tag");
  await field.focus();
  await page.keyboard.type("prio");
  await page.keyboard.press("Enter");
  await page.waitForURL(({ searchParams }) => searchParams.get("tags")?.includes("priority") === true);
  await expect.poll(() => field.inputValue()).toBe("");
  await page.keyboard.type("nothing");
  await page.keyboard.press("Enter");
  await page.getByText("No tag begins with that.").waitFor();
  expect(new URL(page.url()).searchParams.get("tags")).toBe('["priority"]');
  await expectNoBarriers(page);
});

it("tags selected links with the tag that was typed, and creates one only by its item", async () => {
  const { page, context, name } = await openList();
  await row(page, `${name}-beta`).getByRole("checkbox").click();
  await page.getByRole("button", { name: "Tag", exact: true }).click();
  const dialog = page.getByRole("dialog");
  const field = textbox(page, "Find a tag");
  await expect.poll(() => field.evaluate((each) => each === document.activeElement)).toBe(true);
  await page.keyboard.type("prio");
  await page.keyboard.press("Enter");
  await dialog.getByRole("checkbox", { name: "priority", checked: true }).waitFor();
  await expect.poll(() => field.inputValue()).toBe("");
  await page.keyboard.type("alp");
  await dialog.getByRole("checkbox", { name: "Create tag “alp”" }).check();
  await field.fill("brandnew");
  await page.keyboard.press("Enter");
  await expect.poll(() => field.inputValue()).toBe("");
  await expectNoBarriers(page);
  // In the empty field, Enter is for the dialog.
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
  await expect
    .poll(() => allTags(context))
    .toEqual(expect.arrayContaining(["alp", "alpha", "beta", "brandnew", "priority"]));
  expect(await allTags(context)).not.toContain("prio");
});

it("gives a link the tag that was typed, and creates one only by its item", async () => {
  const { page, context } = await openList();
  const { id } = await createLink(context, { slug: newSlug("Tagged") });
  await page.goto(`/app/links?edit=${id}`);
  const dialog = page.getByRole("dialog");
  const field = dialog.getByRole("combobox", { name: "Tags" });
  const chosen = () => dialog.getByRole("button", { name: /^Remove / }).allInnerTexts();
  await field.focus();
  await page.keyboard.type("prio");
  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: "Remove priority" }).waitFor();

  // What is typed while Enter waits is the next one.
  await page.keyboard.type("alpha");
  await page.keyboard.press("Enter");
  await page.keyboard.type("bet");
  await dialog.getByRole("button", { name: "Remove alpha" }).waitFor();
  await expect.poll(() => field.inputValue()).toBe("bet");

  // What is only a part of a tag is neither saved nor lost.
  await page.keyboard.press("Control+s");
  await dialog.getByText("There is no tag “bet”.").waitFor();
  expect(await field.inputValue()).toBe("bet");
  expect(await field.evaluate((each) => each === document.activeElement)).toBe(true);
  await expectNoBarriers(page);
  await dialog.getByRole("option", { name: "Create tag “bet”" }).click();
  await dialog.getByRole("button", { name: "Remove bet", exact: true }).waitFor();

  // By the arrows. The field waits for the list.
  await page.keyboard.type("alp");
  await dialog.getByRole("option", { name: "Create tag “alp”" }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: "Remove alp", exact: true }).waitFor();

  // What fits no tag is new, and a save waits until that is known.
  await page.keyboard.type("brandnew");
  await page.keyboard.press("Control+s");
  await dialog.waitFor({ state: "detached" });
  expect(await chosen()).toEqual([]);
  await expect
    .poll(async () => (await readLink(context, id))["tags"])
    .toEqual(["priority", "alpha", "bet", "alp", "brandnew"]);
});

it("chooses tags of settings by the same rule", async () => {
  const { page, context } = await openList();
  await page.goto("/app/settings/general");
  const field = page.getByRole("combobox", { name: "Tags" });
  await field.focus();
  await page.keyboard.type("prio");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Remove priority" }).waitFor();
  await field.fill("alpha");
  await field.press("Tab");
  await page.getByRole("button", { name: "Remove alpha" }).waitFor();
  await expectNoBarriers(page);
  await page.locator("form", { has: field }).getByRole("button", { name: "Save" }).click();
  const defaults = async () => {
    const response = await context.request.get("/api/account");
    return ((await response.json()) as { account: { linkDefaults: object | null } }).account.linkDefaults;
  };
  await expect.poll(defaults).toEqual({ tags: ["priority", "alpha"] });
});

it("limits a webhook to the link that was typed", async () => {
  const { page, name } = await openList();
  await page.goto("/app/settings/webhooks");
  await page.getByRole("button", { name: "Create webhook" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Only some links").click();
  const field = dialog.getByLabel("These links");
  await field.fill(`${name}-al`);
  await dialog.getByRole("button", { name: new RegExp(`^Add .*${name}-alpha$`) }).waitFor();
  await field.fill(`${name}-be`);
  await field.press("Enter");
  await dialog.getByRole("button", { name: new RegExp(`^Remove .*${name}-beta$`) }).waitFor();
  await expect.poll(() => field.inputValue()).toBe("");
  // One letter finds nothing, and Enter does not send the form.
  await field.fill("b");
  await field.press("Enter");
  await expectNoBarriers(page);
  expect(await dialog.getByRole("alert").filter({ hasText: /./ }).count()).toBe(0);
});

it("adds the filter of clicks that was typed", async () => {
  const { page, name } = await openList();
  await page.goto("/app/analytics");
  const panel = page.getByRole("dialog", { name: "Add a filter" });
  const open = async (by: string) => {
    await page.getByRole("button", { name: "Filter", exact: true }).click();
    await panel.getByLabel("Filter by").selectOption(by);
    await panel.getByRole("combobox", { name: "Value" }).focus();
  };
  const chips = () => page.getByRole("list", { name: "Filters" }).getByRole("listitem").allInnerTexts();
  await open("Tag");
  await page.keyboard.type("prio");
  await page.keyboard.press("Enter");
  await expect.poll(chips).toEqual(["Tag is priority"]);
  await open("Link");
  await page.keyboard.type(`${name}-be`);
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await chips()).at(-1)).toContain(`${name}-beta`);
  // Any value can be a filter of what visitors send.
  await open("UTM source");
  await page.keyboard.type("mail");
  await panel.getByRole("option", { name: "Filter by “mail”" }).waitFor();
  await expectNoBarriers(page);
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await chips()).some((text) => text.endsWith("is mail"))).toBe(true);
});

it("opens the link of the palette that was typed", async () => {
  const { page, name } = await openList();
  await page.keyboard.press("Control+k");
  const field = page.getByRole("dialog").getByRole("combobox");
  await field.fill(`${name}-al`);
  await page.getByRole("option", { name: `${name}-alpha` }).waitFor();
  await field.fill(`${name}-be`);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: new RegExp(`${name}-beta`) }).waitFor();
  expect(await page.getByRole("textbox", URL_FIELD).count()).toBe(0);
});
