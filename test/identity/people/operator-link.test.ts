import { env } from "cloudflare:workers";
import { beforeEach, expect, it, vi } from "vitest";
import { hashToken, newToken } from "../../../src/platform/lib/token.ts";
import { freshAddress } from "../../support/address.ts";
import { internet } from "../../webhooks/support.ts";
import { enrolled, stopClock } from "./factors.ts";
import { Browser, PASSWORD, signUp, statusOf } from "./support.ts";

beforeEach(() => internet.reset());

/** A link as the command `sign-in` makes it, or `npm start` if `by` is left out. */
async function makeLink(userId: string, payload: object, lifetimeMs = 60_000): Promise<string> {
  const token = newToken();
  await env.DB.prepare("INSERT INTO tokens VALUES (?1, 'sign_in_link', ?2, ?3, ?4, ?5, NULL)")
    .bind(await hashToken(token), userId, JSON.stringify(payload), Date.now(), Date.now() + lifetimeMs)
    .run();
  return token;
}

const open = (token: string, browser = new Browser()) =>
  browser.post("/api/auth/sign-in/link", { token }, { headers: { "CF-Connecting-IP": freshAddress() } });

it("the operator's link signs in on a deployed service, for one of 40 requests at once", async () => {
  const { userId, email } = await signUp();
  const token = await makeLink(userId, { by: "operator" });
  const lines: string[] = [];
  const spy = vi.spyOn(console, "info").mockImplementation((line: string) => void lines.push(line));
  const browsers = Array.from({ length: 40 }, () => new Browser());
  const replies = await Promise.all(browsers.map((browser) => open(token, browser)));
  spy.mockRestore();
  const proofs = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(proofs.filter(({ method, accepted }) => method === "link" && accepted === true)).toMatchObject([{ userId }]);
  expect(lines.join()).not.toContain(token);
  expect(replies.filter(({ status }) => status === 400)).toHaveLength(39);
  const won = replies.findIndex(({ status }) => status === 200);
  expect(replies[won]?.body).toMatchObject({ user: { id: userId, email } });
  const sessions = await Promise.all(browsers.map(statusOf));
  expect(sessions.flatMap((status, n) => (status === 200 ? [n] : []))).toEqual([won]);
});

it("neither replaces a second factor, nor works once it has expired or the password is another one", async () => {
  stopClock();
  const { userId, browser } = await enrolled();
  expect((await open(await makeLink(userId, { by: "operator" }))).body).toEqual({ mfa: ["totp", "recovery"] });
  expect((await open(await makeLink(userId, { by: "operator" }, 0))).status).toBe(400);
  const voided = await makeLink(userId, { by: "operator" });
  const change = { currentPassword: PASSWORD, password: "forty other umbrellas" };
  expect((await browser.post("/api/auth/password/change", change)).status).toBe(200);
  expect((await open(voided)).status).toBe(400);
});

it("the link of `npm start` signs in nobody on a deployed service", async () => {
  const { userId } = await signUp();
  const token = await makeLink(userId, {});
  const browser = new Browser();
  expect((await open(token, browser)).body).toMatchObject({ details: [{ path: "token", code: "dead_token" }] });
  expect(browser.session).toBeUndefined();
});
