import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { fieldFaults } from "../../../dashboard/src/texts/en/field-faults.ts";
import { LANGUAGE_COOKIE, LANGUAGES } from "../../../src/platform/languages.ts";
import { isInstalled } from "../../docs/support/receivers.ts";
import { findBarriers } from "../support/checks.ts";
import { ORIGIN, expectNoBarriers, post } from "../support/dashboard.ts";
import { signInNewPerson } from "../support/persons.ts";
import { openSignedIn, openVisit } from "../support/visits.ts";
import { COMMAND_TIMEOUT_MS } from "../../support/command-timeout.ts";

// The pages for everybody: the home page and the API reference.

it.each([
  ["light", 1440],
  ["dark", 390],
] as const)("shortens a URL on the home page without an account (%s, %i px)", async (theme, width) => {
  const { page } = await openVisit({ theme, width });
  await page.goto("/");
  await expectNoBarriers(page);

  await page.keyboard.press("Tab");
  await page.getByLabel("Long address").fill("not an address");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").getByText(`it ${fieldFaults.has_spaces}`).waitFor();
  expect(await page.getByLabel("Long address").inputValue()).toBe("not an address");
  await expectNoBarriers(page);

  await page.getByLabel("Long address").fill("https://example.com/a/very/long/address?with=parameters");
  await page.keyboard.press("Enter");
  const link = page.getByRole("link", { name: new RegExp(`^${new URL(ORIGIN).host}/`) });
  await link.waitFor();
  const shortUrl = (await link.getAttribute("href")) ?? "";
  expect(await page.evaluate(() => document.activeElement?.textContent?.trim())).toBe("Copy");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Copied" }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(shortUrl);
  await expectNoBarriers(page);

  const followed = await fetch(shortUrl, { redirect: "manual" });
  expect(followed.headers.get("Location")).toBe("https://example.com/a/very/long/address?with=parameters");
});

it("shows the home page in the language that the visitor chooses", async () => {
  const { page } = await openVisit();
  await page.goto("/");
  const languages = page.getByRole("navigation", { name: "Language" });
  expect(await languages.getByRole("button").allTextContents()).toEqual(Object.values(LANGUAGES));
  expect(await languages.locator("[aria-current]").textContent()).toBe("English");
  await languages.getByRole("button", { name: "العربية" }).click();
  await page.locator('html[lang="ar"][dir="rtl"]').waitFor();
  expect(await page.locator("#languages [aria-current]").textContent()).toBe("العربية");
  await expectNoBarriers(page);
  await page.goto("/app/sign-in");
  expect(await page.locator("html").getAttribute("lang")).toBe("ar");
});

it("keeps the language in a cookie that is Secure over https", async () => {
  const secure = "https://secure.example";
  const { page, context } = await openVisit({ expectedProblems: /secure\.example/ });
  await page.route(`${secure}/**`, async (route) => {
    const response = await route.fetch({ url: route.request().url().replace(secure, ORIGIN) });
    await route.fulfill({ response });
  });
  const cookies: unknown[] = [];
  for (const origin of [ORIGIN, secure]) {
    await page.goto(`${origin}/`);
    await page.getByRole("button", { name: "Deutsch" }).click();
    await page.locator('html[lang="de"]').waitFor();
    cookies.push(await context.cookies(origin));
  }
  const kept = { name: LANGUAGE_COOKIE, value: "de", sameSite: "Lax" };
  expect(cookies).toMatchObject([[{ ...kept, secure: false }], [{ ...kept, secure: true }]]);
});

it("says what is wrong with an address before it is sent, so that the try does not count", async () => {
  const { page } = await openVisit();
  let calls = 0;
  page.on("request", (request) => void (request.url().includes("/api/shorten") && calls++));
  await page.goto("/");
  const field = page.getByLabel("Long address");
  const { host } = new URL(ORIGIN);
  for (const [text, answer] of [
    ["", "Paste a long address first."],
    ["example", `it ${fieldFaults.not_http}.`],
    ["javascript:alert(1)", `it ${fieldFaults.not_http}.`],
    ["https://a..b/", `it ${fieldFaults.empty_host_label}`],
    [`https://example.com/${"a".repeat(8_192)}`, `it ${fieldFaults.too_long_encoded({ max: 8_192 })}`],
    [`${ORIGIN}/docs`, "This is a page of this service."],
    [`${ORIGIN}/app/links`, "This is a page of this service."],
    [`http://${host}/`, "This is a page of this service."],
    [`${ORIGIN}/never-made`, "there is no such link"],
  ] as const) {
    await field.fill(text);
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText(answer).waitFor();
    expect(await field.inputValue()).toBe(text);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("url");
  }
  expect(calls).toBe(0);
});

it.each([
  ["light", 1440],
  ["dark", 390],
] as const)("knows its own short links (%s, %i px)", async (theme, width) => {
  const { page, context } = await openVisit({ theme, width });
  await page.goto("/");
  const field = page.getByLabel("Long address");
  await field.fill("https://example.com/known");
  await page.keyboard.press("Enter");
  const link = page.locator("#short-url");
  await link.waitFor();
  const shortUrl = (await link.getAttribute("href")) ?? "";
  expect(await page.getByText("This is a short link already").isVisible()).toBe(false);
  await page.reload();

  for (const ending of ["", "+", "?a=1"]) {
    await field.fill(shortUrl + ending);
    await page.keyboard.press("Enter");
    await page.getByText("This is a short link already. Here is its QR code.").waitFor();
    expect(await link.getAttribute("href")).toBe(shortUrl);
    expect(await page.locator("#destination").textContent()).toBe("https://example.com/known");
    expect(await page.getByText("The link works for 30 days.").isVisible()).toBe(false);
    await expectNoBarriers(page);
  }

  await signInNewPerson(context);
  const { link: locked } = (await post(context, "/api/links", {
    url: "https://hidden.example/",
    password: "correct horse",
  })) as { link: { shortUrl: string } };
  await field.fill(locked.shortUrl);
  await page.keyboard.press("Enter");
  await page.getByText("Where it leads is shown only to visitors with its password.").waitFor();
});

it("shows every operation of the API with samples", async () => {
  const { page } = await openVisit();
  const released = Promise.withResolvers<void>();
  await page.route("**/api/openapi.json", async (route) => {
    await released.promise;
    await route.continue();
  });
  await page.goto("/docs/reference#getLinkQrCode", { waitUntil: "commit" });
  // The frame works before the document is there.
  const search = page.getByLabel("Search the reference");
  await search.fill("qr");
  await page.getByRole("heading", { name: "API reference" }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  released.resolve();
  await page.getByRole("heading", { name: "Get link QR code" }).waitFor();
  expect(await search.inputValue()).toBe("qr");
  await search.fill("");
  await page.getByRole("heading", { name: "Get link QR code" }).waitFor();
  await expectNoBarriers(page);

  await page.getByLabel("Search the reference").fill("slug domain");
  await page.keyboard.press("Tab");
  await page.getByLabel("Search the reference").fill("usage");
  await page.getByRole("heading", { name: "Get usage", exact: true }).waitFor();
  await page.getByLabel("Search the reference").fill("nothing has these words");
  await page.getByText("Nothing matches.").waitFor();
  await expectNoBarriers(page);
});

it("has samples that run", async () => {
  const { page, context } = await openSignedIn();
  const { key } = (await post(context, "/api/keys", { name: "Samples" })) as { key: { value: string } };
  for (const operation of ["upsertLink", "listLinks", "getUsage"]) {
    await page.goto(`/docs/reference#${operation}`);
    await page.reload();
    const article = page.locator(`article#${operation}`);
    for (const language of ["curl", "JavaScript", "Python"] as const) {
      if (language === "Python" && !isInstalled("python3")) continue;
      await article.getByText(language, { exact: true }).click();
      const sample = (await article.getByRole("region", { name: /^Sample: / }).textContent()) ?? "";
      expect(run(language, sample, key.value)).toMatch(/"(link|links|usage)":/);
    }
  }
});

function run(language: "curl" | "JavaScript" | "Python", sample: string, key: string): string {
  const [command, ...args] = {
    curl: ["sh", "-c"],
    JavaScript: [process.execPath, "--input-type=module", "-e"],
    Python: ["python3", "-c"],
  }[language];
  return execFileSync(command ?? "", [...args, sample], {
    env: { ...process.env, KEY: key },
    encoding: "utf8",
    stdio: "pipe",
    timeout: COMMAND_TIMEOUT_MS,
  });
}
