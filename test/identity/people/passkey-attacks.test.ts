import { beforeEach, describe, expect, it, vi } from "vitest";
import { MINUTE_MS } from "../../../src/limits.ts";
import { internet } from "../../webhooks/support.ts";
import { Authenticator } from "./authenticator.ts";
import { atSecondStep, codeOf, post } from "./factors.ts";
import { addPasskey, optionsAt, signInWith, withPasskey } from "./passkeys.ts";
import { Browser, newEmail, OTHER_PASSWORD, PASSWORD, signUp, takeMails } from "./support.ts";

beforeEach(() => internet.reset());

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
  const confirmed = await post(browser, "/mfa/totp/confirm", { code: codeOf(body["secret"] as string) });
  expect(confirmed.body).toEqual({ recoveryCodes: null });
  expect((await atSecondStep(email)).reply.body).toEqual({ mfa: ["totp", "passkey", "recovery"] });
  expect((await signInWith(key)).reply.status).toBe(200);
});
