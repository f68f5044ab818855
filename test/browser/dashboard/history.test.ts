import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { createLink } from "../support/dashboard.ts";
import { row } from "../support/link-list.ts";
import { newSlug, URL_FIELD } from "../support/links.ts";
import { openSignedIn } from "../support/visits.ts";

// The browser's history, after the editor of links has been closed.

async function closeEditor(page: Page): Promise<void> {
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

it("goes back to the page before, not to an editor that was closed", async () => {
  const { page, context } = await openSignedIn();
  const { slug } = await createLink(context, { slug: newSlug("Back") });
  await page.goto("/app/analytics");
  await page.getByRole("heading", { name: "Analytics", level: 1 }).waitFor();
  await page.getByRole("link", { name: "Links", exact: true }).first().click();
  await row(page, slug).waitFor();
  const search = page.getByRole("textbox", { name: "Search links" });
  await search.fill(slug);
  await page.waitForURL(({ searchParams }) => searchParams.get("search") === slug);
  await search.press("Tab");
  // Created, edited, duplicated, by keys and by the palette.
  for (const keys of ["c", "je", "jd"]) {
    await page.keyboard.type(keys);
    await closeEditor(page);
  }
  await page.keyboard.press("Control+k");
  await page.getByRole("option", { name: "Create link" }).click();
  await page.getByRole("textbox", URL_FIELD).waitFor();
  await closeEditor(page);
  expect(new URL(page.url()).search).toBe(`?search=${slug}`);
  await page.goBack();
  await page.getByRole("heading", { name: "Analytics", level: 1 }).waitFor();

  // From another page, the list stays.
  await page.keyboard.press("c");
  await closeEditor(page);
  await page.getByRole("heading", { name: "Links", level: 1 }).waitFor();
  await page.goBack();
  await page.getByRole("heading", { name: "Analytics", level: 1 }).waitFor();

  // An address that opens the editor.
  await page.goto("/app/links?create=true");
  await closeEditor(page);
  await page.goBack();
  await page.getByRole("heading", { name: "Analytics", level: 1 }).waitFor();
});

it("saves a link and leaves no entry of its editor", async () => {
  const { page } = await openSignedIn();
  await page.goto("/app/analytics");
  await page.getByRole("link", { name: "Links", exact: true }).first().click();
  await page.getByRole("heading", { name: "Links", level: 1 }).waitFor();
  await page.keyboard.press("c");
  await page.getByRole("textbox", URL_FIELD).fill("https://example.com/back");
  await page.keyboard.press("Enter");
  await page
    .getByText(/ is ready$/)
    .first()
    .waitFor();
  await page.waitForURL(({ searchParams }) => !searchParams.has("create"));
  await page.goBack();
  await page.getByRole("heading", { name: "Analytics", level: 1 }).waitFor();
});

it("takes the offer to delete a draft away when its editor opens again", async () => {
  const { page } = await openSignedIn();
  await page.goto("/app/links");
  await page.getByRole("heading", { name: "Links", level: 1 }).waitFor();
  await page.keyboard.press("c");
  await page.getByRole("textbox", URL_FIELD).fill("https://example.com/draft");
  await closeEditor(page);
  const offer = page.getByRole("button", { name: "Delete draft" });
  await offer.waitFor();
  await page.keyboard.press("c");
  await page.getByText("This is your draft from before.").waitFor();
  await offer.waitFor({ state: "detached" });
  await closeEditor(page);
  await offer.click();
  await page.keyboard.press("c");
  await expect.poll(() => page.getByRole("textbox", URL_FIELD).inputValue()).toBe("");
});
