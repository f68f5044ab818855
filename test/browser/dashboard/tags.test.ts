import { expect, it } from "vitest";
import { createLink, expectNoBarriers, undo } from "../support/dashboard.ts";
import { openSignedIn } from "../support/visits.ts";

it.each([
  ["light", 1440],
  ["dark", 390],
] as const)("colours, renames, merges and deletes tags (%s, %i px)", async (theme, width) => {
  const { page, context } = await openSignedIn({ theme, width });
  await createLink(context, { tags: ["sale", "print"] });
  await createLink(context, { tags: ["Sale", "spring"] });
  const tagsOfLinks = async () => {
    const { links } = (await (await context.request.get("/api/links")).json()) as { links: { tags: string[] }[] };
    return links.map(({ tags }) => tags.join());
  };
  await page.goto("/app/settings/tags");
  const row = (name: string) => page.getByRole("listitem").filter({ has: page.getByText(name, { exact: true }) });
  await row("sale").getByText("2 links").waitFor();
  await expectNoBarriers(page);

  await page.getByRole("button", { name: "Colour of sale: None" }).click();
  await page.getByRole("menuitemcheckbox", { name: "Teal" }).click();
  await page.getByRole("button", { name: "Colour of sale: Teal" }).waitFor();
  await expectNoBarriers(page);
  await undo(page);
  await page.getByRole("button", { name: "Colour of sale: None" }).click();
  await page.getByRole("menuitemcheckbox", { name: "Red" }).click();

  const dialog = page.getByRole("dialog");
  await page.getByRole("button", { name: "Rename or merge: spring" }).click();
  await dialog.getByLabel("Name").fill("Summer");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByText("“spring” is now “Summer”").first().waitFor();
  await undo(page);
  await row("spring").waitFor();

  // The page says what a merge does before it begins.
  await page.getByRole("button", { name: "Rename or merge: print" }).click();
  await dialog.getByLabel("Name").fill("SALE");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText("“sale” (2 links) exists. “print” (1 link) becomes a part of it.").waitFor();
  await expectNoBarriers(page);
  expect(await tagsOfLinks()).toEqual(["Sale,spring", "sale,print"]);
  await dialog.getByRole("button", { name: "Merge tags" }).click();
  await page.getByText("“print” merged into “sale”: 1 link").first().waitFor();
  expect(await row("print").count()).toBe(0);
  expect(await tagsOfLinks()).toEqual(["Sale,spring", "sale"]);
});

it("removes a tag from all links, and finds tags and their colours in any case, as the service does", async () => {
  const { page, context } = await openSignedIn();
  await createLink(context, { tags: ["Straße", "old"] });
  await page.goto("/app/settings/tags");
  await page.getByRole("button", { name: "Colour of Straße: None" }).click();
  await page.getByRole("menuitemcheckbox", { name: "Red" }).click();
  const dialog = page.getByRole("dialog");
  await page.getByRole("button", { name: "Rename or merge: old" }).click();
  await dialog.getByLabel("Name").fill("STRASSE");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText("“Straße” (1 link) exists. “old” (1 link) becomes a part of it.").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Delete: old" }).click();
  await dialog.getByText("It is removed from 1 link.").waitFor();
  await expectNoBarriers(page);
  await dialog.getByRole("button", { name: "Delete tag" }).click();
  await page.getByText("“old” removed from 1 link").first().waitFor();
  await page.getByRole("link", { name: "1 link", exact: true }).click();
  await page.getByText("Tag: Straße").waitFor();
  const dots = page.locator(".bg-tag-red");
  await expect.poll(() => dots.count()).toBe(2);
  await page.goto("/app/links?tags=STRASSE");
  await page.getByText("Tag: STRASSE").waitFor();
  await expect.poll(() => dots.count()).toBe(2);
  await expectNoBarriers(page);
});

it.each([1280, 390])("shows all of a short tag beside long ones (%i px)", async (width) => {
  const { page, context } = await openSignedIn({ width });
  await createLink(context, {
    tags: ["ad", "everything-that-is-sold-in-autumn", "newsletters-of-the-shop-in-the-old-town"],
  });
  await page.goto("/app/links");
  const [short, long] = ["ad", "everything-that-is-sold-in-autumn"].map((tag) => page.getByText(tag, { exact: true }));
  const isCut = ({ scrollWidth, clientWidth }: Element) => scrollWidth > clientWidth;
  expect(await short?.evaluate(isCut)).toBe(false);
  expect(await long?.evaluate(isCut)).toBe(true);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
});
