import { env } from "cloudflare:workers";
import { Secret, TOTP } from "otpauth";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { MINUTE_MS } from "../../src/lib/duration.ts";
import { freshAddress } from "../support/address.ts";
import { internet } from "../webhooks/support.ts";
import { Authenticator, type Behaviour } from "./authenticator.ts";
import { Browser, forgetConfirmation, newEmail, OTHER_PASSWORD, PASSWORD, signUp, takeMails } from "./support.ts";

beforeEach(() => internet.reset());

const post = (browser: Browser, path: string, body?: unknown) => {
  browser.address = freshAddress();
  return browser.post(`/api/auth${path}`, body);
};
const statusOf = async (browser: Browser) => (await browser.get("/api/auth/session")).status;
const optionsAt = async (browser: Browser, path: string) => (await post(browser, path)).body;

async function addPasskey(browser: Browser, key: Authenticator, behaviour?: Behaviour, name?: string) {
  const answer = await key.register(await optionsAt(browser, "/passkeys/options"), behaviour);
  return post(browser, "/passkeys", { ...answer, ...(name !== undefined && { name }) });
}

/** A person with a passkey. */
async function withPasskey(behaviour?: Behaviour) {
  const person = await signUp();
  const key = await Authenticator.create();
  const added = await addPasskey(person.browser, key, behaviour);
  expect(added.status).toBe(201);
  await takeMails();
  const { id } = added.body["passkey"] as { id: string };
  return { ...person, key, id, recoveryCodes: added.body["recoveryCodes"] as string[] };
}

async function atSecondStep(email: string, browser = new Browser()) {
  const { body } = await post(browser, "/sign-in", { email, password: PASSWORD });
  return { browser, body };
}

async function signInWith(key: Authenticator, behaviour?: Behaviour, browser = new Browser()) {
  const answer = await key.prove(await optionsAt(browser, "/passkeys/sign-in/options"), behaviour);
  return { browser, answer, reply: await post(browser, "/passkeys/sign-in", answer) };
}

describe("a passkey", () => {
  it("is added, listed, renamed and removed; the person gets recovery codes with the first, and mails", async () => {
    const { browser, email, userId } = await signUp();
    const options = await optionsAt(browser, "/passkeys/options");
    expect(options).toMatchObject({
      rp: { id: "tern.test", name: "Tern" },
      user: { id: expect.stringMatching(/^[\w-]{43}$/), name: email, displayName: "Ann Lee" },
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      attestation: "none",
      excludeCredentials: [],
    });
    const before = browser.session;
    const [first, second] = [await Authenticator.create(), await Authenticator.create()];
    const added = await addPasskey(browser, first, {}, "Phone");
    expect([added.status, added.body]).toEqual([
      201,
      {
        passkey: expect.objectContaining({ name: "Phone", synced: false, lastUsedAt: null }),
        recoveryCodes: expect.any(Array),
      },
    ]);
    expect(browser.session).not.toBe(before);
    const again = await addPasskey(browser, second);
    expect(again.body).toMatchObject({ passkey: { name: "Passkey" }, recoveryCodes: null });
    // Both have the same random handle, and options name what is there.
    expect([second.userHandle, second.userHandle.includes(userId)]).toEqual([first.userHandle, false]);
    const excluded = (await optionsAt(browser, "/passkeys/options"))["excludeCredentials"];
    expect(excluded).toMatchObject([{ id: first.id, transports: ["internal"] }, { id: second.id }]);
    const { id } = added.body["passkey"] as { id: string };
    const path = `/api/auth/passkeys/${id}`;
    const renamed = await browser.send("PATCH", path, { body: { name: "Old phone" } });
    expect(renamed.body).toMatchObject({ passkey: { id, name: "Old phone" } });
    expect((await browser.get("/api/auth/mfa")).body).toMatchObject({
      totp: false,
      recoveryCodesLeft: 10,
      passkeys: [{ name: "Old phone" }, { name: "Passkey" }],
    });
    await forgetConfirmation();
    expect((await browser.delete(path)).body.code).toBe("confirm_identity");
    const proof = await second.prove(await optionsAt(browser, "/confirm/options"));
    expect((await post(browser, "/confirm", { passkey: proof })).status).toBe(200);
    expect([(await browser.delete(path)).status, (await browser.delete(path)).status]).toEqual([200, 404]);
    expect((await takeMails()).map(({ subject }) => subject)).toEqual([
      "A passkey was added",
      "A passkey was added",
      "A passkey was removed",
    ]);
    const { results } = await env.DB.prepare(
      "SELECT action FROM audit_entries WHERE action LIKE 'passkey%' ORDER BY id",
    ).all<{ action: string }>();
    expect(results.map(({ action }) => action)).toEqual([
      "passkey.add",
      "passkey.add",
      "passkey.rename",
      "passkey.remove",
    ]);
  });

  it("signs in without address and password, with a new session", async () => {
    const { email, key, browser: known } = await withPasskey();
    const planted = known.session;
    const { browser, reply } = await signInWith(key, {}, known);
    expect(reply.body).toMatchObject({ session: { current: true }, user: { email } });
    expect(browser.session).not.toBe(planted);
    expect(browser.cookies.has("__Host-tern-passkey")).toBe(false);
    // It counts as both factors: the identity is confirmed.
    expect((await browser.delete("/api/auth/sessions")).status).toBe(200);
    expect((await browser.get("/api/auth/mfa")).body).toMatchObject({ passkeys: [{ lastUsedAt: expect.any(Number) }] });
  });

  it("is a second factor, also one that does not verify the person, which then cannot sign in alone", async () => {
    const { email, key } = await withPasskey({ verifiesUser: false });
    const { browser, body } = await atSecondStep(email);
    expect(body).toEqual({ mfa: ["passkey", "recovery"] });
    const options = await optionsAt(browser, "/sign-in/mfa/options");
    expect(options).toMatchObject({ rpId: "tern.test", allowCredentials: [{ id: key.id }] });
    const proof = await key.prove(options, { verifiesUser: false, userHandle: null });
    expect((await post(browser, "/sign-in/mfa", { passkey: proof })).status).toBe(200);
    expect(await statusOf(browser)).toBe(200);
    expect((await signInWith(key, { verifiesUser: false })).reply.status).toBe(401);
  });

  it("can be made on localhost, under any of its names", async () => {
    const local = new Browser("http://127.0.0.1:8787");
    local.address = "127.0.0.1";
    const bindings = { BASE_URL: "http://127.0.0.1:8787", MAIL: "" };
    const email = newEmail();
    await local.post("/api/auth/sign-up", { email, password: PASSWORD, name: "Ann" }, { bindings });
    const { body } = await local.get("/api/auth/outbox", { bindings });
    const [{ link }] = body["mails"] as [{ link: string }];
    await local.post("/api/auth/verify-email", { token: link.split("=")[1] }, { bindings });
    const options = (await local.post("/api/auth/passkeys/options", undefined, { bindings })).body;
    expect(options["rp"]).toMatchObject({ id: "localhost" });
    const key = await Authenticator.create("http://localhost:8787");
    const added = await local.post("/api/auth/passkeys", await key.register(options), { bindings });
    expect(added.status).toBe(201);
  });

  it.each<[string, Behaviour]>([
    ["of another origin", { origin: "https://tern.test.evil.test" }],
    ["over http", { origin: "http://tern.test" }],
    ["for another user's handle", { userHandle: "AAAA" }],
    ["for nobody", { userHandle: null }],
    ["with a counter that goes back, as that of a copy", { counter: 5 }],
  ])("is refused with an answer %s", async (_, behaviour) => {
    const { key } = await withPasskey({ counter: 7 });
    expect((await signInWith(key, { counter: 8, ...behaviour })).reply.status).toBe(401);
    expect((await signInWith(key, { counter: 9 })).reply.status).toBe(200);
  });

  it("is refused with another key's signature, when it is unknown, and when it was removed", async () => {
    const { key, browser, id } = await withPasskey();
    const forged = await Authenticator.create("https://tern.test", key.id);
    Object.assign(forged, { userHandle: key.userHandle, rpId: key.rpId });
    const unknown = await Authenticator.create();
    Object.assign(unknown, { userHandle: key.userHandle, rpId: key.rpId });
    const replies = [await signInWith(forged), await signInWith(unknown)];
    await browser.delete(`/api/auth/passkeys/${id}`);
    replies.push(await signInWith(key));
    const [first] = replies.map(({ reply }) => [reply.status, reply.body]);
    for (const { reply } of replies) expect([reply.status, reply.body]).toEqual(first);
    expect(first?.[0]).toBe(401);
  });

  it("has at most 20 brothers", async () => {
    const { browser } = await withPasskey();
    await env.DB.prepare(
      `INSERT INTO passkeys SELECT passkeys.id || value, user_id, name, credential_id || value, user_handle, public_key, 0, '[]', 0, 0, NULL
       FROM passkeys, json_each('[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18]')`,
    ).run();
    const options = await optionsAt(browser, "/passkeys/options");
    const [last, excess] = [await Authenticator.create(), await Authenticator.create()];
    const other = await optionsAt(browser, "/passkeys/options");
    expect((await post(browser, "/passkeys", await last.register(options))).status).toBe(201);
    expect((await post(browser, "/passkeys", await excess.register(other))).body.code).toBe("limit_reached");
    expect((await post(browser, "/passkeys/options")).body.code).toBe("limit_reached");
  });
});

describe("a passkey of another person", () => {
  it("cannot be added to the own account, so that it would sign in here", async () => {
    const [ann, bob] = [await withPasskey(), await signUp()];
    const copy = await Authenticator.create("https://tern.test", ann.key.id);
    const added = await addPasskey(bob.browser, copy);
    expect([added.status, added.body.code]).toEqual([409, "conflict"]);
    expect((await signInWith(ann.key)).reply.body).toMatchObject({ user: { email: ann.email } });
    expect((await bob.browser.get("/api/auth/mfa")).body).toMatchObject({ passkeys: [], recoveryCodesLeft: 0 });
  });

  it("cannot be added with a challenge that somebody else asked for", async () => {
    const [ann, bob] = [await signUp(), await signUp()];
    const key = await Authenticator.create();
    const answer = await key.register(await optionsAt(bob.browser, "/passkeys/options"));
    expect((await post(ann.browser, "/passkeys", answer)).status).toBe(400);
    // Nor in another session of the same person.
    const other = new Browser();
    await post(other, "/sign-in", { email: bob.email, password: PASSWORD });
    expect((await post(other, "/passkeys", answer)).status).toBe(400);
    expect((await post(bob.browser, "/passkeys", answer)).status).toBe(201);
  });

  it("proves nothing at the second step and at the confirmation, and is not shown, renamed or removed", async () => {
    const [ann, bob] = [await withPasskey(), await withPasskey()];
    const { browser } = await atSecondStep(ann.email);
    const proof = await bob.key.prove(await optionsAt(browser, "/sign-in/mfa/options"));
    expect((await post(browser, "/sign-in/mfa", { passkey: proof })).status).toBe(401);
    const confirmation = await bob.key.prove(await optionsAt(ann.browser, "/confirm/options"));
    expect((await post(ann.browser, "/confirm", { passkey: confirmation })).status).toBe(401);
    const path = `/api/auth/passkeys/${bob.id}`;
    expect((await ann.browser.send("PATCH", path, { body: { name: "Mine" } })).status).toBe(404);
    expect((await ann.browser.delete(path)).status).toBe(404);
    expect((await signInWith(bob.key)).reply.status).toBe(200);
  });
});

describe("a challenge", () => {
  it("works once, of 40 requests for one, also after an answer that failed", async () => {
    const { key } = await withPasskey();
    const browser = new Browser();
    const answer = await key.prove(await optionsAt(browser, "/passkeys/sign-in/options"));
    const cookies = [...browser.cookies];
    const replies = await Promise.all(
      Array.from({ length: 40 }, () => {
        const copy = new Browser();
        for (const [name, value] of cookies) copy.cookies.set(name, value);
        return post(copy, "/passkeys/sign-in", answer);
      }),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    const second = new Browser();
    const options = await optionsAt(second, "/passkeys/sign-in/options");
    expect((await post(second, "/passkeys/sign-in", await key.prove(options, { verifiesUser: false }))).status).toBe(
      401,
    );
    expect((await post(second, "/passkeys/sign-in", await key.prove(options))).status).toBe(401);
  });

  it("works for 5 minutes", async () => {
    const { key } = await withPasskey();
    const browser = new Browser();
    const options = await optionsAt(browser, "/passkeys/sign-in/options");
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 5 * MINUTE_MS });
    expect((await post(browser, "/passkeys/sign-in", await key.prove(options))).status).toBe(401);
  });

  it("works in the browser that asked, and for its own purpose only", async () => {
    const { key, email, browser } = await withPasskey();
    const asked = new Browser();
    const options = await optionsAt(asked, "/passkeys/sign-in/options");
    // A stranger's browser is not signed in with an answer that another one asked for.
    expect((await post(new Browser(), "/passkeys/sign-in", await key.prove(options))).status).toBe(401);
    const waiting = (await atSecondStep(email)).browser;
    const confirmation = await key.prove(await optionsAt(browser, "/confirm/options"));
    const step = await key.prove(await optionsAt(waiting, "/sign-in/mfa/options"));
    const signIn = await key.prove(options);
    expect((await post(waiting, "/sign-in/mfa", { passkey: confirmation })).status).toBe(401);
    expect((await post(waiting, "/sign-in/mfa", { passkey: signIn })).status).toBe(401);
    expect((await post(asked, "/passkeys/sign-in", step)).status).toBe(401);
    expect((await post(browser, "/confirm", { passkey: step })).status).toBe(401);
    const other = (await atSecondStep(email)).browser;
    expect((await post(other, "/sign-in/mfa", { passkey: step })).status).toBe(401);
    expect((await post(waiting, "/sign-in/mfa", { passkey: step })).status).toBe(200);
  });

  it("is not asked for by a person without passkeys or without a first step", async () => {
    const { browser } = await signUp();
    expect((await post(browser, "/confirm/options")).body.code).toBe("conflict");
    expect((await post(new Browser(), "/sign-in/mfa/options")).body.code).toBe("unauthorized");
  });
});

it("a stranger's passkey that was added with a change of the address ends when the address is restored", async () => {
  const { browser, email } = await signUp();
  await post(browser, "/email/change", { email: newEmail() });
  const undo = (await takeMails()).find(({ to }) => to === email)?.token;
  const key = await Authenticator.create();
  expect((await addPasskey(browser, key)).status).toBe(201);
  expect((await signInWith(key)).reply.status).toBe(200);
  expect((await post(new Browser(), "/email/undo", { token: undo })).status).toBe(200);
  expect((await signInWith(key)).reply.status).toBe(401);
  const reset = (await takeMails()).find(({ subject }) => subject === "Your address was restored")?.token;
  await post(new Browser(), "/password/reset", { token: reset, password: OTHER_PASSWORD });
  const owner = new Browser();
  expect((await post(owner, "/sign-in", { email, password: OTHER_PASSWORD })).body["session"]).toBeDefined();
});

it("a sign-in accepts every factor that the person has", async () => {
  const { browser, email, key } = await withPasskey();
  const { body } = await post(browser, "/mfa/totp");
  const totp = new TOTP({ secret: Secret.fromBase32(body["secret"] as string) });
  const confirmed = await post(browser, "/mfa/totp/confirm", { code: totp.generate() });
  expect(confirmed.body).toEqual({ recoveryCodes: null });
  expect((await atSecondStep(email)).body).toEqual({ mfa: ["totp", "passkey", "recovery"] });
  expect((await signInWith(key)).reply.status).toBe(200);
});
