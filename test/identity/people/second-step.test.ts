import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { MINUTE_MS } from "../../../src/limits.ts";
import { UNDO_TTL_MS } from "../../../src/identity/people/limits.ts";
import { hashToken, newToken } from "../../../src/platform/lib/token.ts";
import { internet } from "../../webhooks/support.ts";
import { atSecondStep, codeOf, enrolled, pass, post, statusOf, stopClock } from "./factors.ts";
import { Browser, forgetConfirmation, newEmail, OTHER_PASSWORD, PASSWORD, signUp, takeMails } from "./support.ts";

beforeEach(async () => {
  await internet.reset();
  stopClock();
});

describe("the second step", () => {
  it("must follow within 5 minutes, in the same browser, and once", async () => {
    const { email, secret } = await enrolled();
    const late = await atSecondStep(email);
    vi.setSystemTime(Date.now() + 5 * MINUTE_MS);
    expect((await post(late.browser, "/sign-in/mfa", { code: codeOf(secret) })).body.code).toBe("unauthorized");
    expect((await post(new Browser(), "/sign-in/mfa", { code: codeOf(secret) })).body.code).toBe("unauthorized");
    const { browser } = await atSecondStep(email);
    const step = browser.cookies.get("__Host-tern-second-step") ?? "";
    expect((await post(browser, "/sign-in/mfa", { code: codeOf(secret) })).status).toBe(200);
    pass();
    browser.cookies.set("__Host-tern-second-step", step);
    expect((await post(browser, "/sign-in/mfa", { code: codeOf(secret) })).body.code).toBe("unauthorized");
  });

  it("of one person takes no factor of another one", async () => {
    const [ann, bob] = [await enrolled(), await enrolled()];
    pass();
    const { browser } = await atSecondStep(ann.email);
    expect((await post(browser, "/sign-in/mfa", { code: codeOf(bob.secret) })).status).toBe(401);
    // The code was not used up.
    expect(
      (await post((await atSecondStep(bob.email)).browser, "/sign-in/mfa", { code: codeOf(bob.secret) })).status,
    ).toBe(200);
  });

  it("gives a new session, whatever session the browser brought, and ends that one", async () => {
    const { email, browser, secret } = await enrolled();
    const planted = browser.session;
    pass();
    await post(browser, "/sign-in", { email, password: PASSWORD });
    expect(browser.session).toBe(planted);
    expect((await post(browser, "/sign-in/mfa", { code: codeOf(secret) })).status).toBe(200);
    expect(browser.session).not.toBe(planted);
    const attacker = new Browser();
    attacker.cookies.set("__Host-tern", planted ?? "");
    expect(await statusOf(attacker)).toBe(401);
  });

  it("is not skipped by a reset of the password, which ends those that wait", async () => {
    const { email, secret } = await enrolled();
    const waiting = await atSecondStep(email);
    await post(new Browser(), "/password/forgot", { email });
    const token = (await takeMails()).find(({ to }) => to === email)?.token;
    const stranger = new Browser();
    expect((await post(stranger, "/password/reset", { token, password: OTHER_PASSWORD })).status).toBe(200);
    expect([...stranger.cookies.keys()]).toEqual(["__Host-tern-device"]);
    const { reply, browser } = await atSecondStep(email, OTHER_PASSWORD);
    expect(reply.body).toEqual({ mfa: ["totp", "recovery"] });
    pass();
    expect((await post(waiting.browser, "/sign-in/mfa", { code: codeOf(secret) })).status).toBe(401);
    expect((await post(browser, "/sign-in/mfa", { code: codeOf(secret) })).status).toBe(200);
  });

  it("is not skipped by the link that signs in once on localhost", async () => {
    const { userId, secret } = await enrolled();
    const token = newToken();
    await env.DB.prepare("INSERT INTO tokens VALUES (?1, 'sign_in_link', ?2, '{}', ?3, ?3 + 60000, NULL)")
      .bind(await hashToken(token), userId, Date.now())
      .run();
    const local = new Browser("http://localhost:8787");
    local.address = "127.0.0.1";
    const bindings = { BASE_URL: "http://localhost:8787", MAIL_API_TOKEN: "" };
    const reply = await local.post("/api/auth/sign-in/link", { token }, { bindings });
    expect(reply.body).toEqual({ mfa: ["totp", "recovery"] });
    expect([...local.cookies.keys()]).toEqual(["tern-second-step"]);
    pass();
    const signedIn = await local.post("/api/auth/sign-in/mfa", { code: codeOf(secret) }, { bindings });
    expect([signedIn.status, local.cookies.has("tern")]).toEqual([200, true]);
  });

  it("is not skipped by the link that keeps an address, which removes only factors that were added since", async () => {
    const { email, browser, secret } = await enrolled();
    // The link of the mail about the first factor has expired: the factor is the person's own.
    vi.setSystemTime(Date.now() + UNDO_TTL_MS);
    await post(browser, "/confirm", { code: codeOf(secret) });
    pass();
    await post(browser, "/email/change", { email: newEmail() });
    const undo = (await takeMails()).find(({ to }) => to === email)?.token;
    // A stranger in the session adds other codes.
    pass();
    const { body } = await post(browser, "/mfa/recovery-codes");
    expect((await post(new Browser(), "/email/undo", { token: undo })).status).toBe(200);
    const reset = (await takeMails()).find(({ subject }) => subject === "Your address was restored")?.token;
    await post(new Browser(), "/password/reset", { token: reset, password: OTHER_PASSWORD });
    const owner = await atSecondStep(email, OTHER_PASSWORD);
    expect(owner.reply.body).toEqual({ mfa: ["totp"] });
    const [recoveryCode] = body["recoveryCodes"] as string[];
    expect((await post(owner.browser, "/sign-in/mfa", { recoveryCode })).status).toBe(401);
    expect((await post(owner.browser, "/sign-in/mfa", { code: codeOf(secret) })).status).toBe(200);
  });
});

describe("with a second factor", () => {
  it("a password alone confirms nothing, also not by its change; a code does", async () => {
    const { browser, secret } = await enrolled();
    await forgetConfirmation();
    const refused = await post(browser, "/confirm", { password: PASSWORD });
    expect([refused.status, refused.body]).toMatchObject([400, { details: [{ path: "password" }] }]);
    const change = { currentPassword: PASSWORD, password: OTHER_PASSWORD };
    expect((await post(browser, "/password/change", change)).status).toBe(200);
    expect((await browser.delete("/api/auth/mfa/totp")).body.code).toBe("confirm_identity");
    expect((await post(browser, "/confirm", { code: codeOf(secret) })).status).toBe(401);
    pass();
    expect((await post(browser, "/confirm", { code: codeOf(secret) })).status).toBe(200);
    expect((await browser.delete("/api/auth/mfa/totp")).status).toBe(200);
  });

  it("other sessions must confirm again", async () => {
    const { browser, email } = await signUp();
    const other = new Browser();
    await post(other, "/sign-in", { email, password: PASSWORD });
    const { body } = await post(browser, "/mfa/totp");
    await post(browser, "/mfa/totp/confirm", { code: codeOf(body["secret"] as string) });
    expect(await statusOf(other)).toBe(200);
    expect((await other.delete("/api/auth/mfa/totp")).body.code).toBe("confirm_identity");
  });
});
