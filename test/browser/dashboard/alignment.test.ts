import type { Locator } from "playwright-core";
import { expect, it } from "vitest";
import { createLink, post } from "../support/dashboard.ts";
import { row, uniqueName } from "../support/link-list.ts";
import { openSignedIn, openVisit } from "../support/visits.ts";

// What stands side by side or below each other is on one line, CSS px.

const boxOf = async (element: Locator) => (await element.boundingBox()) ?? expect.fail("It is not shown.");

/** Expects that the middles of both are at the same height. What loads above them may still move both. */
async function expectOneLine(left: Locator, right: Locator): Promise<void> {
  const middleOf = async (element: Locator) => {
    const { y, height } = await boxOf(element);
    return y + height / 2;
  };
  await expect.poll(async () => Math.abs((await middleOf(left)) - (await middleOf(right)))).toBeLessThan(0.6);
}

it.each([390, 768])("begins the bar where the page begins (%i px)", async (width) => {
  const { page } = await openSignedIn({ width });
  await page.goto("/app/analytics");
  const heading = await boxOf(page.getByRole("heading", { name: "Analytics", level: 1 }));
  const brand = page.getByRole("link", { name: "Tern" }).locator("img");
  expect((await boxOf(brand)).x).toBe(heading.x);
  const search = page.getByRole("button", { name: "Search", exact: true });
  await expectOneLine(brand, search);
  const account = await boxOf(page.locator("header button span[aria-hidden]"));
  expect(account.x + account.width).toBe(width - heading.x);
});

it("has the buttons of a card on one line, and one line below the last card", async () => {
  const { page, context } = await openSignedIn({ width: 390, theme: "dark" });
  const [last, first] = [await createLink(context, { slug: uniqueName() }), await createLink(context)];
  await page.goto("/app/links");
  const card = row(page, first.slug);
  await expectOneLine(card.getByRole("button", { name: /^Copy/ }), card.getByRole("button", { name: /^More for/ }));
  const line = (element: Locator) => element.evaluate((item) => getComputedStyle(item).borderBottomWidth);
  expect([await line(card), await line(row(page, last.slug))]).toEqual(["1px", "0px"]);
  await expectOneLine(page.locator("search svg"), page.getByRole("textbox", { name: "Search links" }));
});

it("has a button near the field that it saves, and arrows of lists inside their fields", async () => {
  const { page } = await openSignedIn({ width: 390 });
  await page.goto("/app/settings/general");
  const section = page.locator("section", { has: page.getByRole("heading", { name: "Name", exact: true }) });
  const hint = await boxOf(section.getByText("People in the account see it in the menu."));
  const save = await boxOf(section.getByRole("button", { name: "Save" }));
  expect(save.y - hint.y - hint.height).toBeLessThan(20);
  const list = page.getByRole("combobox", { name: "Redirect status" });
  expect(await list.evaluate((element) => getComputedStyle(element).backgroundPositionX)).toMatch(/12px/);
});

it("leads back to a list in the same way everywhere", async () => {
  const { page, context } = await openSignedIn({ width: 390, theme: "dark" });
  const { id } = await createLink(context);
  const { domain } = (await post(context, "/api/domains/add", { domain: `${uniqueName()}.acme.com` })) as {
    domain: { id: string };
  };
  const look = async (path: string, name: string) => {
    await page.goto(path);
    const link = page.getByRole("main").getByRole("link", { name, exact: true });
    const { x, height } = await boxOf(link);
    return { x, height, color: await link.evaluate((element) => getComputedStyle(element).color) };
  };
  const ofLink = await look(`/app/links/${id}`, "Links");
  expect(await look(`/app/settings/domains/${domain.id}`, "Back to Domains")).toEqual(ofLink);
});

it("begins the API reference where its bar begins, and wraps texts without a last word alone", async () => {
  const { page } = await openVisit({ width: 768 });
  await page.goto("/docs/reference");
  const brand = page.getByRole("link", { name: "Tern" }).locator("img");
  expect((await boxOf(page.getByRole("heading", { level: 1 }))).x).toBe((await boxOf(brand)).x);
  await expectOneLine(brand, page.getByRole("link", { name: "Docs" }));
  const wrap = (element: Locator) => element.evaluate((text) => getComputedStyle(text).getPropertyValue("text-wrap"));
  expect(await wrap(page.getByRole("main").locator("p").first())).toBe("pretty");
  await page.goto("/");
  const bottom = await page.locator("#languages").evaluate((bar) => bar.getBoundingClientRect().bottom);
  expect(Math.round(bottom)).toBe(900);
  await page.goto("/no-such-link");
  expect([await wrap(page.locator("h1")), await wrap(page.locator("p").first())]).toEqual(["balance", "pretty"]);
});
