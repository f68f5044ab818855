import { readFileSync } from "node:fs";
import type { BrowserContext, Page } from "playwright-core";
import { expect, it } from "vitest";
import { BERLIN, BOSTON, click, IPHONE, PARIS, waitForClicks } from "../support/clicks.ts";
import { createLink, expectNoBarriers } from "../support/dashboard.ts";
import { chooseByKeys } from "../support/keyboard.ts";
import { createLinks, uniqueName } from "../support/link-list.ts";
import { signInNewPerson } from "../support/persons.ts";
import { openSignedIn, openVisit } from "../support/visits.ts";

/** Four clicks of two links, and one of a crawler. */
async function fill(context: BrowserContext): Promise<{ spring: string; poster: string }> {
  await signInNewPerson(context);
  const spring = await createLink(context, {
    url: "https://example.com/?utm_source=newsletter&utm_campaign=spring",
    tags: ["sale"],
  });
  const poster = await createLink(context, { url: "https://example.com/poster" });
  await click(spring.slug, { place: BERLIN, referrer: "https://l.facebook.com/" });
  await click(spring.slug, { place: BERLIN, userAgent: IPHONE, qr: true });
  await click(spring.slug, { place: PARIS });
  await click(poster.slug, { place: BOSTON, userAgent: IPHONE });
  await click(poster.slug, { userAgent: "Googlebot/2.1 (+http://www.google.com/bot.html)" });
  await waitForClicks(context, 4);
  return { spring: spring.shortUrl.replace("http://", ""), poster: poster.slug };
}

const totalIs = (page: Page, total: number) =>
  page.getByRole("button", { name: new RegExp(`^Clicks ${total}\\b`) }).waitFor();
/** Waits until the timeline has, or with `:not` has not, this number of buckets. */
const bucketsAre = (page: Page, count: number, not: ":not" | ":is" = ":is") =>
  timelineOf(page)
    .and(page.locator(`${not}([aria-valuemax="${count - 1}"])`))
    .waitFor();
const timelineOf = (page: Page) => page.getByRole("slider", { name: "Timeline" });
const chips = (page: Page) => page.getByRole("list", { name: "Filters" }).getByRole("listitem");
const paramsOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);

it.each([
  ["light", 1440],
  ["dark", 390],
] as const)("filters by mouse, and keeps the view in the address (%s, %i px)", async (theme, width) => {
  const { page, context } = await openVisit({ theme, width });
  const { spring } = await fill(context);
  await page.goto("/app/analytics");
  await totalIs(page, 4);
  await page.getByRole("img", { name: "World map of the clicks" }).waitFor();
  await expectNoBarriers(page);

  await page.getByRole("button", { name: "Germany 2 50%" }).click();
  await totalIs(page, 2);
  await page.getByRole("button", { name: /^France/, pressed: false }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Phone 1 50%" }).click({ modifiers: ["Alt"] });
  await totalIs(page, 1);
  expect(await chips(page).allInnerTexts()).toEqual(["Country is Germany", "Device is not Phone"]);
  expect(paramsOf(page)).toEqual({ country: "DE", device: "!mobile" });
  await expectNoBarriers(page);

  await page.reload();
  await totalIs(page, 1);
  await page.getByRole("button", { name: "Device is not Phone", exact: true }).click();
  await page.getByRole("menuitem", { name: "Turn into “is”" }).click();
  await totalIs(page, 1);
  expect(paramsOf(page)).toEqual({ country: "DE", device: "mobile" });
  await page.goBack();
  await page.getByText("Device is not").waitFor();
  await page.getByRole("button", { name: "Clear all" }).click();
  await totalIs(page, 4);

  await page.getByRole("button", { name: `Filter by ${spring}` }).click();
  await page.getByRole("menuitem", { name: `Only ${spring}` }).click();
  await totalIs(page, 3);
  await page.getByRole("group", { name: "Campaigns" }).getByRole("button", { name: "Source" }).click();
  await page.getByRole("button", { name: "newsletter 3 100%" }).waitFor();
  await page.getByRole("group", { name: "Sources" }).getByRole("button", { name: "Hosts" }).click();
  await page.getByRole("button", { name: "l.facebook.com 1 33%" }).waitFor();

  await page.getByRole("button", { name: width < 768 ? "More actions" : "Export", exact: true }).click();
  const [records] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: /Single clicks/ }).click(),
  ]);
  expect(
    readFileSync(await records.path(), "utf8")
      .trim()
      .split("\r\n"),
  ).toHaveLength(4);
  const [countries] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Locations as CSV" }).click(),
  ]);
  expect(readFileSync(await countries.path(), "utf8")).toBe(
    "\u{FEFF}Value,Name,Clicks\r\nDE,Germany,2\r\nFR,France,1\r\n",
  );
});

it("is used by keyboard alone: filters, periods, parts of the timeline", async () => {
  const { page, context } = await openVisit({ theme: "dark", reducedMotion: true });
  await fill(context);
  await page.goto("/app/analytics");
  await totalIs(page, 4);

  await page.keyboard.press("f");
  const panel = page.getByRole("dialog", { name: "Add a filter" });
  await panel.getByLabel("Filter by").selectOption("domain");
  await panel.getByRole("combobox", { name: "Value" }).press("ArrowDown");
  const offered = panel.getByRole("option", { name: new URL(page.url()).host });
  await offered.waitFor();
  await panel.getByLabel("Filter by").selectOption("country");
  await panel.getByLabel("Filter by").focus();
  await page.keyboard.type("Tag");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await panel.getByText("Enter a value, or choose one from the list.").waitFor();
  await expectNoBarriers(page);
  await page.keyboard.type("sale");
  await page.keyboard.press("Enter");
  await totalIs(page, 3);
  expect(paramsOf(page)).toEqual({ tag: "sale" });

  await page.getByRole("button", { name: "Filter by Germany" }).focus();
  await page.keyboard.press("Enter");
  await chooseByKeys(page, "Without Germany");
  await totalIs(page, 1);
  await page.getByRole("button", { name: "Remove the filter Country is not Germany" }).focus();
  await page.keyboard.press("Enter");
  await totalIs(page, 3);

  await page.keyboard.press("t");
  await page.getByRole("button", { name: "Period: Today" }).waitFor();
  expect(paramsOf(page)).toEqual({ tag: "sale", interval: "today" });
  await page.keyboard.press("w");
  await page.getByRole("button", { name: "Period: Last 7 days" }).waitFor();

  const timeline = timelineOf(page);
  await bucketsAre(page, 7);
  await timeline.focus();
  await page.keyboard.press("End");
  expect(await timeline.getAttribute("aria-valuetext")).toMatch(/: 3 clicks, 0 in the period before$/);
  await page.keyboard.press("Shift+ArrowLeft");
  await page.getByRole("button", { name: /^Show only / }).waitFor();
  await expectNoBarriers(page);
  await page.keyboard.press("Enter");
  await bucketsAre(page, 7, ":not");
  await totalIs(page, 3);
  expect(paramsOf(page)).toEqual({
    tag: "sale",
    start: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    end: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
  });

  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).getByText("Last 12 months").waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("y");
  await page.getByText("No clicks match these filters in this period.").waitFor();
  await expectNoBarriers(page);
});

it("shows own periods, time zones and parts that the mouse selects", async () => {
  const { page, context } = await openSignedIn({ expectedProblems: /ERR_INTERNET_DISCONNECTED/ });
  await page.goto("/app/analytics");
  await page.getByRole("heading", { name: "No clicks yet" }).waitFor();
  await expectNoBarriers(page);
  const link = await createLink(context);
  await click(link.slug, { place: BERLIN });
  await waitForClicks(context, 1);

  // The day on which the clocks of Berlin go back.
  await page.goto("/app/analytics?start=2026-10-25&end=2026-10-25");
  const timeline = timelineOf(page);
  await bucketsAre(page, 25);
  await page.getByText("No clicks in this period.").waitFor();
  await page.getByRole("button", { name: /^Period:/ }).click();
  await page.getByLabel("Time zone").selectOption("Asia/Tokyo");
  await bucketsAre(page, 24);
  expect(paramsOf(page)).toMatchObject({ timezone: "Asia/Tokyo" });
  await expectNoBarriers(page);
  await page.getByLabel("From").fill("2026-02-02");
  await page.getByLabel("To", { exact: true }).fill("2026-02-01");
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await page.getByText("The end must not be before the start.").waitFor();
  await page.getByLabel("To", { exact: true }).fill("2026-02-11");
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await bucketsAre(page, 10);

  // The comparison is a part of the address, and of what screen readers hear.
  const heard = (text: RegExp) => expect.poll(() => timeline.getAttribute("aria-valuetext")).toMatch(text);
  await heard(/: 0 clicks, 0 in the period before$/);
  const compareWith = async (comparison: string) => {
    await page.getByRole("button", { name: /^Period:/ }).click();
    await page.getByLabel("Compare with").selectOption(comparison);
    await page.keyboard.press("Escape");
  };
  await compareWith("Nothing");
  await heard(/: 0 clicks$/);
  expect(paramsOf(page)).toMatchObject({ compare: "none" });
  await page.goto("/app/analytics?start=2025-11-01&end=2025-11-10&compare=none");
  await compareWith("Year before");
  await heard(/: 0 clicks, 0 in the year before$/);
  expect(paramsOf(page)).toMatchObject({ compare: "year" });
  await page.goto("/app/analytics?start=2026-02-02&end=2026-02-11&timezone=Asia%2FTokyo");
  await bucketsAre(page, 10);

  // The chart as a file, which needs no style sheet and no font of the page.
  const save = async (format: RegExp) => {
    await page.getByRole("button", { name: "Save the chart" }).click();
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("menuitem", { name: format }).click(),
    ]);
    return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
  };
  const svg = await save(/SVG/);
  expect(svg.name).toBe("clicks-account-2026-02-02-to-2026-02-11.svg");
  const drawn = svg.bytes.toString();
  for (const part of ["Clicks: 0 · Period before, dashed: 0", "Asia/Tokyo", `Source: ${new URL(page.url()).host}`])
    expect(drawn).toContain(part);
  expect(drawn).not.toMatch(/class=|var\(|oklab/);
  const png = await save(/PNG/);
  expect(png.bytes.subarray(1, 4).toString()).toBe("PNG");
  expect(png.bytes.readUInt32BE(16)).toBe(2 * Number(/<svg[^>]* width="(\d+)"/.exec(drawn)?.[1]));

  const box = await timeline.boundingBox();
  if (box === null) throw new Error("The timeline is not visible.");
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width * 0.5, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.75, y, { steps: 4 });
  await page.mouse.up();
  await bucketsAre(page, 10, ":not");
  expect(paramsOf(page)["start"]).toMatch(/^2026-02-0[67]$/);
  await page.goBack();
  await bucketsAre(page, 10);

  // The toolbar, under which the page moves, has the page's own colour.
  const toolbar = page.getByRole("button", { name: /^Period:/ }).locator("../..");
  const colourOf = (element: Element) => getComputedStyle(element).backgroundColor;
  expect(await toolbar.evaluate(colourOf)).toBe(await page.locator("body").evaluate(colourOf));

  // Without a connection, the numbers stay.
  await context.setOffline(true);
  await page.keyboard.press("r");
  await page.getByText(/You are offline/).waitFor();
  await page.getByRole("button", { name: /^Clicks 0/ }).waitFor();
  await context.setOffline(false);
});

it("shows live clicks", async () => {
  const { page, context } = await openSignedIn();
  const link = await createLink(context);
  await click(link.slug, { place: BERLIN });
  await waitForClicks(context, 1);
  await page.goto("/app/analytics?country=DE");
  await page.getByRole("button", { name: "Live", pressed: false }).waitFor();
  await page.keyboard.press("v");
  const announced = page.getByRole("status").filter({ hasText: "New clicks appear here." });
  await announced.waitFor();
  // The switch stands beside its stream, and both are in view.
  const boxes = [page.getByRole("button", { name: "Live", pressed: true }), announced].map((each) =>
    each.boundingBox(),
  );
  const [onSwitch, onStream] = await Promise.all(boxes);
  expect(Math.abs((onSwitch?.y ?? 0) - (onStream?.y ?? 999))).toBeLessThan(40);
  expect(onSwitch?.y).toBeGreaterThanOrEqual(0);
  expect(onSwitch?.y).toBeLessThan(900);
  await expectNoBarriers(page);
  await click(link.slug, { place: PARIS });
  await click(link.slug, { place: BERLIN, referrer: "https://news.example.org/" });
  const stream = page.getByRole("region", { name: "Latest clicks" });
  await stream.getByRole("cell", { name: "example.org" }).waitFor();
  await page.getByText("1 new click", { exact: true }).waitFor();
  await totalIs(page, 2);
  expect(await stream.getByText("France").count()).toBe(0);
  await page.getByRole("button", { name: "Live", pressed: true }).click();
  await page.getByText("New clicks appear here.").waitFor({ state: "detached" });
  // The totals never have these links. Their names are there all the same.
  const links = Array.from({ length: 6 }, () => ({ slug: uniqueName() }));
  await createLinks(context, links);
  await page.route("**/api/clicks?*", (route) => route.abort());
  await page.getByRole("button", { name: "Live", pressed: false }).click();
  await page.getByText("New clicks appear here.").waitFor();
  for (const { slug } of links) await click(slug, { place: BERLIN });
  for (const { slug } of links)
    await stream.getByRole("cell", { name: `${new URL(page.url()).host}/${slug}` }).waitFor();
});

it("says from when single clicks are stored, and marks that in the chart", async () => {
  const { page, context } = await openVisit();
  await fill(context);
  await page.goto("/app/analytics?period=7d");
  await totalIs(page, 4);
  expect(await page.getByText("Single clicks are stored from").count()).toBe(0);
  // What a ClickLog says that is too large for all of its single clicks.
  const at = new Date(Date.now() - 3 * 86_400_000);
  await page.route(/\/api\/clicks\?/, async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { clicks: { detailFrom: { clicks: number | null } } };
    body.clicks.detailFrom.clicks = at.getTime();
    await route.fulfill({ response, json: body });
  });
  await page.reload();
  const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "Europe/Berlin" }).format(at);
  await page.getByText(`Single clicks are stored from ${day} on.`).waitFor();
  await expectNoBarriers(page);
});
