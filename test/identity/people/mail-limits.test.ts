import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { SECOND_MS } from "../../../src/limits.ts";
import { MAX_VERIFICATION_MAILS, RESET_PASSWORD_TTL_MS } from "../../../src/identity/people/limits.ts";
import { MAX_MAILS_PER_KIND } from "../../../src/platform/mail/limits.ts";
import { internet } from "../../webhooks/support.ts";
import { post } from "./factors.ts";
import { Browser, newEmail, OTHER_PASSWORD, PASSWORD, signUp, takeMails } from "./support.ts";

beforeEach(() => internet.reset());

const forget = (email: string) => post(new Browser(), "/password/forgot", { email });
const signUpWith = (email: string, bindings = {}) =>
  new Browser().post("/api/auth/sign-up", { email, password: PASSWORD, name: "Bob Lee" }, { bindings });

describe("a stranger who asks for all mails of an hour", () => {
  it("leaves the owner a link with which a new password can be set, at any time", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    const { email } = await signUp();
    for (let request = 0; request < 40; request++) await forget(email);
    const links = (await takeMails()).map(({ token }) => token);
    expect(links).toHaveLength(MAX_MAILS_PER_KIND);
    vi.setSystemTime(Date.now() + RESET_PASSWORD_TTL_MS - SECOND_MS);
    await forget(email);
    expect(await takeMails()).toEqual([]);
    const reset = { token: links.at(-1), password: OTHER_PASSWORD };
    expect((await post(new Browser(), "/password/reset", reset)).status).toBe(200);
    await takeMails();
    // When the last link has expired, there is room for a new one.
    vi.setSystemTime(Date.now() + SECOND_MS);
    await forget(email);
    expect(await takeMails()).toMatchObject([{ to: email, subject: "Set a new password" }]);
  });
});

describe("mails that verify an address", () => {
  it("are limited for the whole service, whatever the clients and addresses", async () => {
    const { browser } = await signUp();
    const limiter = env.RATE_LIMITER.getByName("verification mails");
    for (let mail = 0; mail < MAX_VERIFICATION_MAILS; mail++)
      await limiter.take("send", MAX_VERIFICATION_MAILS, { penalties: false, resolutionMs: SECOND_MS });
    const refused = [await signUpWith(newEmail()), await post(browser, "/email/change", { email: newEmail() })];
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(refused.map(() => [429, "rate_limited"]));
    expect(await takeMails()).toEqual([]);
  });
});

describe("domains in SIGN_UP", () => {
  it("also limit the addresses to which persons change, in any letter case", async () => {
    const { browser, email } = await signUp();
    const bindings = { SIGN_UP: "example.com, Acme.test" };
    const change = async (target: string) =>
      (await browser.post("/api/auth/email/change", { email: target }, { bindings })).status;
    expect([await change("bob@other.test"), await change("bob@sub.acme.test")]).toEqual([400, 400]);
    expect(await takeMails()).toEqual([]);
    expect(await change("bob@ACME.test")).toBe(202);
    expect((await takeMails()).map(({ to }) => to).toSorted((a, b) => a.localeCompare(b))).toEqual(
      [email, "bob@ACME.test"].toSorted((a, b) => a.localeCompare(b)),
    );
  });
});
