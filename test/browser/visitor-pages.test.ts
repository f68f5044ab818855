import type { Page } from "playwright-core";
import { beforeEach, describe, expect, it } from "vitest";
import { createAccount, createLink } from "../e2e/support/accounts.ts";
import { VISITOR } from "./support/browser.ts";
import { findBarriers, watchProblems } from "./support/checks.ts";
import { startServiceWithBrowser } from "./support/service.ts";

// The pages of short links at three widths, in languages of both directions.

const VIEWS = [
  { locale: "en-GB", width: 1280, height: 800, colorScheme: "light" },
  { locale: "ja-JP", width: 768, height: 1024, colorScheme: "dark" },
  { locale: "ar-EG", width: 320, height: 568, colorScheme: "light" },
  { locale: "de-DE", width: 320, height: 568, colorScheme: "dark" },
] as const;

const LONG = `https://example.com/%D9%85%D8%B1%D8%AD%D8%A8%D8%A7/?q=${"a".repeat(8_000)}`;

const { service, browser } = await startServiceWithBrowser();
let key: string;
beforeEach(async () => {
  ({ key } = await createAccount(service.db));
});

let lastSlug = 0;
const newSlug = () => `seen-${++lastSlug}`;

/** Whether the element is wholly in the window, without scrolling. */
async function isInWindow(page: Page, selector: string): Promise<boolean> {
  const box = await page.locator(selector).boundingBox();
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  return box !== null && box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height;
}

describe.each(VIEWS)("in $locale at $width px, $colorScheme", ({ locale, width, height, colorScheme }) => {
  async function open(path: string): Promise<{ page: Page; problems: string[] }> {
    const context = await browser.newContext({ userAgent: VISITOR, locale, colorScheme, viewport: { width, height } });
    const page = await context.newPage();
    const problems = watchProblems(page, "http://tern.test");
    await page.goto(`http://tern.test${path}`);
    return { page, problems };
  }

  async function expectGood(page: Page, problems: string[]): Promise<void> {
    const language = locale.slice(0, 2);
    const root = page.locator("html");
    expect(await root.getAttribute("lang")).toBe(language);
    expect(await root.getAttribute("dir")).toBe(language === "ar" ? "rtl" : "ltr");
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    expect(await page.locator("header svg").isVisible()).toBe(true);
    expect(await findBarriers(page)).toEqual([]);
    expect(problems).toEqual([]);
    await saveScreenshot(page);
  }

  it("shows that there is no such link, that one has ended, and asks for a password", async () => {
    const [ended, locked] = [newSlug(), newSlug()];
    await createLink(service.isolates.only, key, { url: "https://example.com/", slug: ended, disabled: true });
    await createLink(service.isolates.only, key, {
      url: "https://example.com/",
      slug: locked,
      password: "correct horse",
    });
    for (const path of ["/nothing-here", `/${ended}`, `/${locked}`]) {
      const { page, problems } = await open(path);
      await expectGood(page, problems);
    }
    const { page } = await open(`/${locked}`);
    await page.fill("input", "wrong horse");
    await page.keyboard.press("Enter");
    await page.locator("input[aria-invalid=true]").waitFor();
  });

  it("shows a destination of 8 KB with its host and the button in the window", async () => {
    const slug = newSlug();
    await createLink(service.isolates.only, key, { url: LONG, slug });
    const { page, problems } = await open(`/${slug}+`);
    expect(await page.textContent(".where b")).toBe("example.com");
    expect(await page.textContent(".url")).toBe(decodeURI(LONG));
    for (const selector of [".where b", ".button"]) expect(await isInWindow(page, selector)).toBe(true);
    await page.locator(".url").focus();
    await page.keyboard.press("End");
    await page.waitForFunction(() => (document.querySelector(".url")?.scrollTop ?? 0) > 100);
    await expectGood(page, problems);
  });

  it("shows Arabic and Japanese addresses in their letters", async () => {
    const slug = newSlug();
    await createLink(service.isolates.only, key, { url: "https://مثال.example/مرحبا/東京?q=%E2%80%AEx", slug });
    const { page, problems } = await open(`/${slug}+`);
    expect(await page.textContent(".where b")).toBe("مثال.example");
    expect(await page.textContent(".url")).toBe("https://xn--mgbh0fb.example/مرحبا/東京?q=%E2%80%AEx");
    await expectGood(page, problems);
  });
});

let lastScreenshot = 0;

/** With `SCREENSHOTS=FOLDER`, for people who want to look at the pages. */
async function saveScreenshot(page: Page): Promise<void> {
  const folder = process.env["SCREENSHOTS"];
  if (folder !== undefined) await page.screenshot({ path: `${folder}/visitor-${++lastScreenshot}.png` });
}
