import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { expectNoBarriers } from "../support/dashboard.ts";
import { URL_FIELD } from "../support/links.ts";
import type { Person } from "../support/persons.ts";
import { openSignedIn, openVisit } from "../support/visits.ts";

async function signIn(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.keyboard.press("Enter");
}

it("says at the sign-in page that the session has ended, and that a draft is kept", async () => {
  const { page, context, person } = await openSignedIn();
  // Every read of the page that comes later would notice the end of the session.
  await page.goto("/app/links", { waitUntil: "networkidle" });
  await context.clearCookies();
  await page.getByRole("link", { name: "Settings" }).first().click();
  await page.waitForURL("**/app/sign-in**");
  await page.getByText("Your session has ended. Sign in to go on where you were.").waitFor();
  expect(await page.getByText(/The draft of your link/).count()).toBe(0);
  await expectNoBarriers(page);
  await page.goto("/app/analytics");
  await page.waitForURL("**/app/sign-in**");
  await page.getByText("Your session has ended. Sign in to go on where you were.").waitFor();
  await signIn(page, person);
  await page.waitForURL("**/app/analytics**");

  await page.goto("/app/links");
  await page.getByRole("heading", { name: "Links", exact: true }).waitFor();
  await page.keyboard.press("c");
  await page.getByRole("textbox", URL_FIELD).fill("https://example.com/draft");
  await context.clearCookies();
  await page.keyboard.press("Control+Enter");
  await page.waitForURL("**/app/sign-in**");
  await page.getByText("The draft of your link is kept in this browser.").waitFor();
  await signIn(page, person);
  await page.getByRole("textbox", URL_FIELD).waitFor();
  expect(await page.getByRole("textbox", URL_FIELD).inputValue()).toBe("https://example.com/draft");
});

it("does not say so to people who sign out or come for the first time", async () => {
  const { page } = await openSignedIn({ name: "Ann Lee" });
  await page.goto("/app/links");
  await page.getByRole("button", { name: /Ann Lee/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL("**/app/sign-in");
  await page.getByLabel("E-mail address").waitFor();
  expect(await page.getByText(/Your session has ended/).count()).toBe(0);

  const first = await openVisit();
  await first.page.goto("/app/links");
  await first.page.waitForURL("**/app/sign-in**");
  await first.page.getByLabel("E-mail address").waitFor();
  expect(await first.page.getByText(/Your session has ended/).count()).toBe(0);
});
