import { expect, it } from "vitest";
import { expectNoBarriers, createLink, undo } from "../support/dashboard.ts";
import { chooseByKeys } from "../support/keyboard.ts";
import { createLinks, row, shownSlugs, uniqueName } from "../support/link-list.ts";
import { openSignedIn } from "../support/visits.ts";

/** The list of an account with five links, whose slugs are the name with a letter. The fourth one is archived. */
async function openFiveLinks() {
  const { page, context } = await openSignedIn();
  const name = uniqueName();
  await createLinks(context, [
    { slug: `${name}a`, title: "Winter catalogue", tags: ["print"], password: "open sesame now" },
    { slug: `${name}b`, title: "Newsletter", tags: ["mail", "print"], disabled: true },
    { slug: `${name}c`, tags: ["mail"], expiresAt: 1_600_000_000_000 },
    { slug: `${name}d`, archived: true },
    { slug: `${name}e`, geo: { DE: "https://example.de/" }, externalId: name },
  ]);
  const calls: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/api/")) calls.push(request.url());
  });
  await page.goto("/app/links");
  await row(page, `${name}a`).waitFor();
  return { page, context, name, calls, search: page.getByRole("textbox", { name: "Search links" }) };
}

it("lists links with what is set of them, and copies their short URLs", async () => {
  const { page, name, calls } = await openFiveLinks();
  await page.getByRole("heading", { name: "Getting started" }).waitFor();
  expect(calls).toEqual([...new Set(calls)].slice(0, 4));
  await page.getByText("4 links", { exact: true }).waitFor();
  for (const badge of ["Password", "Disabled", "Expired", "Rules"])
    await page.getByText(badge, { exact: true }).waitFor();
  await expectNoBarriers(page);

  await row(page, `${name}a`).getByRole("button", { name: "Copy short link" }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain(`/${name}a`);
});

it("finds links by their words", async () => {
  const { page, search } = await openFiveLinks();
  await search.fill("ca");
  await page.getByText("Type at least 3 characters").waitFor();
  await search.fill("catal");
  await page.getByText("1 link", { exact: true }).waitFor();
  await page.waitForURL((url) => url.searchParams.get("search") === "catal");
  await search.fill("nothing like it");
  await page.getByRole("heading", { name: "No link matches" }).waitFor();
  await expectNoBarriers(page);
  await page.getByRole("button", { name: "Clear filters" }).last().click();
  await page.getByText("4 links", { exact: true }).waitFor();
  expect(await search.inputValue()).toBe("");
  // The words can be in any order.
  await search.fill("ogue wint");
  await page.getByText("1 link", { exact: true }).waitFor();
});

it("keeps the selection while Escape clears the search and then leaves it", async () => {
  const { page, name, search } = await openFiveLinks();
  await row(page, `${name}a`).getByRole("checkbox").click();
  await page.keyboard.press("/");
  // Too short for a search: another list would begin without a selection.
  await page.keyboard.type("wi");
  await page.getByText("Type at least 3 characters").waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => search.inputValue()).toBe("");
  expect(await search.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.press("Escape");
  expect(await search.evaluate((element) => element === document.activeElement)).toBe(false);
  await page.getByText("1 selected").waitFor();
  await page.keyboard.press("Escape");
  await page.getByText("1 selected").waitFor({ state: "detached" });
});

it("lets nobody select the rows of the former view while another one loads", async () => {
  const { page, name, search } = await openFiveLinks();
  const loaded = Promise.withResolvers<void>();
  await page.route("**/api/links?*", async (route) => {
    await loaded.promise;
    await route.continue();
  });
  await search.fill("newsl");
  await page.waitForURL((url) => url.searchParams.get("search") === "newsl");
  await row(page, `${name}a`).getByRole("checkbox").click();
  expect(await page.getByText("1 selected").count()).toBe(0);
  loaded.resolve();
  await page.getByText("1 link", { exact: true }).waitFor();
});

it("filters links by mouse, also after a reload", async () => {
  const { page, name } = await openFiveLinks();
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await page.getByRole("checkbox", { name: "mail" }).check();
  await page.getByRole("checkbox", { name: "print" }).check();
  await page.getByText("3 links", { exact: true }).waitFor();
  await page.getByText("All of them").click();
  await page.getByText("1 link", { exact: true }).waitFor();
  await page.getByLabel("Status").selectOption("Disabled");
  await page.getByLabel(new URL(page.url()).host, { exact: true }).check();
  await page.getByLabel("From").fill("2026-01-01");
  await page.getByText("Show", { exact: true }).click();
  await expectNoBarriers(page);
  await page.keyboard.press("Escape");
  await page.waitForURL(({ searchParams }) => searchParams.get("archived") === "include");
  await page.reload();
  await row(page, `${name}b`).waitFor();
  for (const chip of ["Tag: mail", "Status: Disabled", "Created from 1 Jan 2026", "With archived links"])
    await page.getByText(chip, { exact: true }).waitFor();
  await page.getByRole("button", { name: "Remove filter Status: Disabled" }).click();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.getByText("4 links", { exact: true }).waitFor();
});

it("comes back to a list with its order and its filters, and on a new visit with its order", async () => {
  const { page, context, name, search } = await openFiveLinks();
  await page.getByRole("button", { name: /^Sort/ }).click();
  await page.getByRole("menuitemcheckbox", { name: "Oldest first" }).click();
  await expect.poll(async () => (await shownSlugs(page))[0]).toBe(`${name}a`);

  await search.fill(name);
  await page.waitForURL(({ searchParams }) => searchParams.get("search") === name);
  const hasView = ({ pathname, searchParams }: URL) =>
    pathname === "/app/links" && searchParams.get("search") === name && searchParams.get("order") === "asc";
  await row(page, `${name}b`).getByRole("link").first().click();
  await page.waitForURL(/links\/[\w-]+$/);
  await page.getByRole("main").getByRole("link", { name: "Links", exact: true }).click();
  await page.waitForURL(hasView);
  await page.getByRole("link", { name: "Analytics" }).first().click();
  await page.getByRole("heading", { name: "Analytics", level: 1 }).waitFor();
  await page.keyboard.press("c");
  await page.waitForURL(({ searchParams }) => searchParams.has("create") && searchParams.get("search") === name);
  await page.goBack();
  await page.getByRole("heading", { name: "Analytics", level: 1 }).waitFor();
  await page.getByRole("link", { name: "Links", exact: true }).first().click();
  await page.waitForURL(hasView);
  const visit = await context.newPage();
  await visit.goto("/app");
  await visit.waitForURL((url) => url.search === "?order=asc");
  await visit.goto("/app/links?archived=include");
  await row(visit, `${name}d`).waitFor();
  expect((await shownSlugs(visit))[0]).toBe(`${name}e`);
});

it("keeps what is chosen to be shown", async () => {
  const { page, name } = await openFiveLinks();
  await page.getByRole("button", { name: "Display" }).click();
  await page.getByText("Compact").click();
  await page.getByRole("checkbox", { name: "Last click" }).check();
  await expectNoBarriers(page);
  await page.reload();
  await row(page, `${name}a`).getByText("never").waitFor();
});

it("is used by the keyboard alone", async () => {
  const { page, context } = await openSignedIn();
  const name = uniqueName();
  await createLinks(
    context,
    ["a", "b", "c"].map((letter) => ({ slug: name + letter, title: `Title ${letter}` })),
  );
  await page.goto("/app/links");
  await row(page, `${name}c`).waitFor();
  const focused = () => page.evaluate(() => document.activeElement?.closest("li")?.textContent ?? "");
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const leaveRows = () => page.locator("body").click({ position: { x: 700, y: 890 } });
  await press("j");
  await expect.poll(focused).toContain(`${name}c`);
  // The key that has nowhere to go gives the row its focus back.
  await leaveRows();
  expect(await focused()).toBe("");
  await press("k");
  await expect.poll(focused).toContain(`${name}c`);
  // The Tab key goes through the controls of one row only: its link, the button that copies and the menu.
  const reachable = page.getByRole("list", { name: "Links" }).locator(":is(a, button):not([tabindex='-1'])");
  expect(await reachable.count()).toBe(3);
  await press("ArrowDown", "j", "k");
  await expect.poll(focused).toContain(`${name}b`);
  expect(await reachable.count()).toBe(3);
  await press(" ", "Shift+ArrowDown");
  await page.getByText("2 selected").waitFor();
  await press("Escape");
  await page.getByText("2 selected").waitFor({ state: "detached" });

  // The keys of a selected row change the selection, those of another row only that one.
  await press(" ", "ArrowUp", " ", "a");
  await page.getByText("Archived 2 links", { exact: true }).waitFor();
  await undo(page);
  await page.getByText("3 links", { exact: true }).waitFor();
  await press("j", " ", "ArrowDown", " ", "x");
  await page.getByRole("dialog").getByRole("button", { name: "Delete 2 links" }).click();
  await page.getByText("Deleted 2 links", { exact: true }).waitFor();
  await undo(page);
  await page.getByText("3 links", { exact: true }).waitFor();
  await row(page, `${name}b`).getByRole("checkbox").click();
  await row(page, `${name}c`).getByRole("link").first().focus();
  await press("x");
  await page.getByRole("dialog").getByRole("button", { name: "Delete 1 link" }).click();
  await page.getByText("Deleted 1 link", { exact: true }).waitFor();
  await undo(page);
  await page.getByText("3 links", { exact: true }).waitFor();
  await page.getByText("1 selected").waitFor();
  await press("Escape");
  await page.mouse.move(0, 0);
  await press("j", "a");
  await page.getByText("Archived 1 link", { exact: true }).waitFor();
  await undo(page);
  await page.getByText("3 links", { exact: true }).waitFor();

  await press("j", "q");
  await page.getByRole("dialog").waitFor();
  // In a dialog the keys of the rows have no effect.
  await press("x", "Escape");
  await page.getByText("3 links", { exact: true }).waitFor();
  await press("e");
  await page.waitForURL(({ searchParams }) => searchParams.has("edit"));
  await page.goBack();
  await press("/");
  await page.keyboard.type(`${name}b`);
  await page.getByText("1 link", { exact: true }).waitFor();
  await press("Control+a", "Escape");
  await page.getByText("3 links", { exact: true }).waitFor();
  await press("Tab", "Enter", "Tab");
  await page.getByRole("dialog", { name: "Filter" }).waitFor();
  await press("Escape");
  await page.getByRole("dialog", { name: "Filter" }).waitFor({ state: "detached" });
  await page.locator("button:focus", { hasText: "Filter" }).waitFor();
  // The menu of saved views comes between.
  await press("Tab", "Tab", "Enter");
  await chooseByKeys(page, "Oldest first");
  await page.waitForURL(({ searchParams }) => searchParams.get("order") === "asc");
  await leaveRows();
  await press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).getByText("Duplicate").waitFor();
  await press("Escape", "j", "Enter");
  await page.waitForURL(/\/app\/links\/[\w-]+$/);
});

it("helps with the first steps", async () => {
  const { page, context } = await openSignedIn();
  await page.goto("/app/links");
  await page.getByRole("heading", { name: "Shorten your first link" }).waitFor();
  await page.getByText("0 of 4 done").waitFor();
  await expectNoBarriers(page);

  await page.evaluate(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", "https://example.com/pasted");
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
  });
  await page.waitForURL(({ searchParams }) => searchParams.get("url") === "https://example.com/pasted");
  await page.getByRole("dialog").waitFor();

  const slug = uniqueName();
  const { shortUrl } = await createLink(context, { slug });
  await fetch(shortUrl, {
    redirect: "manual",
    headers: { "User-Agent": await page.evaluate(() => navigator.userAgent) },
  });
  await expect
    .poll(
      async () => {
        await page.goto("/app/links");
        await row(page, slug).waitFor();
        return page.getByText("2 of 4 done").count();
      },
      { timeout: 20_000 },
    )
    .toBe(1);
  await expectNoBarriers(page);
  await page.getByRole("button", { name: "Hide this list" }).click();
  await page.reload();
  await row(page, slug).waitFor();
  expect(await page.getByRole("heading", { name: "Getting started" }).count()).toBe(0);
});
