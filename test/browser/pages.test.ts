import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { callApi, createAccount, createLink, updateLink } from "../e2e/support/accounts.ts";
import { VISITOR } from "./support/browser.ts";
import { startDestinations, startServiceWithBrowser } from "./support/service.ts";

const { service, browser } = await startServiceWithBrowser();
const destination = await startDestinations();

/** A page in its own browser context, and its errors. */
async function openPage(): Promise<{ page: Page; problems: string[] }> {
  const page = await (await browser.newContext({ userAgent: VISITOR })).newPage();
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" && !message.text().includes("Failed to load resource"))
      problems.push(message.text());
  });
  return { page, problems };
}

it.each([["/nothing-here", 404, "There is no such link"]])(
  "shows %s as a styled page without violations of its policy",
  async (path, status, heading) => {
    const { page, problems } = await openPage();
    const response = await page.goto(`http://tern.test${path}`);
    expect(response?.status()).toBe(status);
    expect(await page.textContent("h1")).toBe(heading);
    expect(await page.title()).toBe(heading);
    expect(await page.evaluate("getComputedStyle(document.body).display")).toBe("grid");
    expect(problems).toEqual([]);
  },
);

it("redirects to the destination with the visitor's parameters", async () => {
  const { key } = await createAccount(service.db);
  const link = await createLink(service.isolates.only, key, { url: `${destination}/page?a=1#part`, slug: "Follow" });
  const { page } = await openPage();
  await page.goto(`http://tern.test/${link.slug.toLowerCase()}?b=2&a=3`);
  expect(page.url()).toBe(`${destination}/page?a=1&b=2#part`);
  expect(await page.textContent("body")).toBe("arrived at /page?a=1&b=2 from nowhere");
  expect(await page.context().cookies()).toEqual([]);
});

it("redirects a returning browser to a changed destination", async () => {
  const { key } = await createAccount(service.db);
  const link = await createLink(service.isolates.only, key, { url: `${destination}/old`, slug: "again" });
  const { page } = await openPage();
  await page.goto("http://tern.test/again");
  expect(page.url()).toBe(`${destination}/old`);
  await updateLink(service.isolates.only, key, link.id, { url: `${destination}/new` });
  await page.goto("http://tern.test/again");
  expect(page.url()).toBe(`${destination}/new`);
});

it("shows that a link has ended", async () => {
  const { key } = await createAccount(service.db);
  await createLink(service.isolates.only, key, { url: `${destination}/once`, slug: "once", maxClicks: 1 });
  const { page, problems } = await openPage();
  await page.goto("http://tern.test/once");
  const response = await page.goto("http://tern.test/once");
  expect(response?.status()).toBe(410);
  expect(await page.textContent("h1")).toBe("This link has ended");
  expect(problems).toEqual([]);
  expect((await callApi(service.isolates.only, key, "GET", "/api/links?status=expired")).status).toBe(200);
});
