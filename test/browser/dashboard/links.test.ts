import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createLink, findBarriers, launchForDashboard, openVisit, post, signUp } from "../support/dashboard.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await launchForDashboard();
});
afterAll(() => browser?.close());

interface NewLink {
  slug: string;
  [field: string]: unknown;
}

let nextRun = 1;

/** Slugs are unique on the service, which other tests use too. */
const uniqueName = (): string => `l${process.pid}x${nextRun++}`;

/** Creates up to 100 links in one request. */
async function createLinks(context: BrowserContext, links: readonly NewLink[]): Promise<void> {
  const body = { links: links.map((link) => ({ url: "https://example.com/spring?ref=poster", ...link })) };
  const { results } = (await post(context, "/api/links/bulk", body, 200)) as { results: object[] };
  expect(results.filter((result) => !("link" in result))).toEqual([]);
}

function row(page: Page, slug: string) {
  return page.getByRole("listitem").filter({ has: page.getByRole("link", { name: slug }) });
}

/** The slugs that the list shows, from above. */
async function shownSlugs(page: Page): Promise<string[]> {
  const names = await page.getByRole("list", { name: "Links" }).getByRole("link").allTextContents();
  return names
    .filter((name) => name.startsWith("localhost") || name.includes(":"))
    .map((name) => name.split("/").at(-1) ?? "");
}

/** Looks for barriers in light and dark colours. */
async function expectNoBarriers(page: Page): Promise<void> {
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await findBarriers(page)).toEqual([]);
  }
}

async function expectUndone(page: Page): Promise<void> {
  await page
    .getByText(/^Undone:/)
    .first()
    .waitFor();
}

it("lists links, finds and filters them by mouse", async () => {
  const { page, context, problems } = await openVisit(browser);
  await signUp(context);
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
  await page.getByRole("heading", { name: "Getting started" }).waitFor();
  expect(calls).toEqual([...new Set(calls)].slice(0, 3));
  await page.getByText("4 links", { exact: true }).waitFor();
  for (const badge of ["Password", "Disabled", "Expired", "Rules"])
    await page.getByText(badge, { exact: true }).waitFor();
  await expectNoBarriers(page);

  await row(page, `${name}a`).getByRole("button", { name: "Copy short link" }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`/${name}a`);

  // Search
  const search = page.getByRole("textbox", { name: "Search links" });
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

  // Filters
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await page.getByRole("checkbox", { name: "mail" }).check();
  await page.getByRole("checkbox", { name: "print" }).check();
  await page.getByText("3 links", { exact: true }).waitFor();
  await page.getByText("All of them").click();
  await page.getByText("1 link", { exact: true }).waitFor();
  await page.getByLabel("Status").selectOption("Disabled");
  await page.getByLabel("Domain").selectOption(new URL(page.url()).host);
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

  // Order and display
  await page.getByRole("button", { name: /^Sort/ }).click();
  await page.getByRole("menuitemcheckbox", { name: "Oldest first" }).click();
  await expect.poll(async () => (await shownSlugs(page))[0]).toBe(`${name}a`);
  await page.getByRole("button", { name: "Display" }).click();
  await page.getByText("Compact").click();
  await page.getByRole("checkbox", { name: "Last click" }).check();
  await expectNoBarriers(page);
  await page.reload();
  await row(page, `${name}a`).getByText("never").waitFor();
  expect(problems).toEqual([]);
});

it("changes a link by its menu, and undoes each change", async () => {
  const { page, context, problems } = await openVisit(browser);
  await signUp(context);
  const slug = uniqueName();
  const { id } = await createLink(context, { slug });
  await page.goto("/app/links");
  const link = row(page, slug);
  const choose = async (item: string) => {
    await link.getByRole("button", { name: /^More for/ }).click();
    await page.getByRole("menuitem", { name: item }).click();
  };
  await link.getByRole("button", { name: /^More for/ }).click();
  await expectNoBarriers(page);
  await page.keyboard.press("Escape");

  await choose("Disable");
  await link.getByText("Disabled").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await expectUndone(page);
  await link.getByText("Disabled").waitFor({ state: "detached" });

  await choose("Delete");
  await page.getByRole("heading", { name: "Shorten your first link" }).waitFor();
  await page.getByText("Deleted 1 link").waitFor();
  expect((await context.request.get(`/api/links/${id}`)).status()).toBe(404);
  await page.keyboard.press("Control+z");
  await link.waitFor();
  await expect.poll(async () => (await context.request.get(`/api/links/${id}`)).status()).toBe(200);

  await choose("Archive");
  await page.getByText("Archived 1 link").waitFor();
  await page.keyboard.press("Control+z");
  await link.waitFor();

  await choose("Edit");
  await page.waitForURL(({ searchParams }) => searchParams.get("edit") === id);
  await page.getByRole("dialog").waitFor();
  await page.goto("/app/links");
  await choose("Duplicate");
  await page.waitForURL(({ searchParams }) => searchParams.get("duplicate") === id);
  await page.goto("/app/links");
  await choose("QR code");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await choose("Details and analytics");
  await page.waitForURL(`**/app/links/${id}`);
  expect(problems).toEqual([]);
});

it("brings a link back as it was if the change is refused", async () => {
  const { page, context, problems } = await openVisit(browser);
  await signUp(context);
  const slug = uniqueName();
  await createLink(context);
  const { id } = await createLink(context, { slug });
  await page.goto("/app/links");
  await row(page, slug).waitFor();
  await context.request.delete(`/api/links/${id}`, { headers: { Origin: new URL(page.url()).origin } });
  await row(page, slug).hover();
  await page.keyboard.press("a");
  await page.getByText("1 link was not changed").waitFor();
  await row(page, slug).waitFor();
  await context.setOffline(true);
  await row(page, slug).hover();
  await page.keyboard.press("x");
  await page.getByText(/could not be reached/).waitFor();
  await row(page, slug).waitFor();
  expect(problems).toEqual([]);
});

it("changes a selection at once, and undoes it", async () => {
  const { page, context, problems } = await openVisit(browser, { width: 390 });
  await signUp(context);
  const name = uniqueName();
  await createLinks(
    context,
    ["a", "b", "c", "d", "e"].map((letter) => ({ slug: name + letter, tags: letter === "a" ? ["old"] : [] })),
  );
  await page.goto("/app/links");
  const box = (letter: string) => row(page, name + letter).getByRole("checkbox");
  const bar = page.getByRole("region", { name: "Selected links" });
  const selectThree = async () => {
    await box("c").click();
    await box("a").click({ modifiers: ["Shift"] });
    await bar.getByText("3 selected").waitFor();
  };
  const undo = async () => {
    await page.getByRole("button", { name: "Undo" }).last().click();
    await expectUndone(page);
    await page.getByRole("button", { name: "Close" }).last().click();
  };
  await selectThree();
  await expectNoBarriers(page);
  await page.keyboard.press("Escape");
  await bar.waitFor({ state: "detached" });

  await selectThree();
  await bar.getByRole("button", { name: "Tag", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").fill("summer");
  await dialog.getByRole("checkbox", { name: "Add “summer”" }).check();
  await expectNoBarriers(page);
  await dialog.getByRole("button", { name: "Add tags" }).click();
  await expect.poll(() => page.getByText("summer", { exact: true }).count()).toBe(3);
  await row(page, `${name}a`).getByText("old").waitFor();
  await undo();
  expect(await page.getByText("summer", { exact: true }).count()).toBe(0);
  await row(page, `${name}a`).getByText("old").waitFor();

  await selectThree();
  await bar.getByRole("button", { name: "Expire" }).click();
  await expectNoBarriers(page);
  await dialog.getByText("Now").click();
  await dialog.getByRole("button", { name: "Set" }).click();
  await expect.poll(() => page.getByText("Expired", { exact: true }).count()).toBe(3);
  await undo();
  expect(await page.getByText("Expired", { exact: true }).count()).toBe(0);

  await selectThree();
  await bar.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Disable" }).click();
  await expect.poll(() => page.getByText("Disabled", { exact: true }).count()).toBe(3);
  await undo();

  await selectThree();
  await bar.getByRole("button", { name: "Move" }).click();
  await dialog.getByText("There is no other domain yet", { exact: false }).waitFor();
  await expectNoBarriers(page);
  await page.keyboard.press("Escape");
  await bar.getByRole("button", { name: "Archive" }).click();
  await page.getByText("2 links", { exact: true }).waitFor();
  await undo();
  await page.getByText("5 links", { exact: true }).waitFor();

  await selectThree();
  await bar.getByRole("button", { name: "Delete" }).click();
  await expectNoBarriers(page);
  await dialog.getByRole("button", { name: "Delete 3 links" }).click();
  await page.getByText("2 links", { exact: true }).waitFor();
  await undo();
  await page.getByText("5 links", { exact: true }).waitFor();
  expect((await shownSlugs(page)).slice(0, 5)).toEqual(["e", "d", "c", "b", "a"].map((letter) => name + letter));
  expect(problems).toEqual([]);
});

it("reads further pages while the person scrolls, and changes all matches in a bulk job with undo", async () => {
  const { page, context, problems } = await openVisit(browser);
  await signUp(context);
  const name = uniqueName();
  const slugs = Array.from({ length: 110 }, (_, index) => `${name}n${index}`);
  await createLinks(
    context,
    slugs.slice(0, 55).map((slug) => ({ slug })),
  );
  await createLinks(
    context,
    slugs.slice(55).map((slug) => ({ slug })),
  );
  await page.goto("/app/links");
  await row(page, `${name}n109`).waitFor();
  expect(await page.getByRole("listitem").count()).toBeLessThan(60);

  await page.keyboard.press("Control+a");
  await page.getByText("50 selected").waitFor();
  await page.getByRole("button", { name: "Select all 110 that match" }).click();
  await page.getByText("All 110 links that match").waitFor();
  await page.getByRole("button", { name: "Archive", exact: true }).click();
  const jobs = page.getByRole("region", { name: "Bulk changes" });
  await jobs.getByText("Archive 110 links").waitFor();
  await jobs.getByText("Done: 110 links changed").waitFor();
  await expectNoBarriers(page);
  await page.reload();
  await jobs.getByText("Done: 110 links changed").waitFor();
  await jobs.getByRole("button", { name: "Undo" }).click();
  await jobs.getByText("Undone: 110 links as before").waitFor();
  await row(page, `${name}n109`).waitFor();
  await jobs.getByRole("button", { name: "Hide" }).click();
  await jobs.getByText("Archive 110 links").waitFor({ state: "detached" });

  const last = row(page, `${name}n0`);
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, 3_000);
      return last.count();
    })
    .toBe(1);
  await last.getByRole("button", { name: /^More for/ }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByText("109 links", { exact: true }).waitFor();
  await page.keyboard.press("Control+z");
  await page.getByText("110 links", { exact: true }).waitFor();
  expect(problems).toEqual([]);
});

it("is used by the keyboard alone", async () => {
  const { page, context, problems } = await openVisit(browser);
  await signUp(context);
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
  await press("j");
  await expect.poll(focused).toContain(`${name}c`);
  await press("ArrowDown", "j", "k");
  await expect.poll(focused).toContain(`${name}b`);
  await press(" ", "Shift+ArrowDown");
  await page.getByText("2 selected").waitFor();
  await press("Escape");
  await page.getByText("2 selected").waitFor({ state: "detached" });

  await press("x");
  await page.getByText("Deleted 1 link").waitFor();
  await press("Control+z");
  await page.getByText("3 links", { exact: true }).waitFor();
  await press("j", "a");
  await page.getByText("Archived 1 link").waitFor();
  await press("Control+z");
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
  await press("Escape", "Tab", "Enter", "ArrowDown", "Enter");
  await page.waitForURL(({ searchParams }) => searchParams.get("order") === "asc");
  await page.locator("body").click({ position: { x: 700, y: 890 } });
  await press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).getByText("Duplicate").waitFor();
  await press("Escape", "j", "Enter");
  await page.waitForURL(/\/app\/links\/[\w-]+$/);
  expect(problems).toEqual([]);
});

it("helps with the first steps", async () => {
  const { page, context, problems } = await openVisit(browser);
  await signUp(context);
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
  expect(problems).toEqual([]);
});
