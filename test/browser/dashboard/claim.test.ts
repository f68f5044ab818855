import { afterAll, beforeAll, expect, it } from "vitest";
import type { Browser } from "playwright-core";
import { launchBrowser } from "../support/browser.ts";
import { findBarriers } from "../support/checks.ts";
import { startDashboardService, type DashboardService } from "../support/dashboard-service.ts";

let service: DashboardService;
let browser: Browser;
beforeAll(async () => {
  service = await startDashboardService("src/index.ts", "--unclaimed");
  browser = await launchBrowser(new URL(service.origin).host);
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

it("a new installation is claimed in the browser, without mail", async () => {
  const page = await browser.newPage({ baseURL: service.origin });
  const [code = ""] = /[0-9A-Z]{5}(-[0-9A-Z]+){5}/.exec(service.output()) ?? [];

  // Every way in leads to the page that claims it.
  for (const path of ["/", "/app", "/app/links", "/app/sign-in"]) {
    await page.goto(path);
    await page.getByRole("heading", { name: "This installation has no owner yet" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/app/claim");
  }
  await page.goto("/app/sign-up");
  await page.getByText("Nobody can sign up here").waitFor();

  // The code behind # leaves the address before anything is loaded.
  await page.goto(`/#token=${code}`);
  const field = page.getByLabel("Setup code");
  await field.waitFor();
  expect([page.url(), await field.inputValue()]).toEqual([`${service.origin}/app/claim`, code]);
  expect(await findBarriers(page)).toEqual([]);

  await field.fill("WRONG");
  await page.getByLabel("Your name").fill("Ann Lee");
  await page.getByLabel("E-mail address").fill("ann@example.com");
  await page.getByLabel("Password", { exact: true }).fill("seventeen quiet lanterns");
  await field.press("Enter");
  await page.getByText("Is not the setup code of this installation").waitFor();
  await field.fill(code.toLowerCase());
  await field.press("Enter");
  await page.getByText("This installation is yours", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Add a passkey" }).waitFor();
  expect(service.output()).not.toContain("Mail to");
  // The log of requests has neither the code nor what follows it.
  expect(service.output().split(code)).toHaveLength(3);

  // Nobody claims it again.
  const other = await browser.newPage({ baseURL: service.origin });
  await other.goto(`/app/claim#token=${code}`);
  await other.getByText("This installation has an owner already").waitFor();
  await other.goto("/app");
  await other.getByRole("heading", { name: "Sign in" }).waitFor();
});
