import type { BrowserContext, Page } from "playwright-core";
import { afterAll, expect, it } from "vitest";
import { launchBrowser, VISITOR } from "./support/browser.ts";
import { startDashboardService } from "./support/dashboard-service.ts";
import { findBarriers } from "./support/checks.ts";
import { newAddress, PASSWORD } from "./support/people.ts";

// A service that can send no mails: it has a way, and no sender.

const service = await startDashboardService("test/browser/support/worker.js", "--var=MAIL_API_TOKEN:unused");
afterAll(() => service.stop());
const browser = await launchBrowser(new URL(service.origin).host);
afterAll(() => browser.close());

async function openPage(path: string): Promise<{ page: Page; context: BrowserContext }> {
  const context = await browser.newContext({ userAgent: VISITOR, baseURL: service.origin, locale: "en" });
  const page = await context.newPage();
  await page.goto(path);
  return { page, context };
}

const NEW_PASSWORD = "forty green umbrellas";

/** The link of the open dialog, which ends with that. */
async function takeLink(page: Page, title: string): Promise<string> {
  await page.getByRole("heading", { name: title }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  const link = await page.getByRole("region", { name: "Link" }).innerText();
  await page.getByRole("button", { name: "Done" }).click();
  return link.trim();
}

it("an owner hands over the links of an invitation and of a new password, and the member is told", async () => {
  const owner = await openPage(service.signInUrl);
  await owner.page.getByRole("link", { name: "Analytics" }).first().waitFor();
  const headers = { Origin: service.origin };
  const made = await owner.context.request.post("/api/teams", { data: { name: "Lighthouse" }, headers });
  const { team } = (await made.json()) as { team: { id: string } };
  await owner.page.evaluate((id) => sessionStorage.setItem("account", id), team.id);
  await owner.page.goto("/app/settings/team");
  const email = newAddress();
  await owner.page.getByText("This service sends no mails: you get a link").waitFor();
  const roles = await owner.page.getByLabel("Role", { exact: true }).getByRole("option").allInnerTexts();
  expect(roles).toEqual(["Admin", "Member", "Viewer"]);
  await owner.page.getByLabel("E-mail address").fill(email);
  await owner.page.getByRole("button", { name: "Invite" }).click();
  const invitation = await takeLink(owner.page, `Hand this link over to ${email}`);

  const member = await openPage(invitation);
  await member.page.getByRole("link", { name: "Create an account" }).click();
  await member.page.getByLabel("Your name").fill("Carl");
  await member.page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await member.page.keyboard.press("Enter");
  await member.page.getByText("You are a member of Lighthouse").first().waitFor();

  await owner.page.reload();
  await owner.page.getByRole("button", { name: "New password: Carl" }).click();
  await owner.page.getByRole("button", { name: "Make the link" }).click();
  const reset = await takeLink(owner.page, "Hand this link over to Carl");

  const { page } = await openPage("/app/forgot-password");
  await page.getByText("Ask an owner or admin of your team").waitFor();
  expect(await page.getByRole("button", { name: "Send the link" }).count()).toBe(0);
  await page.goto(reset);
  await page.getByLabel("New password").fill(NEW_PASSWORD);
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "Sign in" }).click();
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(NEW_PASSWORD);
  await page.keyboard.press("Enter");
  await page.getByText("What happened with your account").waitFor();
  await page.getByText("An admin made a link to set a new password for you").waitFor();
  await page.getByText("Your password was changed").waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole("button", { name: "Dismiss" }).click();
  await page.getByText("What happened with your account").waitFor({ state: "detached" });
  await page.goto("/app/settings/person");
  await page.getByText("so nobody can verify another address").waitFor();
  expect(await page.getByText("What happened with your account").count()).toBe(0);
  expect(await page.getByRole("button", { name: "Change address" }).count()).toBe(0);
});
