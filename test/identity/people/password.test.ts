import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { freshAddress } from "../../support/address.ts";
import { internet } from "../../webhooks/support.ts";
import { Browser, forgetConfirmation, newEmail, OTHER_PASSWORD, PASSWORD, signUp, takeMails } from "./support.ts";

beforeEach(() => internet.reset());

const signIn = async (email: string, password: string) => {
  const browser = new Browser();
  return { browser, status: (await browser.post("/api/auth/sign-in", { email, password })).status };
};
const statusOf = async (browser: Browser) => (await browser.get("/api/auth/session")).status;
const actions = async () =>
  (await env.DB.prepare("SELECT action FROM audit_entries ORDER BY id").all<{ action: string }>()).results.map(
    ({ action }) => action,
  );

async function forgot(email: string): Promise<string | undefined> {
  const reply = await new Browser().post("/api/auth/password/forgot", { email });
  expect([reply.status, reply.body]).toEqual([202, { success: true }]);
  return (await takeMails()).find(({ to }) => to === email)?.token;
}

describe("a forgotten password", () => {
  it("is replaced by the link in a mail, which ends all sessions and signs nobody in", async () => {
    const { email, browser } = await signUp();
    const token = await forgot(email);
    const weak = await new Browser().post("/api/auth/password/reset", { token, password: "Ann Lee Ann Lee" });
    expect([weak.status, weak.body]).toMatchObject([400, { details: [{ path: "password" }] }]);
    const other = new Browser();
    expect((await other.post("/api/auth/password/reset", { token, password: OTHER_PASSWORD })).status).toBe(200);
    expect([...other.cookies.keys()]).toEqual(["__Host-tern-device"]);
    expect(await statusOf(browser)).toBe(401);
    expect([(await signIn(email, PASSWORD)).status, (await signIn(email, OTHER_PASSWORD)).status]).toEqual([401, 200]);
    expect(await takeMails()).toMatchObject([{ to: email, subject: "Your password was changed" }]);
    expect(await actions()).toEqual(["user.sign_up", "password.reset", "user.sign_in"]);
  });

  it("has the same answer without a user, and no mail", async () => {
    const email = newEmail();
    expect(await forgot(email)).toBeUndefined();
    // The transaction writes as much as for a user, since a write takes time. The mail is not sent later either.
    const rows =
      "SELECT (SELECT count(*) FROM tokens) AS tokens, count(*) AS mails, count(content) AS contents, count(due_at) AS due FROM mails";
    expect(await env.DB.prepare(rows).first()).toEqual({ tokens: 1, mails: 1, contents: 0, due: 0 });
  });

  it("has one link at a time, which works once for an hour", async () => {
    const { email } = await signUp();
    const [first, second] = [await forgot(email), await forgot(email)];
    const reset = (token: string | undefined) =>
      new Browser().post("/api/auth/password/reset", { token, password: OTHER_PASSWORD });
    expect((await reset(first)).status).toBe(400);
    const replies = await Promise.all(Array.from({ length: 40 }, () => reset(second)));
    const statuses = replies.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => ![200, 400, 503].includes(status))).toEqual([]);
    const third = await forgot(email);
    await env.DB.prepare("UPDATE tokens SET expires_at = expires_at - 30 * 60000").run();
    expect((await reset(third)).status).toBe(400);
  });

  it("is not replaced by the token of another purpose", async () => {
    const email = newEmail();
    await new Browser().post("/api/auth/sign-up", { email, password: PASSWORD, name: "Ann" });
    const [mail] = await takeMails();
    const reply = await new Browser().post("/api/auth/password/reset", {
      token: mail?.token,
      password: OTHER_PASSWORD,
    });
    expect(reply.status).toBe(400);
  });
});

it("a change of the password needs the present one, ends the other sessions and gives this one a new cookie", async () => {
  const { email, browser } = await signUp();
  const other = await signIn(email, PASSWORD);
  const token = await forgot(email);
  const change = (currentPassword: string) =>
    browser.post("/api/auth/password/change", { currentPassword, password: OTHER_PASSWORD });
  expect((await change(OTHER_PASSWORD)).body.code).toBe("invalid_credentials");
  const old = browser.session;
  expect((await change(PASSWORD)).status).toBe(200);
  expect(browser.session).not.toBe(old);
  expect([await statusOf(browser), await statusOf(other.browser)]).toEqual([200, 401]);
  expect(await takeMails()).toMatchObject([{ to: email, subject: "Your password was changed" }]);
  // The change ends links that were sent before.
  const reset = await new Browser().post("/api/auth/password/reset", { token, password: PASSWORD });
  expect(reset.status).toBe(400);
  browser.cookies.set("__Host-tern", old ?? "");
  expect(await statusOf(browser)).toBe(401);
});

describe("a change of the address", () => {
  const change = (browser: Browser, email: string) => browser.post("/api/auth/email/change", { email });
  const confirm = (browser: Browser, token: string | undefined) => browser.post("/api/auth/email/confirm", { token });

  async function requested(email: string, browser: Browser, target: string) {
    expect((await change(browser, target)).status).toBe(202);
    const mails = await takeMails();
    const tokenTo = (to: string) => mails.find((mail) => mail.to === to)?.token;
    return { confirmation: tokenTo(target), undo: tokenTo(email), mails };
  }

  it("needs a confirmed identity and the link in the mail to the new address", async () => {
    const { email, browser } = await signUp();
    const target = newEmail();
    await forgetConfirmation();
    expect((await change(browser, target)).body.code).toBe("confirm_identity");
    await browser.post("/api/auth/confirm", { password: PASSWORD });
    expect((await change(browser, email.toUpperCase())).status).toBe(400);
    const { confirmation } = await requested(email, browser, target);
    expect((await signIn(target, PASSWORD)).status).toBe(401);
    expect((await confirm(browser, confirmation)).status).toBe(200);
    expect((await confirm(browser, confirmation)).status).toBe(400);
    expect((await browser.get("/api/auth/session")).body["user"]).toMatchObject({ email: target });
    expect([(await signIn(email, PASSWORD)).status, (await signIn(target, PASSWORD)).status]).toEqual([401, 200]);
    expect(await takeMails()).toMatchObject([{ to: email, subject: "Your address was changed" }]);
  });

  it("cannot be confirmed by another person or without a session", async () => {
    const [ann, bob] = [await signUp(), await signUp()];
    const { confirmation } = await requested(ann.email, ann.browser, newEmail());
    expect((await confirm(bob.browser, confirmation)).status).toBe(403);
    expect((await confirm(new Browser(), confirmation)).status).toBe(401);
    expect((await confirm(ann.browser, confirmation)).status).toBe(200);
  });

  it("to an address that has a user has the same answer, and a notice in place of the link", async () => {
    const [ann, bob] = [await signUp(), await signUp()];
    const { mails } = await requested(ann.email, ann.browser, bob.email);
    expect(mails.map(({ to, subject, token }) => [to, subject, token === ""])).toEqual([
      [ann.email, "Your address is about to change", false],
      [bob.email, "This address already has an account", true],
    ]);
    expect(await env.DB.prepare("SELECT count(*) AS n FROM tokens WHERE purpose = 'confirm_email'").first("n")).toBe(0);
  });

  it("can be undone from the old address, also after the password was changed; then a new password must be set", async () => {
    const { email, browser } = await signUp();
    const target = newEmail();
    const { confirmation, undo } = await requested(email, browser, target);
    expect((await confirm(browser, confirmation)).status).toBe(200);
    await browser.post("/api/auth/password/change", { currentPassword: PASSWORD, password: OTHER_PASSWORD });
    await takeMails();
    const owner = new Browser();
    expect((await owner.post("/api/auth/email/undo", { token: undo })).status).toBe(200);
    expect(await statusOf(browser)).toBe(401);
    for (const password of [PASSWORD, OTHER_PASSWORD])
      for (const address of [email, target]) expect((await signIn(address, password)).status).toBe(401);
    const [mail] = await takeMails();
    expect(mail).toMatchObject({ to: email, subject: "Your address was restored" });
    owner.address = freshAddress();
    expect((await owner.post("/api/auth/password/reset", { token: mail?.token, password: PASSWORD })).status).toBe(200);
    expect((await signIn(email, PASSWORD)).status).toBe(200);
    expect((await owner.post("/api/auth/email/undo", { token: undo })).status).toBe(400);
  });

  it("cannot be undone any more from an address to which it was changed, once a former one is restored", async () => {
    const { email, browser } = await signUp();
    const [first, second] = [newEmail(), newEmail()];
    const { confirmation, undo } = await requested(email, browser, first);
    expect((await confirm(browser, confirmation)).status).toBe(200);
    const later = await requested(first, browser, second);
    expect((await confirm(browser, later.confirmation)).status).toBe(200);
    expect((await new Browser().post("/api/auth/email/undo", { token: undo })).status).toBe(200);
    expect((await new Browser().post("/api/auth/email/undo", { token: later.undo })).status).toBe(400);
    expect((await takeMails()).filter(({ token }) => token !== "").map(({ to }) => to)).toEqual([email]);
  });

  it("is confirmed and undone by one of 40 requests with the same link", async () => {
    const { email, browser } = await signUp();
    const { confirmation, undo } = await requested(email, browser, newEmail());
    const statusesOf = async (path: string, token: string | undefined) => {
      const replies = Array.from({ length: 40 }, () => {
        const parallel = new Browser();
        for (const [name, value] of browser.cookies) parallel.cookies.set(name, value);
        return parallel.post(`/api/auth/email/${path}`, { token });
      });
      return (await Promise.all(replies)).map(({ status }) => status);
    };
    const confirmed = await statusesOf("confirm", confirmation);
    expect(confirmed.filter((status) => status === 200)).toHaveLength(1);
    // The winner's session has another cookie now.
    expect(confirmed.filter((status) => ![200, 400, 401].includes(status))).toEqual([]);
    const undone = await statusesOf("undo", undo);
    expect(undone.toSorted((a, b) => a - b)).toEqual([200, ...Array.from({ length: 39 }, () => 400)]);
  });
});
