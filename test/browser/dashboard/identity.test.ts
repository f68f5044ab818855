import type { BrowserContext, Page } from "playwright-core";
import { expect, it } from "vitest";
import { expectNoBarriers, linkOf, ORIGIN } from "../support/dashboard.ts";
import { database } from "../support/database.ts";
import { openSignedIn } from "../support/visits.ts";

// How persons without a password prove who they are. They have lost it, or have signed in by the link of `npm start`.

/** Takes the password of the person away, whose last proof of the identity is too old by now. */
async function loseProofs(email: string): Promise<void> {
  await database.batch([
    database.prepare("UPDATE users SET password_hash = NULL WHERE email = ?1").bind(email),
    database
      .prepare("UPDATE sessions SET confirmed_at = 0 WHERE user_id = (SELECT id FROM users WHERE email = ?1)")
      .bind(email),
  ]);
}

/** Begins a change that needs a proof. */
async function askForProof(page: Page, url: string) {
  await page.goto(url);
  await page.getByRole("button", { name: "Set up an app" }).click();
  const identity = page.getByRole("dialog", { name: "Is it you?" });
  await identity.waitFor();
  return identity;
}

/** Shows the pages of the service at a host that is not this machine. */
async function serveAt(origin: string, context: BrowserContext): Promise<void> {
  await context.route(`${origin}/**`, async (route) => {
    const { pathname, search } = new URL(route.request().url());
    const headers = { ...route.request().headers(), origin: ORIGIN, "sec-fetch-site": "same-origin" };
    await route.fulfill({ response: await route.fetch({ url: ORIGIN + pathname + search, headers }) });
  });
}

it("on this machine a person without a password confirms with one click", async () => {
  const { page, person } = await openSignedIn({ isLocal: true });
  await loseProofs(person.email);
  const identity = await askForProof(page, "/app/settings/security");
  await identity.getByText("This service runs on your machine, so your word is enough.").waitFor();
  expect(await identity.getByRole("textbox").count()).toBe(0);
  await expectNoBarriers(page);
  await page.keyboard.press("Enter");
  await identity.waitFor({ state: "detached" });
  await page.getByRole("dialog", { name: "Set up an authenticator app" }).waitFor();
});

it("elsewhere a person without a password gets a mail to set one", async () => {
  const elsewhere = "https://tern.example";
  const { page, context, person } = await openSignedIn({ expectedProblems: /^request to https:\/\/tern\.example\// });
  await loseProofs(person.email);
  await serveAt(elsewhere, context);
  const identity = await askForProof(page, `${elsewhere}/app/settings/security`);
  await identity.getByText("You have no password yet.").waitFor();
  expect(await identity.getByRole("textbox").count()).toBe(0);
  await expectNoBarriers(page);
  await identity.getByRole("button", { name: "Send the mail" }).click();
  await identity.getByText(`We have sent a mail to ${person.email}.`).waitFor();
  await expectNoBarriers(page);
  await linkOf(person.email, "reset-password");
});
