import { expect, it } from "vitest";
import { expectNoBarriers, post } from "../support/dashboard.ts";
import { openSignedIn, openVisit } from "../support/visits.ts";

// The pages of the documents at /docs and below.

it.each([390, 768, 1280])("shows a page without barriers and without scrolling to the side (%i px)", async (width) => {
  const { page } = await openVisit({ width });
  for (const path of ["/docs", "/docs/api/links", "/docs/self-hosting", "/docs/benchmarks"]) {
    await page.goto(path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), path).toBeLessThanOrEqual(0);
    await expectNoBarriers(page);
  }
});

it("shows pictures, whose places are kept free", async () => {
  const { page } = await openVisit({ width: 390 });
  await page.goto("/docs/dashboard");
  const pictures = page.locator("article img");
  for (const picture of await pictures.all()) {
    await picture.scrollIntoViewIfNeeded();
    await expect.poll(() => picture.evaluate(({ naturalWidth }: HTMLImageElement) => naturalWidth)).toBeGreaterThan(0);
    expect(Number(await picture.getAttribute("height"))).toBeGreaterThan(0);
  }
  expect(await pictures.count()).toBeGreaterThan(1);
});

it("shows examples in the language that was chosen last, and copies them", async () => {
  const { page } = await openVisit({ width: 1280 });
  await page.goto("/docs/api/links");
  const example = page.locator(".tabs").first();
  await example.getByRole("tab", { name: "curl" }).press("ArrowRight");
  await expect.poll(() => example.getByRole("tab", { name: "JavaScript" }).getAttribute("aria-selected")).toBe("true");
  await page.setViewportSize({ width: 390, height: 800 });
  await example.getByRole("tab", { name: "Python" }).click();
  await example.getByRole("tab", { name: "Python", selected: true }).waitFor();
  await example.getByRole("tab", { name: "JavaScript" }).click();
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto("/docs/api/keys");
  const shown = page.locator(".tabs").first();
  await shown.getByRole("tab", { name: "JavaScript", selected: true }).waitFor();
  await shown.getByRole("button", { name: "Copy" }).click();
  await shown.getByRole("button", { name: "Copied" }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^const response = await fetch\(/);
});

it("finds parts of all pages, also with the keyboard", async () => {
  const { page } = await openVisit({ width: 1280 });
  await page.goto("/docs");
  await page.keyboard.press("/");
  await page.keyboard.type("visit limits");
  await page.getByRole("link", { name: /^Ending links: Visit limits/ }).waitFor();
  await expectNoBarriers(page);
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/docs\/api\/ending-links#visit-limits$/);
  await page.getByLabel("Search the documents").fill("xyzzy");
  await page.getByText("No page has all of these words.").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("heading", { name: "Ending links", level: 1 }).waitFor();
});

it("goes to a result on the page that is open, and says when the search cannot be loaded", async () => {
  const { page } = await openVisit({ width: 1280 });
  await page.route("**/docs/search.json", (route) => route.fulfill({ status: 503, body: "" }));
  await page.goto("/docs/api/ending-links#visit-limits");
  const search = page.getByLabel("Search the documents");
  await search.fill("visit limits");
  await page.getByText("The search could not be loaded.").waitFor();
  await page.unroute("**/docs/search.json");
  await page.evaluate(() => scrollTo(0, 0));
  await search.pressSequentially(" exact");
  await page.getByRole("link", { name: /^Ending links: Visit limits/ }).click();
  const heading = page.getByRole("heading", { name: "Visit limits" });
  await heading.waitFor();
  await expect
    .poll(() => heading.evaluate((element) => element.getBoundingClientRect().top < innerHeight / 2))
    .toBe(true);
  expect(await page.getByRole("heading", { name: "Search results" }).isVisible()).toBe(false);
});

it("shows the whole page without JavaScript", async () => {
  const { page } = await openVisit({ width: 390, javaScript: false });
  await page.goto("/docs/api/links");
  await page.getByRole("heading", { name: "Links", level: 1 }).waitFor();
  expect(await page.locator(".tabs pre:visible").count()).toBe(await page.locator(".tabs").count());
  expect(await page.getByLabel("Search the documents").isVisible()).toBe(false);
  await page.getByRole("link", { name: "All pages" }).click();
  await page.getByRole("navigation", { name: "All pages" }).getByRole("link", { name: "API keys" }).click();
  await page.getByRole("heading", { name: "API keys", level: 1 }).waitFor();
});

it("names the reader's key, and asks for none of others", async () => {
  const { page } = await openVisit({ width: 1280 });
  const requests: string[] = [];
  page.on("request", (request) => requests.push(new URL(request.url()).pathname));
  await page.goto("/docs/api/links");
  await page.getByText("The examples read an API key from the variable KEY.").waitFor();
  expect(requests.filter((path) => path.startsWith("/api/"))).toEqual([]);

  const own = await openSignedIn({ width: 1280 });
  const { key } = (await post(own.context, "/api/keys", { name: "Shop" })) as { key: { lastFour: string } };
  await own.page.goto("/docs/api/links");
  await own.page.getByText(`such as yours: Shop (…${key.lastFour}).`).waitFor();
});

it("moves nothing when its script comes", async () => {
  const { page } = await openVisit({ width: 390 });
  const places = () =>
    page.evaluate(() => [...document.querySelectorAll("h2, .tabs")].map((each) => each.getBoundingClientRect().top));
  await page.route("**/guide-*.js", (route) => route.abort());
  await page.goto("/docs/api/links");
  await page.evaluate(() => document.fonts.ready);
  const before = await places();
  expect(await page.getByRole("tab").count()).toBe(0);
  await page.unroute("**/guide-*.js");
  await page.reload();
  await page.getByRole("tab").first().waitFor();
  await page.evaluate(() => document.fonts.ready);
  expect(await places()).toEqual(before);
});

it.each([320, 390, 412])("keeps the head of a page as high with any font (%i px)", async (width) => {
  const { page } = await openVisit({ width });
  await page.goto("/docs");
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.evaluate(() => document.fonts.ready);
  const place = () => page.locator(".columns").evaluate((columns) => columns.getBoundingClientRect().top);
  const before = await place();
  // Letters that are wider than those of any text font.
  await page.evaluate(() => (document.body.style.fontFamily = "monospace"));
  expect(await place()).toBe(before);
});
