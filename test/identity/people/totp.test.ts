import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { MINUTE_MS } from "../../../src/limits.ts";
import { interceptD1 } from "../../support/d1-client.ts";
import { internet } from "../../webhooks/support.ts";
import { atSecondStep, codeOf, enrolled, pass, post, statusOf, stopClock } from "./factors.ts";
import { forgetConfirmation, PASSWORD, signUp, takeMails } from "./support.ts";

beforeEach(async () => {
  await internet.reset();
  stopClock();
});

const count = (statuses: number[], wanted: number) => statuses.filter((status) => status === wanted).length;

/** The actions of the audit log, by name: those of the same millisecond have no order. */
async function actions(): Promise<string[]> {
  const { results } = await env.DB.prepare("SELECT action FROM audit_entries ORDER BY action").all<{
    action: string;
  }>();
  return results.map(({ action }) => action);
}

describe("an authenticator app", () => {
  it("is added with its first code; the person gets recovery codes, a mail and a new cookie", async () => {
    const { browser, email } = await signUp();
    const before = browser.session;
    const { body } = await post(browser, "/mfa/totp");
    const { secret, uri, qr } = body as unknown as { secret: string; uri: string; qr: string };
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(uri).toBe(
      `otpauth://totp/Tern:${encodeURIComponent(email)}?issuer=Tern&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
    );
    expect(qr).toMatch(/^<svg [^>]*><rect width="100%" height="100%" fill="#fff"\/><path [^>]*\/><\/svg>$/);
    expect(browser.session).toBe(before);
    // It does not count yet.
    expect((await atSecondStep(email)).reply.body["session"]).toBeDefined();
    expect((await post(browser, "/mfa/totp/confirm", { code: "000000" })).status).toBe(400);
    const { body: confirmed } = await post(browser, "/mfa/totp/confirm", { code: codeOf(secret) });
    const codes = confirmed["recoveryCodes"] as string[];
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^([a-z2-7]{4}-){5}[a-z2-7]{4}$/);
    expect(browser.session).not.toBe(before);
    const factors = { totp: true, recoveryCodesLeft: 10, passkeys: [], password: true };
    expect((await browser.get("/api/auth/mfa")).body).toEqual(factors);
    expect(await takeMails()).toMatchObject([{ to: email, subject: "An authenticator app was added" }]);
    const stored = await env.DB.prepare(
      "SELECT secret, (SELECT group_concat(hash) FROM recovery_codes) AS hashes FROM totp_factors",
    ).first<{ secret: string; hashes: string }>();
    expect(stored?.secret).toMatch(/^test\./);
    expect(stored?.hashes).not.toContain(codes[0]?.replaceAll("-", ""));
    expect((await post(browser, "/mfa/totp")).body.code).toBe("conflict");
    expect((await post(browser, "/mfa/totp/confirm", { code: codeOf(secret, 1) })).body.code).toBe("conflict");
    expect(await actions()).toEqual(["totp.add", "user.sign_in", "user.sign_up"]);
  });

  it("needs a confirmed identity, and a code within 15 minutes", async () => {
    const { browser } = await signUp();
    const { body } = await post(browser, "/mfa/totp");
    vi.setSystemTime(Date.now() + 15 * MINUTE_MS);
    expect((await post(browser, "/mfa/totp/confirm", { code: codeOf(body["secret"] as string) })).body.code).toBe(
      "confirm_identity",
    );
    await post(browser, "/confirm", { password: PASSWORD });
    expect((await post(browser, "/mfa/totp/confirm", { code: codeOf(body["secret"] as string) })).status).toBe(409);
    await forgetConfirmation();
    for (const path of ["/mfa/totp", "/mfa/recovery-codes", "/passkeys/options"])
      expect([path, (await post(browser, path)).body.code]).toEqual([path, "confirm_identity"]);
    expect((await browser.delete("/api/auth/mfa/totp")).body.code).toBe("confirm_identity");
  });

  it("is not removed by a session that ends meanwhile", async () => {
    const { browser, userId } = await enrolled();
    let hasEnded = false;
    await interceptD1(
      async (sql, send) => {
        if (!hasEnded && JSON.stringify(sql).includes("DELETE FROM totp_factors")) {
          hasEnded = true;
          await env.DB.prepare("DELETE FROM sessions WHERE user_id = ?1").bind(userId).run();
        }
        return send();
      },
      async () => expect((await browser.delete("/api/auth/mfa/totp")).body.code).toBe("confirm_identity"),
    );
    const left = await env.DB.prepare("SELECT 1 AS n FROM totp_factors WHERE user_id = ?1").bind(userId).first("n");
    expect([hasEnded, left]).toEqual([true, 1]);
  });

  it("is asked for at the sign-in, which gives no session before", async () => {
    const { email, secret } = await enrolled();
    const { browser, reply } = await atSecondStep(email);
    expect([reply.status, reply.body]).toEqual([200, { mfa: ["totp", "recovery"] }]);
    expect([...browser.cookies.keys()]).toEqual(["__Host-tern-second-step"]);
    expect(await statusOf(browser)).toBe(401);
    // Neither step nor cookie is a session of another kind.
    browser.cookies.set("__Host-tern", browser.cookies.get("__Host-tern-second-step") ?? "");
    expect(await statusOf(browser)).toBe(401);
    browser.cookies.delete("__Host-tern");
    expect((await post(browser, "/sign-in/mfa", { code: "12345" })).body.code).toBe("invalid_credentials");
    // The code of the enrolment was used.
    expect((await post(browser, "/sign-in/mfa", { code: codeOf(secret) })).status).toBe(401);
    pass();
    const code = codeOf(secret);
    const signedIn = await post(browser, "/sign-in/mfa", { code: `${code.slice(0, 3)} ${code.slice(3)}` });
    expect(signedIn.body).toMatchObject({ session: { current: true }, user: { email } });
    expect(await statusOf(browser)).toBe(200);
    expect(browser.cookies.has("__Host-tern-second-step")).toBe(false);
    for (const body of [{}, { code, recoveryCode: "a" }, { other: "a" }])
      expect((await post(browser, "/sign-in/mfa", body)).status).toBe(400);
  });

  it("accepts the code of the present and of the previous step, each once and no older one", async () => {
    const { email, secret } = await enrolled();
    const give = async (code: string) =>
      (await post((await atSecondStep(email)).browser, "/sign-in/mfa", { code })).status;
    pass(3);
    expect(await give(codeOf(secret, -2))).toBe(401);
    expect(await give(codeOf(secret, 1))).toBe(401);
    expect([await give(codeOf(secret, -1)), await give(codeOf(secret, -1))]).toEqual([200, 401]);
    expect([await give(codeOf(secret)), await give(codeOf(secret)), await give(codeOf(secret, -1))]).toEqual([
      200, 401, 401,
    ]);
  });

  it("signs in one of 40 requests with the same code", async () => {
    const { email, browser: known, secret } = await enrolled();
    pass();
    const browsers = await Promise.all(Array.from({ length: 40 }, async () => (await atSecondStep(email)).browser));
    const device = known.cookies.get("__Host-tern-device") ?? "";
    const statuses = await Promise.all(
      browsers.map(async (browser, index) => {
        if (index % 4 === 0) browser.cookies.set("__Host-tern-device", device);
        return (await post(browser, "/sign-in/mfa", { code: codeOf(secret) })).status;
      }),
    );
    expect(count(statuses, 200)).toBe(1);
    expect(count(statuses, 401) + count(statuses, 429)).toBe(39);
    expect(await env.DB.prepare("SELECT count(*) AS n FROM sessions").first("n")).toBe(2);
  });

  it("confirms with one of 40 requests with the same code", async () => {
    const { browser, secret } = await enrolled();
    pass();
    await forgetConfirmation();
    const replies = await Promise.all(
      Array.from({ length: 40 }, () => post(browser, "/confirm", { code: codeOf(secret) })),
    );
    expect(
      count(
        replies.map(({ status }) => status),
        200,
      ),
    ).toBe(1);
  });

  it("stops guesses at the second step, and a replayed code counts as one", async () => {
    const { email, secret, browser: known } = await enrolled();
    const { browser } = await atSecondStep(email);
    const guesses = await Promise.all(
      Array.from({ length: 12 }, () => post(browser, "/sign-in/mfa", { code: codeOf(secret) })),
    );
    expect(
      count(
        guesses.map(({ status }) => status),
        401,
      ),
    ).toBe(10);
    pass();
    expect((await post(browser, "/sign-in/mfa", { code: codeOf(secret) })).status).toBe(429);
    expect((await post(browser, "/sign-in/mfa", { recoveryCode: "a" })).status).toBe(429);
    // The owner's browser has a count of its own.
    known.cookies.delete("__Host-tern");
    await post(known, "/sign-in", { email, password: PASSWORD });
    expect((await post(known, "/sign-in/mfa", { code: codeOf(secret) })).status).toBe(200);
  });

  it("ends with its removal, after which the password is enough and recovery codes are gone", async () => {
    const { email, browser, secret } = await enrolled();
    const waiting = await atSecondStep(email);
    expect((await browser.delete("/api/auth/mfa/totp")).status).toBe(200);
    expect((await browser.delete("/api/auth/mfa/totp")).status).toBe(404);
    expect(await takeMails()).toMatchObject([{ to: email, subject: "The authenticator app was removed" }]);
    pass();
    expect((await post(waiting.browser, "/sign-in/mfa", { code: codeOf(secret) })).body.code).toBe("unauthorized");
    expect((await atSecondStep(email)).reply.body["session"]).toBeDefined();
    expect((await browser.get("/api/auth/mfa")).body).toMatchObject({ totp: false, recoveryCodesLeft: 0 });
    expect((await post(browser, "/mfa/recovery-codes")).body.code).toBe("conflict");
  });
});

describe("a recovery code", () => {
  it("signs in once, of 40 requests one, and the person is told", async () => {
    const { email, recoveryCodes } = await enrolled();
    const [code = "", second = ""] = recoveryCodes;
    const browsers = await Promise.all(Array.from({ length: 40 }, async () => (await atSecondStep(email)).browser));
    const replies = await Promise.all(browsers.map((browser) => post(browser, "/sign-in/mfa", { recoveryCode: code })));
    expect(
      count(
        replies.map(({ status }) => status),
        200,
      ),
    ).toBe(1);
    // The other 39 guesses are told too.
    const subjects = (await takeMails()).map(({ subject }) => subject).toSorted((a, b) => a.localeCompare(b));
    expect(subjects).toEqual(["A recovery code was used", "Somebody has your password"]);
    vi.setSystemTime(Date.now() + 15 * MINUTE_MS);
    const { browser } = await atSecondStep(email);
    expect((await post(browser, "/sign-in/mfa", { recoveryCode: code })).status).toBe(401);
    const typed = second.toUpperCase().replaceAll("-", " ");
    expect((await post(browser, "/sign-in/mfa", { recoveryCode: typed })).status).toBe(200);
    expect((await browser.get("/api/auth/mfa")).body["recoveryCodesLeft"]).toBe(8);
    expect(await actions()).toContain("recovery_code.use");
  });

  it("of another person is of no use, nor is one that was replaced", async () => {
    const [ann, bob] = [await enrolled(), await enrolled()];
    const recoveryCode = ann.recoveryCodes[0];
    expect((await post((await atSecondStep(bob.email)).browser, "/sign-in/mfa", { recoveryCode })).status).toBe(401);
    const before = ann.browser.session;
    const { body } = await post(ann.browser, "/mfa/recovery-codes");
    expect(ann.browser.session).not.toBe(before);
    expect((await takeMails()).at(-1)).toMatchObject({ to: ann.email, subject: "You have new recovery codes" });
    const { browser } = await atSecondStep(ann.email);
    expect((await post(browser, "/sign-in/mfa", { recoveryCode })).status).toBe(401);
    const [fresh] = body["recoveryCodes"] as string[];
    expect((await post(browser, "/sign-in/mfa", { recoveryCode: fresh })).status).toBe(200);
  });
});
