import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { ALL_SCOPES, answerAt, AT_SITE, openPopup, registerApp } from "../support/apps.ts";
import { expectNoBarriers, linkOf, ORIGIN, post } from "../support/dashboard.ts";
import { addApp, createTeam, joinTeam, newAddress, PASSWORD } from "../support/people.ts";
import type { Person } from "../support/persons.ts";
import { openSignedIn, openVisit } from "../support/visits.ts";

const allow = (page: Page) => page.getByRole("button", { name: "Allow" });
const deny = (page: Page) => page.getByRole("button", { name: "Deny" });
const account = (page: Page) => page.getByLabel("Account");

async function signIn(page: Page, { email, password }: Pick<Person, "email" | "password">): Promise<void> {
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** The addresses to which scripts of the page lead the window. A browser without the program of a scheme stays where it is. */
async function watchNavigations(page: Page): Promise<string[]> {
  const urls: string[] = [];
  const devTools = await page.context().newCDPSession(page);
  devTools.on("Page.frameRequestedNavigation", ({ url }) => urls.push(url));
  await devTools.send("Page.enable");
  return urls;
}

it("asks in a popup of the app, which gets what stays ticked and keeps its own window", async () => {
  const { context } = await openSignedIn();
  const app = await registerApp({ name: "Planner" });
  const { opener, popup } = await openPopup(context, app);
  await popup.getByRole("heading", { name: "Give “Planner” access?" }).waitFor();
  // The request of the app is neither in the address nor in the history.
  expect(popup.url()).toBe(`${ORIGIN}/app/authorize`);
  await popup.getByText("Not verified").waitFor();
  await popup.getByText("a program on this computer (127.0.0.1)").waitFor();
  await popup.getByText("A program on this computer gets the answer.").waitFor();
  await expectNoBarriers(popup);
  await popup.reload();
  await popup.getByRole("group", { name: "Change" }).getByLabel("Add and verify custom domains").uncheck();
  await popup.getByRole("group", { name: "See" }).getByLabel("Clicks and visitors").uncheck();
  await allow(popup).click();

  await answerAt(popup);
  const answer = opener.locator("output", { hasText: "code=" });
  await answer.waitFor();
  const query = await answer.innerText();
  expect(new URLSearchParams(query).get("state")).toBe("state-1");
  const { scope } = await app.redeem(query);
  expect(scope.split(" ").toSorted()).toEqual(["domains:read", "links:read", "links:write", "webhooks:read"]);
});

it("brings the refusal back with the app's own state, to the letter (dark, phone)", async () => {
  const { page } = await openSignedIn({ width: 390, height: 844, theme: "dark", expectedProblems: AT_SITE });
  // A value that the router would write in another way.
  const app = await registerApp({ state: '1e5 "quoted" {"a": 1.0}&state=2' });
  await page.goto(app.url);
  await deny(page).waitFor();
  await expectNoBarriers(page);
  await deny(page).click();
  const query = new URLSearchParams(await answerAt(page));
  expect(query.get("error")).toBe("access_denied");
  expect(query.get("state")).toBe('1e5 "quoted" {"a": 1.0}&state=2');
  // The request was answered.
  await page.goto("/app/authorize");
  await page.getByRole("heading", { name: "No app is asking" }).waitFor();
  await expectNoBarriers(page);
});

it("gives only what reads by one button, needs one scope, and takes all back", async () => {
  const { page } = await openSignedIn({ width: 1280, expectedProblems: AT_SITE });
  const app = await registerApp();
  await page.goto(app.url);
  await allow(page).waitFor();
  await expectNoBarriers(page);
  await page.getByRole("button", { name: "Only read" }).click();
  for (const box of await page.getByRole("group", { name: "Change" }).getByRole("checkbox").all())
    expect(await box.isChecked()).toBe(false);
  await page.getByRole("button", { name: "All it asks for" }).click();
  for (const box of await page.getByRole("checkbox").all()) await box.uncheck();
  await page.getByText("Tick at least one").waitFor();
  expect(await allow(page).isDisabled()).toBe(true);
  await page.getByRole("button", { name: "All it asks for" }).click();
  await page.getByRole("button", { name: "Only read" }).click();
  await allow(page).click();
  const { scope } = await app.redeem(await answerAt(page));
  expect(scope.split(" ").toSorted()).toEqual(["clicks:read", "domains:read", "links:read", "webhooks:read"]);
});

it("takes a proof of the identity before an app may change something, and nothing without it", async () => {
  const { page, context, person } = await openSignedIn({ expectedProblems: AT_SITE });
  const app = await registerApp();
  // As when the last proof is older than 10 minutes.
  const error = "Confirm that it is you with POST /api/auth/confirm, and send this request again.";
  const late = { status: 403, json: { error, code: "confirm_identity" } };
  await page.route("**/api/auth/apps/decide", (route) => route.fulfill(late), { times: 2 });
  await page.route("**/api/auth/apps/describe", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), needsConfirmation: true } });
  });
  await page.goto(app.url);
  await page.getByText("To connect the app, you first prove that it is you.").waitFor();
  await allow(page).click();
  const identity = page.getByRole("dialog", { name: "Is it you?" });
  await identity.waitFor();
  await expectNoBarriers(page);
  await page.keyboard.press("Escape");
  await page.getByText("Nothing was changed, because you did not confirm that it is you.").waitFor();
  const { apps } = (await (await context.request.get("/api/auth/apps")).json()) as { apps: unknown[] };
  expect(apps).toEqual([]);
  await allow(page).click();
  await identity.getByLabel("Password", { exact: true }).fill(person.password);
  await page.keyboard.press("Enter");
  const { scope } = await app.redeem(await answerAt(page));
  expect(scope.split(" ").toSorted()).toEqual(ALL_SCOPES.split(" ").toSorted());
});

it("comes back to the request after a sign-up in the same window", async () => {
  const { page } = await openVisit({ expectedProblems: AT_SITE });
  const app = await registerApp();
  await page.goto(app.url);
  await page.getByText("An app waits for your answer.").waitFor();
  await expectNoBarriers(page);
  await page.getByRole("link", { name: "Create an account" }).click();
  await page.getByLabel("Your name").fill("Ann Lee");
  const email = newAddress();
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Create account" }).click();
  await page.goto(await linkOf(email, "verify-email"));
  await allow(page).click();
  await app.redeem(await answerAt(page));
});

it("goes on in the app's popup when the mail of the sign-up is opened in another tab", async () => {
  const { page, context } = await openVisit({ expectedProblems: AT_SITE });
  const app = await registerApp();
  const { opener, popup } = await openPopup(context, app);
  await popup.getByRole("link", { name: "Create an account" }).click();
  const email = newAddress();
  await popup.getByLabel("Your name").fill("Ann Lee");
  await popup.getByLabel("E-mail address").fill(email);
  await popup.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await popup.getByRole("button", { name: "Create account" }).click();
  await popup.getByRole("heading", { name: "Check your mail" }).waitFor();
  await page.goto(await linkOf(email, "verify-email"));
  await allow(page).waitFor();
  await allow(popup).click();
  await opener.locator("output", { hasText: "code=" }).waitFor();
});

it("comes back after a second factor, and as another person with another account", async () => {
  const { page, context, person } = await openSignedIn({ name: "Ann Lee", theme: "dark", expectedProblems: AT_SITE });
  const { app: authenticator } = await addApp(context);
  const other = await openSignedIn({ name: "Olga Owner" });
  await createTeam(other.context);
  await post(context, "/api/auth/sign-out", {}, 200);
  const app = await registerApp();
  await page.goto(app.url);
  await signIn(page, person);
  await page.getByLabel("Code of your authenticator app").fill(authenticator());
  await page.keyboard.press("Enter");
  await page.getByText(`You are ${person.email}.`).waitFor();

  await page.getByRole("button", { name: "Sign in as somebody else" }).click();
  await signIn(page, other.person);
  await page.getByText(`You are ${other.person.email}.`).waitFor();
  await account(page).selectOption({ label: "Lighthouse" });
  await allow(page).click();
  const { access_token: token } = await app.redeem(await answerAt(page));
  expect(token).not.toBe("");
  await other.page.goto("/app/settings/apps");
  await other.page.getByRole("button", { name: /Olga Owner/ }).click();
  await other.page.getByRole("menuitemcheckbox", { name: "Lighthouse" }).click();
  await other.page.getByRole("heading", { name: "Assistant", exact: true }).waitFor();
});

it("offers a viewer only what the role has, and another account if that is nothing", async () => {
  const owner = await openSignedIn({ name: "Olga Owner" });
  const teamId = await createTeam(owner.context);
  const { page, context, person } = await openSignedIn({ name: "Gus Hill" });
  await joinTeam(owner.context, teamId, { context, person }, "viewer");
  await page.goto((await registerApp()).url);
  await account(page).focus();
  await account(page).selectOption({ label: "Lighthouse" });
  await page.getByRole("group", { name: "Change" }).waitFor({ state: "detached" });
  expect(await account(page).evaluate((field) => field === document.activeElement)).toBe(true);
  expect(await page.getByRole("checkbox").count()).toBe(3);

  await page.goto((await registerApp({ scope: "links:write" })).url);
  await page.getByRole("heading", { name: "This app cannot be connected" }).waitFor();
  await page.getByText("If your role in Lighthouse is the reason, choose another account.").waitFor();
  await expectNoBarriers(page);
  await account(page).selectOption({ label: "Gus Hill" });
  await page.getByLabel("Create, change and delete links").waitFor();
});

it("says what a team needs that requires a second factor, and keeps the request when another tab signs out", async () => {
  const owner = await openSignedIn({ name: "Olga Owner" });
  await addApp(owner.context);
  const teamId = await createTeam(owner.context);
  const { page, context, person } = await openSignedIn({ name: "Gus Hill" });
  await joinTeam(owner.context, teamId, { context, person }, "member");
  const required = await owner.context.request.patch(`/api/teams/${teamId}`, {
    data: { requireMfa: true },
    headers: { Origin: ORIGIN },
  });
  expect(required.status()).toBe(200);
  await page.goto((await registerApp()).url);
  await account(page).selectOption({ label: "Lighthouse" });
  await page.getByRole("link", { name: "Add a second factor" }).waitFor();
  await expectNoBarriers(page);
  await account(page).selectOption({ label: "Gus Hill" });
  await allow(page).waitFor();

  const other = await context.newPage();
  await other.goto("/app/links");
  await other.getByRole("button", { name: /Gus Hill/ }).click();
  await other.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByText("An app waits for your answer.").waitFor();
  await signIn(page, person);
  await allow(page).waitFor();
});

it("opens the program of an app by its own scheme, and says how to open it again", async () => {
  const { page } = await openSignedIn();
  const app = await registerApp({ name: "Editor", redirectUri: "cursor://anysphere.cursor-mcp/oauth/callback" });
  await page.goto(app.url);
  await page.getByText("the program that opens “cursor” links").waitFor();
  const navigations = await watchNavigations(page);
  await allow(page).click();
  await page.getByRole("heading", { name: "“Editor” has access" }).waitFor();
  await expectNoBarriers(page);
  const [led = ""] = navigations;
  expect(led).toMatch(/^cursor:\/\/anysphere\.cursor-mcp\/oauth\/callback\?code=/);
  expect(await page.getByRole("link", { name: "Open the program" }).getAttribute("href")).toBe(led);
  await app.redeem(new URL(led).search);
});

it("shows the name of an app as text alone, and leads to no address that runs code", async () => {
  const { page } = await openSignedIn({ width: 390, height: 844 });
  const name =
    "\u202Etern\u202C <img src=x onerror=alert(1)> \u0007 of the security team, which needs all of your links now";
  await page.goto((await registerApp({ name })).url);
  const heading = page.getByRole("heading", { level: 1 });
  await heading.filter({ hasText: "access?" }).waitFor();
  const shown = await heading.innerText();
  expect(shown).toContain("tern <img src=x onerror=alert(1)>");
  expect(shown.length).toBeLessThan(90);
  expect(shown).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(await heading.locator("img").count()).toBe(0);
  expect(await heading.locator("bdi").getAttribute("dir")).toBe("auto");
  await expectNoBarriers(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);

  // The service never answers so. The page checks it nevertheless.
  const navigations = await watchNavigations(page);
  for (const uri of ["javascript:alert(1)", "data:text/html,hello", "file:///etc/passwd", "http://evil.example/"]) {
    const { url } = await registerApp();
    await page.route("**/api/auth/apps/decide", (route) => route.fulfill({ json: { redirectUri: uri } }), { times: 1 });
    await page.goto(url);
    await allow(page).click();
    await page.getByText("The app wants the answer at an address that browsers must not open.").waitFor();
    expect(await page.getByRole("main").getByRole("link").count()).toBe(0);
  }
  expect(navigations).toEqual([]);
});

it("says why a request cannot be answered, without the words of a stranger's link", async () => {
  const { page } = await openVisit();
  await page.goto("/oauth/authorize?client_id=nobody&redirect_uri=https://evil.example/");
  await page.getByText("This service does not know the app").waitFor();
  await expectNoBarriers(page);
  await page.goto("/app/authorize?error=x&error_description=Call%20us%20to%20unlock%20your%20account");
  await page.getByText("The app asks in a way that this service does not accept.").waitFor();
  expect(await page.getByText("Call us").isVisible()).toBe(false);
});

it("offers the way back for a wrong request of a known app", async () => {
  const { page } = await openSignedIn({ expectedProblems: AT_SITE });
  const { url } = await registerApp();
  await page.goto(url.replace("code_challenge_method=S256", "code_challenge_method=plain"));
  await page.getByRole("heading", { name: "This app cannot be connected" }).waitFor();
  await expectNoBarriers(page);
  await page.getByRole("button", { name: "Back to a program on this computer" }).click();
  expect(new URLSearchParams(await answerAt(page)).get("error")).toBe("invalid_request");
});

it("cannot be shown in a frame, and keeps the window of an app only where one asks", async () => {
  const headersOf = async (path: string) => (await fetch(`${ORIGIN}${path}`)).headers;
  for (const path of ["/app/authorize", "/app/sign-in", "/app/sign-up", "/app/verify-email"]) {
    const headers = await headersOf(path);
    expect(headers.get("Cross-Origin-Opener-Policy"), path).toBeNull();
    expect(headers.get("Content-Security-Policy"), path).toContain("frame-ancestors 'none'");
  }
  for (const path of ["/", "/docs", "/docs/reference", "/app/links", "/app/settings/apps", "/app/authorize/more"])
    expect((await headersOf(path)).get("Cross-Origin-Opener-Policy"), path).toBe("same-origin");
});
