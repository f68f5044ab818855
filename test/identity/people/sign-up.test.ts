import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { internet } from "../../webhooks/support.ts";
import { DAY_MS } from "../../../src/limits.ts";
import { toHex } from "../../../src/platform/lib/hash.ts";
import { SCRYPT_PARAMETERS } from "../../../src/identity/people/password-hashing/scrypt.ts";
import {
  Browser,
  newEmail,
  OTHER_PASSWORD,
  PASSWORD,
  PRODUCTION_PARAMETERS,
  signUp,
  takeMails,
  TEST_PARAMETERS,
} from "./support.ts";

beforeEach(() => internet.reset());

const ascending = (a: number, b: number) => a - b;

const count = (table: string) => env.DB.prepare(`SELECT count(*) AS n FROM ${table}`).first<number>("n");

describe("signing up", () => {
  it("makes a user with a personal account once the address is verified, and signs in", async () => {
    const browser = new Browser();
    const email = newEmail();
    const signedUp = await browser.post("/api/auth/sign-up", { email, password: PASSWORD, name: "Ann Lee" });
    expect([signedUp.status, signedUp.body]).toEqual([202, { success: true }]);
    expect(await count("users")).toBe(0);
    const [mail] = await takeMails();
    expect(mail).toMatchObject({ to: email, subject: "Verify your address" });
    expect(mail?.text).toContain(`https://tern.test/app/verify-email#token=${mail?.token}`);

    const verified = await browser.post("/api/auth/verify-email", { token: mail?.token });
    expect(verified.status).toBe(200);
    expect(verified.body).toMatchObject({ user: { email, name: "Ann Lee" }, session: { current: true } });
    // The token is only in the cookie, which scripts cannot read.
    expect(JSON.stringify(verified.body)).not.toContain(browser.session);
    expect(verified.headers.getSetCookie().join("\n")).toMatch(
      /^__Host-tern=[\w-]{43}; Max-Age=5184000; Path=\/; HttpOnly; Secure; SameSite=Lax$/m,
    );
    const session = await browser.get("/api/auth/session");
    expect(session.body["accounts"]).toEqual([
      { id: expect.any(String), name: "Ann Lee", kind: "personal", role: "owner", deletesAt: null },
    ]);
    const stored = await env.DB.prepare("SELECT hash FROM sessions").first<string>("hash");
    expect(stored).toMatch(/^[0-9a-f]{64}$/);
    expect(stored).not.toContain(browser.session);
  });

  it("accepts a link once, also when it is used 40 times at once", async () => {
    const browser = new Browser();
    await browser.post("/api/auth/sign-up", { email: newEmail(), password: PASSWORD, name: "Ann" });
    const [mail] = await takeMails();
    const replies = await Promise.all(
      Array.from({ length: 40 }, () => {
        const parallel = new Browser();
        for (const [name, value] of browser.cookies) parallel.cookies.set(name, value);
        return parallel.post("/api/auth/verify-email", { token: mail?.token });
      }),
    );
    expect(replies.map(({ status }) => status).toSorted(ascending)).toEqual([
      200,
      ...Array.from({ length: 39 }, () => 400),
    ]);
    expect([await count("users"), await count("accounts"), await count("sessions")]).toEqual([1, 1, 1]);
  });

  it("in another browser needs a new password, and that of the sign-up never works", async () => {
    const email = newEmail();
    await new Browser().post("/api/auth/sign-up", { email, password: PASSWORD, name: "A stranger" });
    const [mail] = await takeMails();
    const owner = new Browser();
    const refused = await owner.post("/api/auth/verify-email", { token: mail?.token });
    expect([refused.status, refused.body]).toMatchObject([400, { details: [{ path: "password" }] }]);
    expect((await owner.post("/api/auth/verify-email", { token: mail?.token, password: OTHER_PASSWORD })).status).toBe(
      200,
    );
    const signIn = (password: string) => new Browser().post("/api/auth/sign-in", { email, password });
    expect((await signIn(PASSWORD)).status).toBe(401);
    expect((await signIn(OTHER_PASSWORD)).status).toBe(200);
  });

  it("with a known address answers the same and tells the person by mail", async () => {
    const { email } = await signUp();
    const again = new Browser();
    const reply = await again.post("/api/auth/sign-up", {
      email: email.toUpperCase(),
      password: OTHER_PASSWORD,
      name: "Other",
    });
    expect([reply.status, reply.body]).toEqual([202, { success: true }]);
    expect(again.cookies.has("__Host-tern-sign-up")).toBe(true);
    expect(await takeMails()).toMatchObject([{ to: email, subject: "You already have an account", token: "" }]);
    expect(await count("users")).toBe(1);
  });

  it("replaces the older link, and sends at most three mails an hour", async () => {
    const browser = new Browser();
    const email = newEmail();
    const tokens: string[] = [];
    for (let round = 0; round < 4; round++) {
      const reply = await browser.post("/api/auth/sign-up", { email, password: PASSWORD, name: "Ann" });
      expect(reply.status).toBe(202);
      tokens.push(...(await takeMails()).map(({ token }) => token));
    }
    expect(tokens).toHaveLength(3);
    const verify = (token: string | undefined) =>
      new Browser().post("/api/auth/verify-email", { token, password: OTHER_PASSWORD });
    expect((await verify(tokens[0])).status).toBe(400);
    expect((await verify(tokens[2])).status).toBe(200);
  });

  it("has a link that works for 24 hours", async () => {
    const browser = new Browser();
    await browser.post("/api/auth/sign-up", { email: newEmail(), password: PASSWORD, name: "Ann" });
    const [mail] = await takeMails();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + DAY_MS });
    expect((await browser.post("/api/auth/verify-email", { token: mail?.token })).status).toBe(400);
    expect(await count("users")).toBe(0);
  });

  it.each([
    ["closed", []],
    ["invited", []],
    ["", []],
    ["acme.com, example.org", []],
    ["acme.com, Example.com", ["Verify your address"]],
  ])("SIGN_UP=%s sends the mails %j", async (setting, subjects) => {
    const body = { email: "bob@example.com", password: PASSWORD, name: "Bob" };
    const bindings = { SIGN_UP: setting };
    const reply = await new Browser().post("/api/auth/sign-up", body, { bindings });
    expect([reply.status, reply.body]).toEqual([202, { success: true }]);
    expect((await takeMails()).map(({ subject }) => subject)).toEqual(subjects);
  });

  it("says which setting is missing", async () => {
    const body = { email: newEmail(), password: PASSWORD, name: "Ann" };
    const sends = (bindings: Record<string, unknown>) => new Browser().post("/api/auth/sign-up", body, { bindings });
    expect((await sends({ MAIL_API_TOKEN: "" })).body).toMatchObject({
      code: "unavailable",
      error: expect.stringContaining("MAIL_API_TOKEN is not set"),
    });
    expect((await sends({ MAIL_FROM: "" })).body.error).toContain("MAIL_FROM is not set");
    expect((await sends({ BASE_URL: "" })).body.error).toContain("--url");
  });
});

describe("a password", () => {
  const send = async (password: string, email = newEmail()) =>
    (await new Browser().post("/api/auth/sign-up", { email, password, name: "Zoë Lee" })).body;

  it.each([
    ["elevenchars", { code: "too_short", min: 12 }],
    ["x".repeat(129), { code: "too_long", max: 128 }],
    ["Qwerty123456", { code: "common_password" }],
    ["ZOË-lee-tern-2026", { code: "guessable_password" }],
    ["annlee.bobson", { code: "guessable_password" }],
    ["example.com!!", { code: "guessable_password" }],
  ])("%s is refused", async (password, fault) => {
    const email = "annlee.bobson@example.com";
    expect(await send(password, email)).toMatchObject({
      code: "invalid_request",
      details: [{ path: "password", ...fault }],
    });
  });

  it("is counted in characters, in any script", async () => {
    expect(await send("🦆".repeat(128))).toEqual({ success: true });
    expect(await send("Ωμέγα και φως")).toEqual({ success: true });
  });

  it("is refused after a breach, of which only five characters of a hash are sent", async () => {
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-1", new TextEncoder().encode(PASSWORD)));
    const hash = toHex(digest).toUpperCase();
    const range = `https://breaches.test/range/${hash.slice(0, 5)}`;
    await internet.answers({
      "breaches.test": { body: `0018A45C4D1DEF81644B54AB7F969B88D65:0\r\n${hash.slice(5)}:42\r\n` },
    });
    expect(await send(PASSWORD)).toMatchObject({ details: [{ path: "password", code: "breached_password" }] });
    const lookups = (await internet.received()).filter(({ url }) => url.includes("breaches.test"));
    expect(lookups).toMatchObject([{ url: range, headers: { "add-padding": "true" } }]);
    // A count of 0 is padding, and a failure refuses nobody.
    await internet.answers({ "breaches.test": { body: `${hash.slice(5)}:0\r\n` } });
    expect(await send(PASSWORD)).toEqual({ success: true });
    await internet.answers({ "breaches.test": { fails: true } });
    expect(await send(PASSWORD)).toEqual({ success: true });
  });

  it("is stored as scrypt with its parameters, and hashed again when they change", async () => {
    const { email, userId } = await signUp();
    const read = () =>
      env.DB.prepare("SELECT password_hash FROM users WHERE id = ?1").bind(userId).first<string>("password_hash");
    expect(await read()).toMatch(/^scrypt\$16\$8\$1\$[\w+/]{22}==\$[\w+/]{43}=$/);
    Object.assign(SCRYPT_PARAMETERS, PRODUCTION_PARAMETERS);
    onTestFinished(() => void Object.assign(SCRYPT_PARAMETERS, TEST_PARAMETERS));
    const browser = new Browser();
    expect((await browser.post("/api/auth/sign-in", { email, password: PASSWORD })).status).toBe(200);
    expect(await read()).toMatch(/^scrypt\$16384\$8\$5\$[\w+/]{22}==\$[\w+/]{43}=$/);
    expect((await browser.post("/api/auth/sign-in", { email, password: PASSWORD })).status).toBe(200);
  });
});
