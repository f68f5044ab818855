import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { SECOND_MS } from "../../../src/limits.ts";
import { UNDO_TTL_MS } from "../../../src/identity/people/limits.ts";
import { MAX_MAILS_PER_KIND } from "../../../src/platform/mail/limits.ts";
import { internet } from "../../webhooks/support.ts";
import { Authenticator } from "./authenticator.ts";
import { atSecondStep, codeOf, enrolled, enrolTotp, pass, post, stopClock } from "./factors.ts";
import { addPasskey, optionsAt, signInWith } from "./passkeys.ts";
import {
  Browser,
  newEmail,
  OTHER_PASSWORD,
  PASSWORD,
  signIn,
  signUp,
  statusOf,
  takeMails,
  type Mail,
  type Reply,
} from "./support.ts";

// Attacks with a stolen password or session: what a stranger adds, the owner can take back by mail.

beforeEach(async () => {
  await internet.reset();
  stopClock();
});

const undo = (token: string | undefined): Promise<Reply> => post(new Browser(), "/mfa/undo", { token });

const undoLinkOf = (mails: Mail[], email: string) =>
  mails.find(({ to, text }) => to === email && text.includes("/app/undo-factor#token="))?.token;

/** Sets a new password with the mail of an undo, and signs in with it. */
async function takeBack(email: string): Promise<Reply> {
  const token = (await takeMails()).find(
    ({ to, text }) => to === email && text.includes("/app/reset-password#"),
  )?.token;
  expect((await post(new Browser(), "/password/reset", { token, password: OTHER_PASSWORD })).status).toBe(200);
  return (await atSecondStep(email, OTHER_PASSWORD)).reply;
}

/** A person whose password a stranger knows, who is signed in with it. */
async function stolenPassword() {
  const owner = await signUp();
  const { browser: thief } = await signIn(owner.email);
  await takeMails();
  return { ...owner, thief };
}

describe("a stranger's first factor", () => {
  it("stays after a reset of the password, and goes with the link of the mail about it", async () => {
    const { email, thief, browser } = await stolenPassword();
    const { secret, recoveryCodes } = await enrolTotp(thief);
    const [mail] = await takeMails();
    expect(mail).toMatchObject({ to: email, subject: "An authenticator app was added" });
    expect(mail?.html).toContain('">This was not me</a>');
    // A plain reset still asks for the factor.
    await post(new Browser(), "/password/forgot", { email });
    const reset = (await takeMails()).at(-1)?.token;
    expect((await post(new Browser(), "/password/reset", { token: reset, password: PASSWORD })).status).toBe(200);
    const { browser: known, reply } = await atSecondStep(email);
    expect(reply.body).toEqual({ mfa: ["totp", "recovery"] });
    pass();
    expect((await post(known, "/sign-in/mfa", { code: codeOf(secret) })).status).toBe(200);
    await takeMails();

    expect((await undo(mail?.token)).status).toBe(200);
    for (const each of [thief, browser, known]) expect(await statusOf(each)).toBe(401);
    expect((await atSecondStep(email)).reply.status).toBe(401);
    const signedIn = await takeBack(email);
    expect(signedIn.body["session"]).toBeDefined();
    const left = await env.DB.prepare(
      "SELECT (SELECT count(*) FROM totp_factors) + (SELECT count(*) FROM recovery_codes) AS n",
    ).first("n");
    expect([left, recoveryCodes.length]).toEqual([0, 10]);
    const { results } = await env.DB.prepare("SELECT actor_id, target_id FROM audit_entries WHERE action = ?1")
      .bind("factors.undo")
      .all();
    expect(results).toHaveLength(1);
  });

  it("goes with all that the stranger added after it, of any kind", async () => {
    const { email, thief } = await stolenPassword();
    const [first, second] = [await Authenticator.create(), await Authenticator.create()];
    expect((await addPasskey(thief, first)).status).toBe(201);
    const mails = await takeMails();
    expect(mails).toMatchObject([{ subject: "A passkey was added" }]);
    await enrolTotp(thief);
    await addPasskey(thief, second);
    // Further factors are told as before, without a link.
    expect((await takeMails()).map(({ token }) => token)).toEqual(["", ""]);
    await post(thief, "/mfa/recovery-codes");
    expect((await undo(undoLinkOf(mails, email))).status).toBe(200);
    for (const key of [first, second]) expect((await signInWith(key)).reply.status).toBe(401);
    expect((await takeBack(email)).body["session"]).toBeDefined();
  });

  it("counts from its confirmation: an enrolment that began earlier goes too", async () => {
    const { email, thief } = await stolenPassword();
    const { body } = await post(thief, "/mfa/totp");
    vi.setSystemTime(Date.now() + 60 * SECOND_MS);
    await addPasskey(thief, await Authenticator.create());
    const link = undoLinkOf(await takeMails(), email);
    vi.setSystemTime(Date.now() + 60 * SECOND_MS);
    await post(thief, "/mfa/totp/confirm", { code: codeOf(body["secret"] as string) });
    expect((await undo(link)).status).toBe(200);
    expect((await takeBack(email)).body["session"]).toBeDefined();
  });

  it("goes although several were added by 40 requests at once", async () => {
    const { email, thief } = await stolenPassword();
    const { body } = await post(thief, "/mfa/totp");
    const code = codeOf(body["secret"] as string);
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const key = await Authenticator.create();
        return key.register(await optionsAt(thief, "/passkeys/options"));
      }),
    );
    const replies = await Promise.all(
      answers.flatMap((answer) => [post(thief, "/passkeys", answer), post(thief, "/mfa/totp/confirm", { code })]),
    );
    expect(replies.filter(({ status }) => status < 300)).toHaveLength(21);
    const links = (await takeMails()).filter(({ token }) => token !== "");
    // One of them was the first.
    expect(links).toHaveLength(1);
    expect((await undo(undoLinkOf(links, email))).status).toBe(200);
    const left = await env.DB.prepare(
      "SELECT (SELECT count(*) FROM passkeys) + (SELECT count(*) FROM totp_factors) AS n",
    ).first("n");
    expect(left).toBe(0);
  });

  it("is not added without its mail, whose number is limited", async () => {
    const { email, thief } = await stolenPassword();
    const links: (string | undefined)[] = [];
    for (let round = 0; round < MAX_MAILS_PER_KIND; round++) {
      await enrolTotp(thief);
      links.push(undoLinkOf(await takeMails(), email));
      expect((await thief.delete("/api/auth/mfa/totp")).status).toBe(200);
      await takeMails();
      pass();
    }
    const { body } = await post(thief, "/mfa/totp");
    const refused = await post(thief, "/mfa/totp/confirm", { code: codeOf(body["secret"] as string) });
    expect([refused.status, refused.body.code]).toEqual([429, "rate_limited"]);
    expect((await thief.get("/api/auth/mfa")).body["totp"]).toBe(false);
    // Each link works, also after the factor was removed; the rest end with it.
    expect((await undo(links[0])).status).toBe(200);
    expect((await undo(links[1])).status).toBe(400);
  });

  it("can be undone by one of 40 requests with the link, for 7 days, and never twice", async () => {
    const { email, thief } = await stolenPassword();
    await enrolTotp(thief);
    const link = undoLinkOf(await takeMails(), email);
    const check = async () =>
      (await post(new Browser(), "/tokens/check", { token: link, purpose: "undo_factor" })).body["valid"];
    expect(await check()).toBe(true);
    for (const path of ["/email/undo", "/email/confirm", "/password/reset"])
      expect((await post(thief, path, { token: link, password: OTHER_PASSWORD })).status).toBe(400);
    vi.setSystemTime(Date.now() + UNDO_TTL_MS - 1);
    const statuses = (await Promise.all(Array.from({ length: 40 }, () => undo(link)))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(await check()).toBe(false);
    const mails = (await takeMails()).filter(({ text }) => text.includes("/app/reset-password#"));
    expect(mails).toHaveLength(1);
    expect((await undo(link)).status).toBe(400);
  });

  it("cannot be undone any more after 7 days", async () => {
    const { email, thief } = await stolenPassword();
    await enrolTotp(thief);
    const link = undoLinkOf(await takeMails(), email);
    vi.setSystemTime(Date.now() + UNDO_TTL_MS);
    expect((await undo(link)).status).toBe(400);
  });

  it("has a token of 256 bits, of which only the hash is stored", async () => {
    const { email, thief } = await stolenPassword();
    await enrolTotp(thief);
    const link = undoLinkOf(await takeMails(), email);
    expect(link).toMatch(/^[\w-]{43}$/);
    const { results } = await env.DB.prepare("SELECT * FROM tokens WHERE purpose = 'undo_factor'").all();
    expect(JSON.stringify(results)).not.toContain(link);
    expect(results).toMatchObject([{ hash: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
  });
});

describe("a stranger who also changes the address", () => {
  /** Changes the address in the session, and returns the new one with the mails to the former. */
  async function changeAddress(browser: Browser, email: string) {
    const target = newEmail();
    await post(browser, "/email/change", { email: target });
    const mails = await takeMails();
    const token = mails.find(({ to }) => to === target)?.token;
    const undoToken = mails.find(({ to }) => to === email)?.token;
    expect((await post(browser, "/email/confirm", { token })).status).toBe(200);
    await takeMails();
    return { target, undoToken };
  }

  it("after the factor, loses both by the link of the factor", async () => {
    const { email, thief } = await stolenPassword();
    await enrolTotp(thief);
    const link = undoLinkOf(await takeMails(), email);
    const { target } = await changeAddress(thief, email);
    // The stranger's own mails undo nothing any more, neither the address nor the factor.
    await post(thief, "/mfa/recovery-codes");
    const own = undoLinkOf(await takeMails(), target);
    expect(own).toBeDefined();
    expect((await undo(link)).status).toBe(200);
    expect((await undo(own)).status).toBe(400);
    expect((await takeBack(email)).body["session"]).toBeDefined();
    expect((await atSecondStep(target, OTHER_PASSWORD)).reply.status).toBe(401);
  });

  it("before the factor, loses both by the link that keeps the address", async () => {
    const { email, thief } = await stolenPassword();
    const { target, undoToken } = await changeAddress(thief, email);
    await enrolTotp(thief);
    const own = undoLinkOf(await takeMails(), target);
    expect((await post(new Browser(), "/email/undo", { token: undoToken })).status).toBe(200);
    expect((await undo(own)).status).toBe(400);
    expect((await takeBack(email)).body["session"]).toBeDefined();
  });

  it("after the factor, loses both by the link that keeps the address, within 7 days", async () => {
    const { email, thief } = await stolenPassword();
    await enrolTotp(thief);
    await takeMails();
    const { undoToken } = await changeAddress(thief, email);
    expect((await post(new Browser(), "/email/undo", { token: undoToken })).status).toBe(200);
    expect((await takeBack(email)).body["session"]).toBeDefined();
  });

  it("cannot keep what a request adds while the owner undoes", async () => {
    const { email, thief } = await stolenPassword();
    await enrolTotp(thief);
    const link = undoLinkOf(await takeMails(), email);
    const key = await Authenticator.create();
    const [undone] = await Promise.all([undo(link), addPasskey(thief, key), post(thief, "/mfa/recovery-codes")]);
    expect(undone.status).toBe(200);
    expect((await signInWith(key)).reply.status).toBe(401);
    expect((await takeBack(email)).body["session"]).toBeDefined();
  });
});

describe("a stranger in the session of a person who has factors", () => {
  it("makes recovery codes that go with the link of their mail; the person's factors stay", async () => {
    const { email, browser, secret } = await enrolled();
    vi.setSystemTime(Date.now() + (3 * UNDO_TTL_MS) / 7);
    pass();
    await post(browser, "/confirm", { code: codeOf(secret) });
    const { body } = await post(browser, "/mfa/recovery-codes");
    const link = undoLinkOf(await takeMails(), email);
    const key = await Authenticator.create();
    expect((await addPasskey(browser, key)).status).toBe(201);
    expect((await undo(link)).status).toBe(200);
    expect((await signInWith(key)).reply.status).toBe(401);
    expect((await takeBack(email)).body).toEqual({ mfa: ["totp"] });
    pass();
    const { browser: owner } = await atSecondStep(email, OTHER_PASSWORD);
    const [recoveryCode] = body["recoveryCodes"] as string[];
    expect((await post(owner, "/sign-in/mfa", { recoveryCode })).status).toBe(401);
    expect((await post(owner, "/sign-in/mfa", { code: codeOf(secret) })).status).toBe(200);
  });
});
