import { expect, it } from "vitest";
import { fieldFaults } from "../../../dashboard/src/texts/en/field-faults.ts";
import { refusals } from "../../../dashboard/src/texts/en/refusals.ts";
import { expectNoBarriers, linkOf, ORIGIN, post } from "../support/dashboard.ts";
import { addApp, addAuthenticator, newAddress, offerAndTouch, PASSWORD, tabTo } from "../support/people.ts";
import { signInNewPerson } from "../support/persons.ts";
import { openSignedIn, openVisit } from "../support/visits.ts";

it("signs up with three fields, explains what is wrong with them, and takes over links from before", async () => {
  // There the page shows the link of the mail.
  const { page, context } = await openVisit({ isLocal: true });
  const shortened = await post(context, "/api/shorten", { url: "https://example.com/before" }, 201);
  const email = newAddress();
  await page.goto("/app/sign-up");
  const [name, address] = [page.getByLabel("Your name"), page.getByLabel("E-mail address")];
  const password = page.getByLabel("Password", { exact: true });
  const create = page.getByRole("button", { name: "Create account" });
  await expect.poll(() => name.evaluate((field) => field === document.activeElement)).toBe(true);
  await expectNoBarriers(page);
  const fields = await page
    .locator("form input")
    .evaluateAll((inputs) => inputs.map((each) => each.getAttribute("autocomplete")));
  expect(fields).toEqual(["name", "username", "new-password"]);

  await create.click();
  await page.getByText("Enter your name.").waitFor();
  await name.fill("Ann Lee");
  await address.fill("no address");
  await password.fill("short");
  await page.getByText("12 to 128 characters (now 5) (not met)").waitFor();
  await create.click();
  await page.getByText(fieldFaults.not_an_email).waitFor();
  await address.fill(email);
  await password.fill("Ann Lee Ann Lee");
  await page.getByText("12 to 128 characters (now 15) (met)").waitFor();
  await page.getByText("words of this service (not met)").waitFor();
  await create.click();
  await page.getByText("is made of your name").waitFor();
  await expectNoBarriers(page);
  await password.fill("passwordpassword");
  await page.getByText("Not a common password (not met)").waitFor();
  await password.fill(PASSWORD);
  await page.getByText("words of this service (met)").waitFor();
  await create.click();

  await page.getByRole("heading", { name: "Check your mail" }).waitFor();
  const link = page.getByRole("link", { name: "Open the link of the mail" });
  await link.waitFor();
  await expectNoBarriers(page);
  await page.getByRole("button", { name: "Use another address" }).click();
  expect(await address.inputValue()).toBe(email);
  await create.click();
  // It moves the button.
  await link.waitFor();
  await page.getByRole("button", { name: "Send it again" }).click();
  await page.getByText("A new mail is under way").first().waitFor();
  // The page no longer shows the link of the earlier mail.
  const newest = (await link.getAttribute("href")) ?? "";
  await link.click();
  await page.waitForURL("**/app/links");
  await page.getByText("The link that you shortened before is now yours").first().waitFor();
  const { links } = (await (await context.request.get("/api/links")).json()) as { links: { shortUrl: string }[] };
  expect(shortened).toMatchObject({ shortUrl: links[0]?.shortUrl });
  await page.goto(newest);
  await page.getByRole("heading", { name: "This link no longer works" }).waitFor();
  expect(page.url()).toBe(`${ORIGIN}/app/verify-email`);
  await expectNoBarriers(page);
});

it("verifies an address in another browser with a new password", async () => {
  const { context } = await openVisit();
  const email = newAddress();
  await post(context, "/api/auth/sign-up", { name: "Bob", email, password: PASSWORD }, 202);
  const { page } = await openVisit();
  await page.goto(await linkOf(email, "verify-email"));
  const password = page.getByLabel("Password", { exact: true });
  await password.fill("too short");
  await expectNoBarriers(page);
  await page.keyboard.press("Enter");
  await page.getByText(fieldFaults.too_short({ min: 12 })).waitFor();
  await password.fill("another twelve lanterns");
  await page.getByRole("button", { name: "Verify and sign in" }).click();
  await page.waitForURL("**/app/links");
  await page.reload();
  await page.getByRole("button", { name: /Bob/ }).waitFor();
});

it("signs in by keyboard alone, and goes on where the person wanted to be, but to no other site", async () => {
  const { person } = await openSignedIn();
  const { page } = await openVisit();
  await page.goto("/app/settings/security?from=mail");
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await expectNoBarriers(page);
  await page.keyboard.press("Enter");
  await page.getByText("Enter your address.").waitFor();
  await page.keyboard.type(person.email);
  await tabTo(page, "Password");
  await page.keyboard.type("not this password");
  await tabTo(page, "Show the password");
  await page.keyboard.press("Space");
  expect(await page.getByLabel("Password", { exact: true }).getAttribute("type")).toBe("text");
  await tabTo(page, "Sign in");
  await page.keyboard.press("Enter");
  await page.getByText(refusals.wrong_sign_in).waitFor();
  await expectNoBarriers(page);
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Control+a");
  await page.keyboard.type(person.password);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/app/settings/security?from=mail");

  await page.goto("/app/sign-in?next=//evil.example/app/links");
  await page.getByText(`You are signed in as ${person.email}.`).waitFor();
  await page.getByRole("button", { name: "Go on" }).click();
  await page.waitForURL(`${ORIGIN}/app/links`);
});

it("does not ask who a visitor without a session is, and sees that the visitor signs in elsewhere", async () => {
  const { page, context } = await openVisit();
  const paths: string[] = [];
  page.on("request", (request) => paths.push(new URL(request.url()).pathname));
  await page.goto("/app/sign-in");
  await page.getByRole("link", { name: "Create an account" }).waitFor();
  expect(paths).toContain("/api/service");
  expect(paths).not.toContain("/api/auth/session");
  const person = await signInNewPerson(context);
  await page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
  await page.getByText(`You are signed in as ${person.email}.`).waitFor();
});

it("offers to restore an account to nobody but a person who is deleted", async () => {
  const { page } = await openVisit();
  await page.goto("/app/restore-account");
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  const { page: signedIn } = await openSignedIn();
  await signedIn.goto("/app/restore-account");
  await signedIn.waitForURL(`${ORIGIN}/app/links`);
});

it("asks for the second factor: a code, a recovery code, or the password again", async () => {
  const { page, context, person } = await openSignedIn();
  const { app, recoveryCodes } = await addApp(context);
  await post(context, "/api/auth/sign-out", {}, 200);
  const giveAddress = async () => {
    await page.goto("/app/sign-in");
    await page.getByLabel("E-mail address").fill(person.email);
    await page.getByLabel("Password", { exact: true }).fill(person.password);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Second step" }).waitFor();
  };
  await giveAddress();
  await expectNoBarriers(page);
  await page.keyboard.type("000000");
  await page.keyboard.press("Enter");
  await page.getByText(refusals.wrong_second_factor).waitFor();
  await expectNoBarriers(page);
  await page.getByLabel("Code of your authenticator app").fill(app());
  await page.keyboard.press("Enter");
  await page.waitForURL("**/app/links");

  await post(context, "/api/auth/sign-out", {}, 200);
  await giveAddress();
  await page.getByRole("button", { name: /use a recovery code/ }).click();
  await expectNoBarriers(page);
  await page.keyboard.type(recoveryCodes[0] ?? "");
  await page.keyboard.press("Enter");
  await page.getByText("You signed in with a recovery code").first().waitFor();
  await page.getByRole("button", { name: "Security settings" }).click();
  await page.getByText("9 of 10 left").waitFor();

  await post(context, "/api/auth/sign-out", {}, 200);
  await giveAddress();
  // As after five minutes: the browser no longer has the cookie of the second step.
  await context.clearCookies();
  await page.getByLabel("Code of your authenticator app").fill(app(1));
  await page.keyboard.press("Enter");
  await page.getByText("That took longer than five minutes.").waitFor();
  expect(await page.getByLabel("E-mail address").inputValue()).toBe(person.email);
  await expectNoBarriers(page);
});

it("signs in with a passkey: offered where the address is filled in, by a button, and as the second step", async () => {
  const { page, context, person } = await openSignedIn();
  const authenticator = await addAuthenticator(page);
  await page.goto("/app/settings/security");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByRole("button", { name: "Go on" }).click();
  await page.getByRole("dialog", { name: "Keep these recovery codes" }).waitFor();

  await post(context, "/api/auth/sign-out", {}, 200);
  // The person chooses the passkey that the browser offers.
  await page.goto("/app/sign-in");
  await page.waitForURL("**/app/links");

  await post(context, "/api/auth/sign-out", {}, 200);
  await authenticator.touch(false);
  await offerAndTouch(page, authenticator, "Sign in with a passkey");
  await page.waitForURL("**/app/links");

  await post(context, "/api/auth/sign-out", {}, 200);
  await authenticator.touch(false);
  await page.goto("/app/sign-in");
  await page.getByLabel("E-mail address").fill(person.email);
  await page.getByLabel("Password", { exact: true }).fill(person.password);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Second step" }).waitFor();
  await expectNoBarriers(page);
  await authenticator.touch(true);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/app/links");
});

it("sets a forgotten password", async () => {
  const { page, person } = await openSignedIn();
  const former = page.context();
  await page.goto("/app/sign-in");
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  await page.getByRole("button", { name: "Send the link" }).click();
  await page.getByText("Enter your address.").waitFor();
  await expectNoBarriers(page);
  await page.keyboard.type(person.email);
  await page.keyboard.press("Enter");
  await page.getByText(`If ${person.email} has an account`).waitFor();
  await expectNoBarriers(page);
  const link = await linkOf(person.email, "reset-password");
  await page.goto(link);
  expect(page.url()).toBe(`${ORIGIN}/app/reset-password`);
  await expectNoBarriers(page);
  await page.getByLabel("New password").fill("passwordpassword");
  await page.keyboard.press("Enter");
  await page.getByText("is one of the commonest passwords").waitFor();
  await page.getByLabel("New password").fill("nineteen loud lanterns");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Your password is set" }).waitFor();
  await expectNoBarriers(page);
  expect((await former.request.get("/api/auth/session")).status()).toBe(401);
  // A used link of the same page, while the page is open: it says so before a password is typed.
  await page.goto(link);
  await page.getByRole("heading", { name: "This link no longer works" }).waitFor();
  await page.getByRole("link", { name: "Send a new link" }).waitFor();
});

it("changes the address after signing in, and gives it back", async () => {
  const { page, context, person } = await openSignedIn();
  const email = newAddress();
  await page.goto("/app/settings/person");
  await page.getByRole("button", { name: "Change address" }).click();
  await page.keyboard.type(person.email);
  await page.keyboard.press("Enter");
  await page.getByText(fieldFaults.same_email).waitFor();
  await expectNoBarriers(page);
  await page.getByLabel("New address").fill(email);
  await page.getByRole("button", { name: "Send the link" }).click();
  await page.getByText(`Open the link in the mail to ${email}`).waitFor();
  await expectNoBarriers(page);

  const link = await linkOf(email, "confirm-email");
  await context.clearCookies();
  await page.goto(link);
  await page.getByRole("link", { name: "Sign in to go on" }).click();
  await page.getByLabel("E-mail address").fill(person.email);
  await page.getByLabel("Password", { exact: true }).fill(person.password);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Your address is changed" }).waitFor();
  await expectNoBarriers(page);
  await page.getByRole("link", { name: "Go to my address" }).click();
  await page.getByText(email).first().waitFor();

  await page.goto(await linkOf(person.email, "undo-email"));
  await page.getByRole("heading", { name: "Keep your address?" }).waitFor();
  await expectNoBarriers(page);
  await page.getByRole("button", { name: "Keep my address" }).click();
  await page.getByRole("heading", { name: "Your address is back" }).waitFor();
  await linkOf(person.email, "reset-password");
  // Nobody has to sign in for a dead link, or decides about it.
  for (const used of [link, await linkOf(person.email, "undo-email")]) {
    await page.goto(used);
    await page.getByRole("heading", { name: "This link no longer works" }).waitFor();
  }
});

it("removes a stranger's second factor by the link of the mail, without a session", async () => {
  const { context, person } = await openSignedIn();
  await addApp(context);
  const { page } = await openVisit();
  const link = await linkOf(person.email, "undo-factor");
  await page.goto(link);
  await page.getByRole("heading", { name: "Remove what was added?" }).waitFor();
  // The token is in neither the address nor the history.
  expect(page.url()).not.toContain("token");
  await expectNoBarriers(page);
  await page.getByRole("button", { name: "Remove them" }).click();
  await page.getByRole("heading", { name: "The second factors are removed" }).waitFor();
  await expectNoBarriers(page);
  await page.goto(link);
  await page.getByRole("heading", { name: "This link no longer works" }).waitFor();

  await page.goto(await linkOf(person.email, "reset-password"));
  await page.getByLabel("New password").fill("forty green umbrellas");
  await page.getByRole("button", { name: "Set the password" }).click();
  await page.getByText("Your password is set").waitFor();
  await page.goto("/app/sign-in");
  await page.getByLabel("E-mail address").fill(person.email);
  await page.getByLabel("Password", { exact: true }).fill("forty green umbrellas");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/app/links");
});
