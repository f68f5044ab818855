import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { CONFIRMATION_TTL_MS } from "../../src/platform/auth/limits.ts";
import { HOUR_MS, MINUTE_MS } from "../../src/limits.ts";
import { MAX_GUESSES } from "../../src/identity/people/limits.ts";
import { callApi } from "./support/accounts.ts";
import {
  addApp,
  Browser,
  LOCAL,
  mailsTo,
  OTHER_PASSWORD,
  signIn,
  signUp,
  tokenOf,
  type Person,
} from "./support/browser.ts";
import { startService, type Isolate, type Service } from "./support/service.ts";

// What a thief or a former member tries, step by step, against a running service. The tests of the features have the
// variants and races: test/identity/people, test/identity/teams, test/access/audit, test/platform/auth and test/links/tags.

let service: Service<"here">;
let here: Isolate;

beforeAll(async () => {
  service = await startService({ here: "one" }, { variables: { ...LOCAL, SIGN_UP: "example.com" } });
  ({ here } = service.isolates);
});
afterAll(() => service.stop());
// One client may read the outbox 60 times a minute.
beforeEach(() => here.advance(MINUTE_MS));

let persons = 0;
const newPerson = (name?: string): Promise<Person> => signUp(here, `ann${++persons}@example.com`, name);

/** A team of a new person, with another person in this role. Both browsers act for it. */
async function makeTeam(role: string, name?: string) {
  const [owner, member] = [await newPerson("Olga Owner"), await newPerson(name)];
  const { body } = await owner.browser.send("POST", "/api/teams", { name: "Acme" });
  const { id } = body["team"] as { id: string };
  const path = `/api/teams/${id}`;
  await owner.browser.send("POST", `${path}/invitations`, { email: member.email, role });
  const token = await tokenOf(here, member.email, "invitation");
  expect((await member.browser.send("POST", "/api/teams/invitations/accept", { token })).status).toBe(200);
  owner.browser.account = member.browser.account = id;
  return { owner, member, path, memberPath: `${path}/members/${member.userId}` };
}

interface NewKey {
  id: string;
  value: string;
}

async function createKey(by: Browser | string, name: string): Promise<NewKey> {
  const path = "/api/keys";
  const body =
    typeof by === "string"
      ? (await callApi(here, by, "POST", path, { name })).json()
      : (await by.send("POST", path, { name })).body;
  return (body as { key: NewKey }).key;
}

const statusOfKey = async ({ value }: NewKey) => (await callApi(here, value, "GET", "/api/links")).status;

it("the owner takes back a factor that a stranger with the password added", async () => {
  const { browser, email } = await newPerson();
  const thief = await signIn(here, email);
  await addApp(here, thief);
  const undo = await tokenOf(here, email, "undo-factor");
  expect((await new Browser(here).send("POST", "/api/auth/mfa/undo", { token: undo })).status).toBe(200);
  expect([await thief.status(), await browser.status()]).toEqual([401, 401]);
  const token = await tokenOf(here, email, "reset-password");
  await new Browser(here).auth("/password/reset", { token, password: OTHER_PASSWORD });
  expect(await (await signIn(here, email, OTHER_PASSWORD)).status()).toBe(200);
});

it("a team that requires a second factor stays closed to the session of a stranger with the password", async () => {
  const { owner, member, path } = await makeTeam("member");
  const thief = await signIn(here, member.email);
  await addApp(here, owner.browser);
  expect((await owner.browser.send("PATCH", path, { requireMfa: true })).status).toBe(200);
  await addApp(here, member.browser);
  expect((await thief.send("GET", `${path}/members`)).body.code).toBe("mfa_required");
  expect((await member.browser.send("GET", `${path}/members`)).status).toBe(200);
});

it.each([
  ["removed", (path: string, owner: Browser) => owner.send("DELETE", path)],
  ["made a viewer", (path: string, owner: Browser) => owner.send("PATCH", path, { role: "viewer" })],
] as const)("an admin who is %s keeps no key, also none that a revoked key made", async (_, end) => {
  const { owner, member, memberPath } = await makeTeam("admin");
  const first = await createKey(member.browser, "K1");
  const second = await createKey(first.value, "K2");
  expect((await member.browser.send("DELETE", `/api/keys/${first.id}`)).status).toBe(200);
  expect(await statusOfKey(second)).toBe(200);
  const { body } = await end(memberPath, owner.browser);
  expect(body["keys"]).toEqual([{ id: second.id, name: "K2" }]);
  expect(await statusOfKey(second)).toBe(401);
});

it("a stolen session takes nothing that lasts without a confirmed identity", async () => {
  const { browser } = await newPerson();
  const key = await createKey(browser, "Robot");
  const hook = { url: "https://example.com/in", events: ["link.create"] };
  const { webhook } = (await browser.send("POST", "/api/webhooks", hook)).body as { webhook: { id: string } };
  const { body } = await browser.send("POST", "/api/links", { url: "https://example.com/" });
  const { id } = body["link"] as { id: string };
  await here.advance(CONFIRMATION_TTL_MS);
  for (const [method, path, sent] of [
    ["POST", "/api/keys", { name: "Stolen" }],
    ["DELETE", `/api/keys/${key.id}`],
    ["PATCH", `/api/webhooks/${webhook.id}`, { url: "https://example.org/in" }],
    ["POST", `/api/webhooks/${webhook.id}/rotate-secret`],
    ["POST", "/api/account/exports"],
    ["POST", "/api/auth/mfa/totp"],
  ] as const)
    expect([path, (await browser.send(method, path, sent)).body.code]).toEqual([path, "confirm_identity"]);
  // It can be taken back.
  expect((await browser.send("DELETE", `/api/links/${id}`)).status).toBe(200);
});

it("guesses of a stranger keep the owner out neither elsewhere nor after a new password", async () => {
  const { email } = await newPerson();
  const tryIn = async (browser: Browser, password: string) =>
    (await browser.send("POST", "/api/auth/sign-in", { email, password })).status;
  const thief = new Browser(here);
  thief.address = "203.0.113.7";
  for (let guess = 0; guess < MAX_GUESSES; guess++) expect(await tryIn(thief, `wrong guess ${guess}`)).toBe(401);
  expect(await tryIn(thief, "one more guess")).toBe(429);
  await signIn(here, email);
  const owner = new Browser(here);
  owner.address = "203.0.113.8";
  await owner.auth("/password/forgot", { email });
  const token = await tokenOf(here, email, "reset-password");
  await owner.auth("/password/reset", { token, password: OTHER_PASSWORD });
  expect(await tryIn(owner, OTHER_PASSWORD)).toBe(200);
});

it("a stranger who uses up the mails leaves the owner a link that works", async () => {
  const { email } = await newPerson();
  const stranger = new Browser(here);
  for (let mail = 0; mail < 4; mail++) await stranger.auth("/password/forgot", { email });
  const token = await tokenOf(here, email, "reset-password");
  await here.advance(HOUR_MS - MINUTE_MS);
  await new Browser(here).auth("/password/reset", { token, password: OTHER_PASSWORD });
});

it("an admin who takes the owner's name does not become the owner of what they did", async () => {
  const { owner, member } = await makeTeam("admin", "Mallory");
  const { id } = await createKey(member.browser, "Back door");
  await here.advance(1);
  expect((await member.browser.send("PATCH", "/api/auth/user", { name: "Olga Owner" })).status).toBe(200);
  const { body } = await owner.browser.send("GET", "/api/account/audit");
  expect(body["entries"]).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        action: "key.create",
        targetId: id,
        actor: expect.objectContaining({ name: "Mallory" }),
      }),
      expect.objectContaining({ action: "user.update", before: { name: "Mallory" }, after: { name: "Olga Owner" } }),
    ]),
  );
});

it("nobody changes to an address of a domain that may not sign up", async () => {
  const { browser, email } = await newPerson();
  const change = await browser.send("POST", "/api/auth/email/change", { email: "thief@example.org" });
  expect([change.status, await mailsTo(here, "thief@example.org")]).toEqual([400, []]);
  expect((await mailsTo(here, email)).map(({ subject }) => subject)).toEqual(["Verify your address"]);
});

it("the owner is told of wrong codes after the right password", async () => {
  const { browser, email } = await newPerson();
  await addApp(here, browser);
  const thief = await signIn(here, email);
  for (let guess = 0; guess < 3; guess++)
    expect((await thief.send("POST", "/api/auth/sign-in/mfa", { code: "000000" })).status).toBe(401);
  const [newest] = await mailsTo(here, email);
  expect(newest).toMatchObject({ subject: "Somebody has your password", link: null });
});
