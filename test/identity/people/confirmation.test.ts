import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { internet } from "../../webhooks/support.ts";
import { codeOf, enrolled, pass, post, stopClock } from "./factors.ts";
import { endConfirmationsBefore } from "./end-confirmations.ts";
import { Authenticator } from "./authenticator.ts";
import { addPasskey } from "./passkeys.ts";
import { newEmail, OTHER_PASSWORD, PASSWORD, signIn, signUp, takeMails, type Browser, type Reply } from "./support.ts";

beforeEach(async () => {
  await internet.reset();
  stopClock();
});

describe("a confirmation that another request ends", () => {
  it("is not written back by a change of the password", async () => {
    const { browser } = await signUp();
    const change = { currentPassword: PASSWORD, password: OTHER_PASSWORD };
    const reply = await endConfirmationsBefore("UPDATE users SET password_hash", () =>
      post(browser, "/password/change", change),
    );
    expect(reply.status).toBe(200);
    expect((await post(browser, "/mfa/totp")).body.code).toBe("confirm_identity");
  });

  it("is not written back by a change of the address", async () => {
    const { browser } = await signUp();
    const email = newEmail();
    await post(browser, "/email/change", { email });
    const token = (await takeMails()).find(({ to }) => to === email)?.token;
    const reply = await endConfirmationsBefore("UPDATE users SET email", () =>
      post(browser, "/email/confirm", { token }),
    );
    expect(reply.status).toBe(200);
    expect((await post(browser, "/mfa/totp")).body.code).toBe("confirm_identity");
  });

  const changes: Record<string, [sql: string, request: (browser: Browser) => Promise<Reply>]> = {
    "removing the app": ["DELETE FROM totp_factors", (browser) => browser.delete("/api/auth/mfa/totp")],
    "replacing recovery codes": ["DELETE FROM recovery_codes", (browser) => post(browser, "/mfa/recovery-codes")],
    "changing the address": ["INSERT INTO mails", (browser) => post(browser, "/email/change", { email: newEmail() })],
    "ending other sessions": ["DELETE FROM sessions", (browser) => browser.delete("/api/auth/sessions")],
    "creating a key": ["INSERT INTO api_keys", (browser) => browser.post("/api/keys", { name: "Robot" })],
    "creating a listener": [
      "INSERT INTO webhooks",
      (browser) => browser.post("/api/listeners", { events: ["link.create"] }),
    ],
    "adding a passkey": ["INSERT INTO passkeys", async (browser) => addPasskey(browser, await Authenticator.create())],
  };
  for (const [name, [sql, request]] of Object.entries(changes))
    it(`is missed by ${name}, of which nothing is stored`, async () => {
      const { browser, secret, email } = await enrolled();
      pass();
      const { browser: other } = await signIn(email);
      expect((await post(other, "/sign-in/mfa", { code: codeOf(secret) })).status).toBe(200);
      const before = await stored();
      const { status, body } = await endConfirmationsBefore(sql, () => request(browser));
      expect([status, ["confirm_identity", "forbidden"].includes(body.code ?? "")]).toEqual([403, true]);
      expect(await stored()).toEqual(before);
      expect(await takeMails()).toEqual([]);
    });
});

/** What the changes would change. */
async function stored(): Promise<unknown[]> {
  const queries = [
    "SELECT user_id, secret FROM totp_factors",
    "SELECT id FROM passkeys",
    "SELECT id FROM api_keys",
    "SELECT id FROM webhooks",
    "SELECT hash FROM recovery_codes ORDER BY hash",
    "SELECT id, hash FROM sessions ORDER BY id",
    "SELECT action FROM audit_entries ORDER BY id",
    "SELECT hash FROM tokens WHERE purpose LIKE '%_email'",
  ];
  return Promise.all(queries.map(async (sql) => (await env.DB.prepare(sql).all()).results));
}
