import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { internet } from "../../webhooks/support.ts";
import { Authenticator, type Behaviour } from "./authenticator.ts";
import { atSecondStep, post, statusOf } from "./factors.ts";
import { addPasskey, optionsAt, signInWith, withPasskey } from "./passkeys.ts";
import { Browser, forgetConfirmation, newEmail, PASSWORD, signUp, takeMails } from "./support.ts";

beforeEach(() => internet.reset());

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
    const excluded = await optionsAt(browser, "/passkeys/options");
    expect(excluded).toMatchObject({
      excludeCredentials: [{ id: first.id, transports: ["internal"] }, { id: second.id }],
    });
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
    const logged = vi.spyOn(console, "info");
    const { browser, reply } = await signInWith(key, {}, known);
    const { id: userId } = reply.body["user"] as { id: string };
    const lines = logged.mock.calls.map(([line]) => JSON.parse(line as string) as object);
    expect(lines).toContainEqual(expect.objectContaining({ method: "passkey", accepted: true, userId }));
    expect(reply.body).toMatchObject({ session: { current: true }, user: { email } });
    expect(browser.session).not.toBe(planted);
    expect(browser.cookies.has("__Host-tern-passkey")).toBe(false);
    // It counts as both factors: the identity is confirmed.
    expect((await browser.delete("/api/auth/sessions")).status).toBe(200);
    expect((await browser.get("/api/auth/mfa")).body).toMatchObject({ passkeys: [{ lastUsedAt: expect.any(Number) }] });
  });

  it("is a second factor, also one that does not verify the person, which then cannot sign in alone", async () => {
    const { email, key } = await withPasskey({ verifiesUser: false });
    const { browser, reply } = await atSecondStep(email);
    expect(reply.body).toEqual({ mfa: ["passkey", "recovery"] });
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
    const bindings = { BASE_URL: "http://127.0.0.1:8787", MAIL_API_TOKEN: "" };
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
