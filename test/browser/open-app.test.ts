import type { Page } from "playwright-core";
import { beforeEach, expect, it } from "vitest";
import { createAccount, createLink } from "../e2e/support/accounts.ts";
import { VISITOR } from "./support/browser.ts";
import { startDestinations, startServiceWithBrowser } from "./support/service.ts";

const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1";
const ANDROID =
  "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Mobile Safari/537.36";

const { service, browser } = await startServiceWithBrowser();
const destination = await startDestinations();
const { key } = await createAccount(service.db);

let slug: string;
beforeEach(async () => {
  const url = `${destination}/web?a=1`;
  ({ slug } = await createLink(service.isolates.only, key, { url, ios: "acme://spring", android: "acme://herbst" }));
});

/** A page in its own browser context, the URLs that it tried to open, and its errors. */
async function openPage(userAgent: string, options: { javaScriptEnabled?: boolean } = {}) {
  const context = await browser.newContext({ userAgent, viewport: { width: 390, height: 700 }, ...options });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => {
    // Chromium logs an error if it has no app for a scheme, or starts none without a user gesture.
    if (message.type() === "error" && !/registered handler|Not allowed to launch/.test(message.text()))
      problems.push(message.text());
  });
  return { page, problems, attempts: await watchAttempts(page) };
}

/** Waits for the URL. `waitForURL` does not work here: it fails on the failed navigation to the app. */
async function arrival(page: Page, url: string): Promise<void> {
  await expect.poll(() => page.url(), { timeout: 10_000 }).toBe(url);
}

/** The URLs that a page asks the browser to open, including apps' URLs. */
async function watchAttempts(page: Page): Promise<string[]> {
  const attempts: string[] = [];
  const devTools = await page.context().newCDPSession(page);
  await devTools.send("Page.enable");
  devTools.on("Page.frameRequestedNavigation", ({ url }) => void attempts.push(url));
  return attempts;
}

/** The heading and the app's URL of each page. A page reports them itself, because it soon leaves. */
async function watchContent(page: Page): Promise<unknown[]> {
  const contents: unknown[] = [];
  await page.exposeFunction("reportContent", (content: unknown) => void contents.push(content));
  await page.addInitScript(`addEventListener("DOMContentLoaded", () => reportContent(
    [document.querySelector("h1")?.textContent, document.querySelector("#app")?.getAttribute("href")]))`);
  return contents;
}

it.each([
  ["an iPhone", IPHONE, "acme://spring"],
  ["Android", ANDROID, "acme://herbst"],
])("tries the app on %s and then continues in the browser", async (_, userAgent, app) => {
  const { page, problems, attempts } = await openPage(userAgent);
  const contents = await watchContent(page);
  const response = await page.goto(`http://tern.test/${slug}?b=2`);
  expect(response?.status()).toBe(200);
  await arrival(page, `${destination}/web?a=1&b=2`);
  expect(contents[0]).toEqual(["This link opens an app", `${app}?b=2`]);
  expect(attempts).toEqual([`${app}?b=2`, `${destination}/web?a=1&b=2`]);
  expect(problems).toEqual([]);
});

it("leaves the history intact: back returns to the former page", async () => {
  const { page } = await openPage(IPHONE);
  await page.goto(`${destination}/start`);
  await page.evaluate(`location.href = "http://tern.test/${slug}"`);
  await arrival(page, `${destination}/web?a=1`);
  await page.goBack();
  expect(page.url()).toBe(`${destination}/start`);
});

it.each([
  ["the browser shows a dialog", "window", "blur"],
  ["another app opens", "document", "visibilitychange"],
  ["the page is left", "window", "pagehide"],
  ["the visitor chooses the app", "document.body", "click"],
])("stays on the page when %s", async (_, target, event) => {
  const { page } = await openPage(IPHONE);
  const happen = `${target}.dispatchEvent(new Event("${event}", { bubbles: true }))`;
  await page.addInitScript(`addEventListener("load", () => setTimeout(() => ${happen}, 200))`);
  await page.goto(`http://tern.test/${slug}`);
  await page.waitForTimeout(2_500);
  expect(page.url()).toBe(`http://tern.test/${slug}`);
});

it("works without scripts", async () => {
  // The dialog that asks whether to open an app takes all later clicks, so each link gets its own page.
  const ways = { "Open in the app": "acme://herbst", "Continue in the browser": `${destination}/web?a=1` };
  for (const [name, address] of Object.entries(ways)) {
    const { page, attempts } = await openPage(ANDROID, { javaScriptEnabled: false });
    await page.goto(`http://tern.test/${slug}`);
    await page.click(`text=${name}`);
    await expect.poll(() => attempts).toEqual([address]);
  }
});

it("is not shown on a computer", async () => {
  const { page } = await openPage(VISITOR);
  await page.goto(`http://tern.test/${slug}`);
  expect(page.url()).toBe(`${destination}/web?a=1`);
});

it("has large buttons in a narrow window, light and dark", async () => {
  const { page, problems } = await openPage(IPHONE, { javaScriptEnabled: false });
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto(`http://tern.test/${slug}`);
    for (const id of ["#app", "#web"]) {
      const box = await page.locator(id).boundingBox();
      expect(box?.height).toBeGreaterThanOrEqual(44);
      expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(390);
    }
  }
  expect(problems).toEqual([]);
});
