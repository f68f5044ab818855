import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type BrowserContext, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { buildExtension } from "../../tools/scripts/pack-extension.ts";
import { BROWSER_ARGUMENTS, CHROMIUM } from "./support/browser.ts";
import { expectNoBarriers, ORIGIN, post } from "./support/dashboard.ts";
import { openSignedIn } from "./support/visits.ts";

// The extension in a browser that has loaded it. Only the question for its permission is left out, which no test can answer.

const PAGE = "https://example.com/spring?ref=toolbar";

const folder = mkdtempSync(join(tmpdir(), "tern-extension-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let browser: BrowserContext;
let address: string;
beforeAll(async () => {
  const extension = join(folder, "extension");
  await buildExtension(extension);
  const file = join(extension, "manifest.json");
  const { optional_host_permissions: hosts, ...manifest } = JSON.parse(readFileSync(file, "utf8")) as Record<
    string,
    unknown
  >;
  writeFileSync(file, JSON.stringify({ ...manifest, host_permissions: hosts }));
  browser = await chromium.launchPersistentContext(join(folder, "profile"), {
    executablePath: CHROMIUM,
    args: [...BROWSER_ARGUMENTS, `--disable-extensions-except=${extension}`, `--load-extension=${extension}`],
    ignoreDefaultArgs: ["--disable-extensions"],
    permissions: ["clipboard-read", "clipboard-write"],
  });
  address = await findExtension();
});
afterAll(() => browser.close());

/** The origin of the extension, which a browser chooses. */
async function findExtension(): Promise<string> {
  const page = await browser.newPage();
  await page.goto("chrome://extensions");
  const id = await page.evaluate(
    `chrome.management.getAll().then((all) => all.find(({ name }) => name === "Tern").id)`,
  );
  await page.close();
  return `chrome-extension://${id as string}`;
}

async function openPage(path: string): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(`${address}/${path}`);
  return page;
}

const openPopup = (url = PAGE) => openPage(`popup.html?${new URLSearchParams({ url })}`);

async function save(service: string, key: string): Promise<void> {
  const page = await openPage("options.html");
  await page.getByLabel("URL of the service").fill(service);
  await page.getByLabel("API key").fill(key);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  await page.close();
}

it("asks for a service that it may send a key to", async () => {
  const page = await openPage("options.html");
  await expectNoBarriers(page);
  await page.getByLabel("URL of the service").fill("http://go.example");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("The service needs https").waitFor();
});

it("shortens the page without a key, and copies the short URL", async () => {
  await save(ORIGIN, "");
  const page = await openPopup();
  await page.getByText(PAGE).waitFor();
  await expectNoBarriers(page);
  expect(await page.getByLabel("Slug").isVisible()).toBe(false);
  await page.getByRole("button", { name: "Shorten" }).click();
  await page.getByText("Copied.").waitFor();
  const shortUrl = await page.locator("output").innerText();
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe(shortUrl);
  const response = await fetch(shortUrl, { redirect: "manual" });
  expect([response.status, response.headers.get("Location")]).toEqual([302, PAGE]);
});

it("makes a link of the account with a slug, finds it the next time, and says why a slug is refused", async () => {
  const { page: dashboard } = await openSignedIn();
  const name = { name: "Extension", permissions: ["links:read", "links:write"] };
  const { key } = (await post(dashboard.context(), "/api/keys", name)) as { key: { value: string } };
  await save(ORIGIN, key.value);
  const slug = `bar-${Date.now().toString(36)}`;
  const page = await openPopup();
  await page.getByLabel("Slug").fill(slug);
  await page.keyboard.press("Enter");
  await page.getByText("Copied.").waitFor();
  expect(await page.locator("output").innerText()).toBe(`${ORIGIN}/${slug}`);

  const again = await openPopup();
  await again.getByText("You already have a link to this page").waitFor();
  await expectNoBarriers(again);
  expect(await again.locator("output").innerText()).toBe(`${ORIGIN}/${slug}`);
  expect(await again.getByRole("link", { name: "Open in the dashboard" }).getAttribute("href")).toMatch(
    new RegExp(`^${ORIGIN}/app/links/[0-9a-f-]{36}$`),
  );
  await again.getByRole("button", { name: "Make another link" }).click();
  await again.getByLabel("Slug").fill(slug);
  await again.keyboard.press("Enter");
  await again.getByRole("status").getByText(/slug/i).waitFor();

  await save(ORIGIN, `svc_sk_live_${"0".repeat(64)}`);
  const refused = await openPopup();
  await refused.getByRole("button", { name: "Shorten" }).click();
  await refused.getByText("does not accept the API key").waitFor();
});

it("says that a page of the browser has no address to shorten", async () => {
  const page = await openPopup("chrome://settings");
  await page.getByText("no web address").waitFor();
  expect(await page.getByRole("button", { name: "Shorten" }).isVisible()).toBe(false);
});
