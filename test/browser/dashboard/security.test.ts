import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { fieldFaults } from "../../../dashboard/src/texts/en/field-faults.ts";
import { refusals } from "../../../dashboard/src/texts/en/refusals.ts";
import { expectNoBarriers, ORIGIN, post, undo } from "../support/dashboard.ts";
import { VISITOR } from "../support/browser.ts";
import { connectApp } from "../support/apps.ts";
import { addApp, addAuthenticator, appOf, createTeam, tabTo } from "../support/people.ts";
import { openSignedIn, openVisit } from "../support/visits.ts";

/** Makes the next change be refused as it is when the last proof of the identity is older than 10 minutes. */
async function expireProof(page: Page, path: string): Promise<void> {
  const body = { error: "Confirm that it is you.", code: "confirm_identity" };
  await page.route(`**${path}`, (route) => route.fulfill({ status: 403, json: body }), { times: 1 });
}

it("changes the password and ends the other sessions, by keyboard alone", async () => {
  const { page, person } = await openSignedIn();
  const other = await openVisit();
  await post(other.context, "/api/auth/sign-in", { email: person.email, password: person.password }, 200);
  await page.goto("/app/settings/security");
  await page.getByRole("list", { name: "Sessions" }).getByText("This session").waitFor();
  await expectNoBarriers(page);

  await tabTo(page, "Change password");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Change password" });
  await dialog.waitFor();
  await expectNoBarriers(page);
  await page.keyboard.type("wrong");
  await tabTo(page, "New password");
  await page.keyboard.type("passwordpassword");
  await page.keyboard.press("Enter");
  await dialog.getByText(refusals.wrong_own_password).waitFor();
  await dialog.getByLabel("Current password").press("Control+a");
  await page.keyboard.type(person.password);
  await page.keyboard.press("Enter");
  await dialog.getByText("is one of the commonest passwords").waitFor();
  await expectNoBarriers(page);
  await dialog.getByLabel("New password").press("Control+a");
  await page.keyboard.type("nineteen loud lanterns");
  await page.keyboard.press("Enter");
  await page.getByText("Password changed").first().waitFor();
  expect((await other.context.request.get("/api/auth/session")).status()).toBe(401);
});

it("sets up an authenticator app with recovery codes, makes new ones, and removes the app", async () => {
  const { page, person } = await openSignedIn();
  await page.goto("/app/settings/security");
  await page.getByRole("button", { name: "Set up an app" }).click();
  const dialog = page.getByRole("dialog", { name: "Set up an authenticator app" });
  await dialog.getByRole("img", { name: "QR code for the authenticator app" }).waitFor();
  await expectNoBarriers(page);
  await dialog.getByRole("button", { name: "Copy the secret" }).click();
  const app = appOf(await page.evaluate(() => navigator.clipboard.readText()));
  await dialog.getByLabel("Code that the app shows").fill("000000");
  await page.keyboard.press("Enter");
  await dialog.getByText(fieldFaults.wrong_code).waitFor();
  await expectNoBarriers(page);
  await dialog.getByLabel("Code that the app shows").fill(app(-1));
  await dialog.getByRole("button", { name: "Turn on" }).click();

  const codes = page.getByRole("dialog", { name: "Keep these recovery codes" });
  await codes.waitFor();
  expect(await codes.getByRole("listitem").count()).toBe(10);
  await expectNoBarriers(page);
  await page.keyboard.press("Escape");
  await codes.getByText("Copy or download them first").waitFor();
  await codes.getByRole("button", { name: "Copy all" }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied.split("\n")).toEqual(await codes.getByRole("listitem").allTextContents());
  const downloaded = page.waitForEvent("download");
  await codes.getByRole("link", { name: "Download" }).click();
  expect((await downloaded).suggestedFilename()).toBe("tern-recovery-codes.txt");
  await codes.getByLabel("I have kept them").check();
  await codes.getByRole("button", { name: "Done" }).click();

  await page.getByText("10 of 10 left").waitFor();
  await expireProof(page, "/api/auth/mfa/recovery-codes");
  await page.getByRole("button", { name: "Make new codes" }).click();
  await page
    .getByRole("dialog", { name: "Make new recovery codes?" })
    .getByRole("button", { name: "Make new" })
    .click();
  const identity = page.getByRole("dialog", { name: "Is it you?" });
  await identity.getByLabel("Code of your authenticator app").waitFor();
  await expectNoBarriers(page);
  await page.keyboard.type("000000");
  await page.keyboard.press("Enter");
  await identity.getByText(refusals.wrong_second_factor).waitFor();
  await page.keyboard.press("Control+a");
  await page.keyboard.type(app());
  await page.keyboard.press("Enter");
  await codes.waitFor();
  expect(await codes.getByRole("listitem").first().textContent()).not.toBe(copied.split("\n")[0]);
  await codes.getByLabel("I have kept them").check();
  await codes.getByRole("button", { name: "Done" }).click();

  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await page.getByText("your password alone signs you in").waitFor();
  await expectNoBarriers(page);
  await page.getByRole("button", { name: "Remove the app" }).click();
  await page.getByRole("button", { name: "Set up an app" }).waitFor();
  await expireProof(page, "/api/auth/mfa/totp");
  await page.getByRole("button", { name: "Set up an app" }).click();
  await identity.getByLabel("Password", { exact: true }).fill(person.password);
  await expectNoBarriers(page);
  await page.keyboard.press("Enter");
  await dialog.waitFor();
});

it("adds, renames and removes a passkey, which also confirms the identity", async () => {
  const { page, context } = await openSignedIn();
  await addApp(context);
  const authenticator = await addAuthenticator(page);
  await page.goto("/app/settings/security");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByRole("dialog", { name: "Add a passkey" }).getByLabel("Name").fill("Laptop of the office");
  await expectNoBarriers(page);
  await page.keyboard.press("Enter");
  await page.getByText("Passkey “Laptop of the office” added").first().waitFor();
  const list = page.getByRole("list", { name: "Passkeys" });
  await list.getByText("Laptop of the office").waitFor();
  await expectNoBarriers(page);

  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByRole("button", { name: "Go on" }).click();
  await page.getByText("This device already has a passkey for this account.").waitFor();
  await expectNoBarriers(page);
  await page.keyboard.press("Escape");

  await tabTo(page, "Rename Laptop of the office");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Rename passkey" }).waitFor();
  await page.keyboard.type("Laptop at home");
  await page.keyboard.press("Enter");
  await list.getByText("Laptop at home").waitFor();
  await page.getByText("Passkey renamed").first().waitFor();
  await undo(page);
  await list.getByText("Laptop of the office").waitFor();

  await expireProof(page, "/api/auth/passkeys/*");
  await page.getByRole("button", { name: "Remove Laptop of the office" }).click();
  await expectNoBarriers(page);
  await page.getByRole("button", { name: "Remove the passkey" }).click();
  const identity = page.getByRole("dialog", { name: "Is it you?" });
  await identity.getByRole("button", { name: "Use a passkey" }).waitFor();
  await expectNoBarriers(page);
  await authenticator.touch(true);
  await identity.getByRole("button", { name: "Use a passkey" }).click();
  await page.getByText("No passkey yet.").waitFor();
});

it("lists the sessions, and ends one or all others", async () => {
  const { page, person } = await openSignedIn();
  const first = await openVisit();
  const others = [first, await openVisit(), await openVisit()];
  for (const { context } of others)
    await post(context, "/api/auth/sign-in", { email: person.email, password: person.password }, 200);
  // One has another version of the same browser.
  const older = await first.context.request.post("/api/auth/sign-in", {
    data: { email: person.email, password: person.password },
    headers: { Origin: ORIGIN, "User-Agent": VISITOR.replace("Chrome/156", "Chrome/141") },
  });
  expect(older.status()).toBe(200);
  await page.goto("/app/settings/security");
  const list = page.getByRole("list", { name: "Sessions" });
  await list.getByRole("listitem").nth(3).waitFor();
  await list.getByText("Chrome 141 on Linux", { exact: true }).waitFor();
  expect(await list.getByText("Chrome 156 on Linux", { exact: true }).count()).toBe(3);
  // Times to the minute tell sessions of one browser apart.
  const timed = /last seen .*\d\d:\d\d · signed in .*\d\d:\d\d/;
  expect(await list.getByRole("listitem").filter({ hasText: timed }).count()).toBe(3);
  await expireProof(page, "/api/auth/sessions/*");
  await list.getByRole("button", { name: "End the session of Chrome 156 on Linux" }).first().click();
  // Without a proof, nothing ends.
  await page.getByRole("dialog", { name: "Is it you?" }).waitFor();
  await page.keyboard.press("Escape");
  expect(await list.getByRole("listitem").count()).toBe(4);
  await list.getByRole("button", { name: "End the session of Chrome 156 on Linux" }).first().click();
  await expect.poll(() => list.getByRole("listitem").count()).toBe(3);
  await page.getByRole("button", { name: "End all others" }).click();
  await expectNoBarriers(page);
  await page.getByRole("dialog").getByRole("button", { name: "End all others" }).click();
  await expect.poll(() => list.getByRole("listitem").count()).toBe(1);
  for (const { context } of others) expect((await context.request.get("/api/auth/session")).status()).toBe(401);
});

it("names the apps and shared pages that end with other sessions or a new password, and keeps them by choice", async () => {
  const { page, context, person } = await openSignedIn();
  await connectApp(context, { name: "Planner" });
  await post(context, "/api/links", { url: "https://example.com/a", tags: ["sale"] });
  await post(context, "/api/shared-pages", { tag: "sale", title: "Spring sale" });
  await post((await openVisit()).context, "/api/auth/sign-in", { email: person.email, password: person.password }, 200);
  const access = async () => (await (await context.request.get("/api/auth/access")).json()) as object;
  const listed = { access: { apps: [{ name: "Planner" }], sharedPages: [{ title: "Spring sale" }] } };

  await page.goto("/app/settings/security");
  await page.getByRole("button", { name: "End all others" }).click();
  const sessions = page.getByRole("dialog", { name: "End all other sessions?" });
  await sessions.getByText("Planner").waitFor();
  await sessions.getByText("Spring sale").waitFor();
  await expectNoBarriers(page);
  await sessions.getByLabel("Also disconnect apps and delete shared pages").uncheck();
  await sessions.getByRole("button", { name: "End all others" }).click();
  await page.getByText("All other sessions have ended").first().waitFor();
  expect(await access()).toMatchObject(listed);

  await page.getByRole("button", { name: "Change password" }).click();
  const password = page.getByRole("dialog", { name: "Change password" });
  await password.getByText("Spring sale").waitFor();
  expect(await password.getByLabel("Also disconnect apps and delete shared pages").isChecked()).toBe(true);
  await password.getByLabel("Current password").fill(person.password);
  await password.getByLabel("New password").fill("nineteen loud lanterns");
  await page.keyboard.press("Enter");
  await page.getByText("Password changed").first().waitFor();
  expect(await access()).toEqual({ access: { apps: [], sharedPages: [] } });
});

it("exports all data, and deletes and restores a team and the person", async () => {
  const { page, context, person } = await openSignedIn({ name: "Ann Lee" });
  await createTeam(context);
  await page.goto("/app/settings/data");
  await page.getByRole("button", { name: "Start an export" }).click();
  const link = page.getByRole("link", { name: "Download" });
  await link.waitFor();
  await expectNoBarriers(page);
  const downloaded = page.waitForEvent("download");
  await link.click();
  expect((await downloaded).suggestedFilename()).toMatch(/\.zip$/);

  await page.getByRole("button", { name: /Ann Lee/ }).click();
  await page.getByRole("menuitemcheckbox", { name: "Lighthouse" }).click();
  await page.getByRole("button", { name: "Delete the team" }).click();
  await page.keyboard.type("lighthouse");
  await page.keyboard.press("Enter");
  await page.getByText("Type exactly: Lighthouse").waitFor();
  await expectNoBarriers(page);
  await page.keyboard.press("Control+a");
  await page.keyboard.type("Lighthouse");
  await page.keyboard.press("Enter");
  await page.getByText("Lighthouse is deleted").first().waitFor();
  await page.waitForURL("**/app/links");
  await page.goto("/app/settings/data");
  await page.getByRole("list", { name: "Deleted teams" }).getByRole("button", { name: "Restore" }).click();
  await page.getByText("Lighthouse is back").first().waitFor();

  await page.getByRole("button", { name: "Delete my account" }).click();
  await page.getByLabel("Type Ann Lee to confirm").fill("Ann Lee");
  await page.getByRole("dialog").getByRole("button", { name: "Delete my account" }).click();
  await page.waitForURL("**/app/sign-in");
  await page.getByText("Your account is deleted").first().waitFor();
  await page.getByLabel("E-mail address").fill(person.email);
  await page.getByLabel("Password", { exact: true }).fill(person.password);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "This account is deleted" }).waitFor();
  await expectNoBarriers(page);
  await page.getByRole("button", { name: "Restore my account" }).click();
  await page.waitForURL(`${ORIGIN}/app/links`);
  await page.getByText("Your account is back").first().waitFor();
});
