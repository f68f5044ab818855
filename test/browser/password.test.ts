import type { BrowserContextOptions, Page } from "playwright-core";
import { beforeEach, describe, expect, it } from "vitest";
import { createAccount, createLink, updateLink } from "../e2e/support/accounts.ts";
import { VISITOR } from "./support/browser.ts";
import { startDestinations, startServiceWithBrowser } from "./support/service.ts";

const PASSWORD = "correct horse";
const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1";

const VISITORS: [string, BrowserContextOptions][] = [
  ["a desktop", { userAgent: VISITOR, viewport: { width: 1280, height: 800 } }],
  ["a desktop without JavaScript", { userAgent: VISITOR, javaScriptEnabled: false }],
  ["an iPhone", { userAgent: IPHONE, viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }],
  ["a small phone in the dark", { userAgent: IPHONE, viewport: { width: 320, height: 568 }, colorScheme: "dark" }],
];

const { service, browser } = await startServiceWithBrowser();
const destination = await startDestinations();
let key: string;

let lastSlug = 0;
let slug: string;
beforeEach(async () => {
  ({ key } = await createAccount(service.db));
  slug = `Locked-${++lastSlug}`;
});

/** A page in its own browser context, and its errors. */
async function openPage(options: BrowserContextOptions): Promise<{ page: Page; problems: string[] }> {
  const page = await (await browser.newContext(options)).newPage();
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" && !message.text().includes("Failed to load resource"))
      problems.push(message.text());
  });
  return { page, problems };
}

/** The number of pixels by which the page is wider than the window. */
async function overflowOf(page: Page): Promise<number> {
  const body = await page.locator("main").boundingBox();
  const width = page.viewportSize()?.width ?? 0;
  return body === null ? Infinity : Math.max(0, body.x + body.width - width, -body.x);
}

describe.each(VISITORS)("%s", (_, options) => {
  it("is asked for the password and then redirected to another site", async () => {
    await createLink(service.isolates.only, key, { url: `${destination}/hidden?a=1`, slug, password: PASSWORD });
    const { page, problems } = await openPage(options);
    const asked = await page.goto(`http://tern.test/${slug}?b=2`);
    expect(asked?.status()).toBe(401);
    expect(await page.textContent("h1")).toBe("This link is password-protected");
    expect(await overflowOf(page)).toBe(0);

    await page.fill("input", "wrong horse");
    await page.click("button");
    expect(await page.textContent("h1")).toBe("That is not the password");
    expect(new URL(page.url()).search).toBe("?b=2");
    expect(await page.inputValue("input")).toBe("");

    await page.getByLabel("Password").fill(PASSWORD);
    await page.keyboard.press("Enter");
    await page.waitForURL(`${destination}/**`);
    expect(page.url()).toBe(`${destination}/hidden?a=1&b=2`);
    expect(await page.textContent("body")).toBe("arrived at /hidden?a=1&b=2 from nowhere");

    await page.goto(`http://tern.test/${slug}`);
    expect(page.url()).toBe(`${destination}/hidden?a=1`);
    expect(problems).toEqual([]);
  });

  it("shows the destination before the link is followed", async () => {
    const path = `/where?${"a".repeat(300)}`;
    await createLink(service.isolates.only, key, { url: destination + path, slug, preview: { title: "Spring sale" } });
    const { page, problems } = await openPage(options);
    await page.goto(`http://tern.test/${slug}+`);
    expect(await page.textContent(".url")).toBe(destination + path);
    expect(await overflowOf(page)).toBe(0);
    await page.click("text=Continue");
    expect(await page.textContent("body")).toBe(`arrived at ${path} from nowhere`);
    expect(problems).toEqual([]);
  });
});

const [[, DESKTOP]] = VISITORS as [[string, BrowserContextOptions]];

it("is asked again after the password changed, and for the slug in another case", async () => {
  const link = await createLink(service.isolates.only, key, { url: `${destination}/x`, slug, password: PASSWORD });
  const { page } = await openPage(DESKTOP);
  await page.goto(`http://tern.test/${slug}/`);
  await page.fill("input", PASSWORD);
  await page.click("button");
  await page.waitForURL(`${destination}/x`);
  const cookies = await page.context().cookies("http://tern.test/");
  expect(cookies).toEqual([]);
  const [cookie] = await page.context().cookies(`http://tern.test/${slug}`);
  expect(cookie).toMatchObject({ path: `/${slug}`, httpOnly: true, sameSite: "Lax", secure: false });
  expect((await page.goto(`http://tern.test/${slug.toUpperCase()}`))?.status()).toBe(401);
  await updateLink(service.isolates.only, key, link.id, { password: "battery staple" });
  expect((await page.goto(`http://tern.test/${slug}`))?.status()).toBe(401);
});

it("is told to wait after too many guesses, and can go back to the link", async () => {
  await createLink(service.isolates.only, key, { url: `${destination}/x`, slug, password: PASSWORD });
  const { page, problems } = await openPage(DESKTOP);
  await page.goto(`http://tern.test/${slug}?b=2`);
  for (let time = 0; time < 6; time++) {
    await page.fill("input", `guess ${time}`);
    await page.click("button");
  }
  expect(await page.textContent("h1")).toBe("Too many guesses");
  await page.click("text=Back to the link");
  expect(page.url()).toBe(`http://tern.test/${slug}?b=2`);
  expect(await page.textContent("h1")).toBe("This link is password-protected");
  expect(problems).toEqual([]);
});
