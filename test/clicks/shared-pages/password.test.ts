import { env } from "cloudflare:workers";
import { beforeEach, expect, it, vi } from "vitest";
import { PASSWORD_ATTACK_GUESSES, PASSWORD_COOKIE_TTL_MS, PASSWORD_GUESSES_PER_ADDRESS } from "../../../src/limits.ts";
import type { SharedPage } from "../../../src/clicks/shared-pages/contract.ts";
import {
  buildRequest,
  call,
  createAccount,
  createLink,
  jsonOf,
  send as sendTo,
  type ErrorJson,
} from "../../support/api.ts";
import { freshAddress } from "../../support/address.ts";
import { cookieOf, visitWith } from "../../support/password.ts";
import { createPage, enter, send, tokenOf, view } from "./support.ts";

const PASSWORD = "café latte";

let key: string;
let linkId: string;
let page: SharedPage;
beforeEach(async () => {
  ({ key } = await createAccount());
  linkId = (await createLink(key, { slug: "locked", password: PASSWORD })).id;
  page = await createPage(key, { linkId, password: PASSWORD });
});

const change = (body: object, { id } = page) => send("PATCH", `/api/shared-pages/${id}`, { key, body });
const codeOf = async (response: Response) => [response.status, (await jsonOf<ErrorJson>(response)).code];

it("asks for the password, and opens the page with the cookie of this page only", async () => {
  for (const path of ["", "/clicks"]) {
    const { status, code } = await view(page, path);
    expect([status, code]).toEqual([401, "password_required"]);
  }
  const entered = await enter(page, "cafe\u0301 latte");
  expect([entered.status, await entered.json()]).toEqual([200, { success: true }]);
  const line = entered.headers.get("Set-Cookie") ?? "";
  expect(line).toMatch(/^__Secure-link_permission=\d+\.[\w+/=]+; /);
  expect(line).toContain(`; Path=/api/shared/${tokenOf(page)}; Max-Age=3600; HttpOnly; SameSite=Lax; Secure`);
  const cookie = cookieOf(entered);
  for (const path of ["", "/clicks"]) expect((await view(page, path, cookie)).status).toBe(200);
  // Neither another page with the same password, nor the link itself, and the other way round.
  const other = await createPage(key, { linkId, password: PASSWORD });
  expect((await view(other, "", cookie)).status).toBe(401);
  expect((await visitWith("/locked", cookie)).status).toBe(401);
  const form = {
    body: `password=${encodeURIComponent(PASSWORD)}`,
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
  };
  expect((await view(page, "", cookieOf(await call("POST", "/locked", form)))).status).toBe(401);
  for (const forged of [`${cookie}x`, cookie.replace(/=\d+/, "=9999999999999"), "__Secure-link_permission=1.x"])
    expect((await view(page, "", forged)).status).toBe(401);
  // The key of the account opens no page of viewers.
  expect((await send("GET", `/api/shared/${tokenOf(page)}`, { key })).status).toBe(401);
});

it("ends the access of viewers when the password is changed, set again or removed, or after an hour", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2030-01-01") });
  let current = PASSWORD;
  for (const password of ["another password", "another password"]) {
    const cookie = cookieOf(await enter(page, current));
    expect((await view(page, "", cookie)).status).toBe(200);
    await change({ title: "kept" });
    expect((await view(page, "", cookie)).status).toBe(200);
    await change({ password });
    expect((await view(page, "", cookie)).status).toBe(401);
    current = password;
  }
  const cookie = cookieOf(await enter(page, current));
  await change({ password: null });
  expect((await view(page)).status).toBe(200);
  const without = await enter(page, current);
  expect([without.status, without.headers.get("Set-Cookie")]).toEqual([200, null]);
  await change({ password: current });
  expect((await view(page, "", cookie)).status).toBe(401);
  const last = cookieOf(await enter(page, current));
  vi.setSystemTime(Date.now() + PASSWORD_COOKIE_TTL_MS - 1);
  expect((await view(page, "", last)).status).toBe(200);
  vi.setSystemTime(Date.now() + 1);
  expect((await view(page, "", last)).status).toBe(401);
  await send("DELETE", `/api/shared-pages/${page.id}`, { key });
  expect((await view(page, "", last)).status).toBe(404);
});

it("counts only wrong guesses, for each address and page, also under concurrency", async () => {
  const address = freshAddress();
  const wrong = await Promise.all(
    Array.from({ length: 9 }, () => enter(page, "wrong horse", { address }).then(({ status }) => status)),
  );
  expect(wrong.filter((status) => status === 403)).toHaveLength(PASSWORD_GUESSES_PER_ADDRESS);
  expect(wrong.filter((status) => status === 429)).toHaveLength(9 - PASSWORD_GUESSES_PER_ADDRESS);
  expect(await codeOf(await enter(page, PASSWORD, { address }))).toEqual([429, "rate_limited"]);
  expect((await enter(page, PASSWORD)).status).toBe(200);
  // Right guesses are limited by the calls of the operation only, ten a minute.
  const viewer = freshAddress();
  const right = await Promise.all(
    Array.from({ length: 11 }, () => enter(page, PASSWORD, { address: viewer }).then(({ status }) => status)),
  );
  expect(right.filter((status) => status === 200)).toHaveLength(10);
  // The link with the same password has a count of its own.
  const mixed = freshAddress();
  for (let n = 0; n < PASSWORD_GUESSES_PER_ADDRESS; n++) await enter(page, "wrong horse", { address: mixed });
  expect(await codeOf(await enter(page, PASSWORD, { address: mixed }))).toEqual([429, "rate_limited"]);
  const form = { "Content-Type": "application/x-www-form-urlencoded", "CF-Connecting-IP": mixed };
  const body = `password=${encodeURIComponent(PASSWORD)}`;
  expect((await call("POST", "/locked", { headers: form, body })).status).toBe(303);
});

it("logs an attack of many addresses, shows it to the account, and turns away nobody who has the password", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2030-01-01") });
  const warn = vi.spyOn(console, "warn").mockReturnValue();
  // As if wrong guesses from many addresses had come before.
  const limiter = env.RATE_LIMITER.getByName(`password ${page.id}`);
  await limiter.take("password", PASSWORD_ATTACK_GUESSES, { weight: PASSWORD_ATTACK_GUESSES, penalties: false });
  const wrong = await enter(page, "wrong horse");
  expect(await codeOf(wrong)).toEqual([403, "wrong_password"]);
  const [line] = warn.mock.calls.map(([text]) => JSON.parse(String(text)) as unknown);
  expect(line).toMatchObject({ event: "password_attack", sharedPageId: page.id, accountId: expect.any(Number) });
  const { sharedPage } = await send("GET", `/api/shared-pages/${page.id}`, { key });
  expect(sharedPage).toEqual({ ...page, passwordAttackedAt: Date.parse("2030-01-01") });
  expect((await enter(page, PASSWORD)).status).toBe(200);
});

it("refuses bodies that are no password, and forms and texts that another site could send without a preflight", async () => {
  for (const password of ["", 12, null, ["x"], "x".repeat(300)])
    expect(await codeOf(await enter(page, password))).toEqual([400, "invalid_request"]);
  for (const [type, body] of [
    ["application/x-www-form-urlencoded", "password=x"],
    ["text/plain", JSON.stringify({ password: PASSWORD })],
  ] as const) {
    const response = await call("POST", `/api/shared/${tokenOf(page)}/password`, {
      headers: { "Content-Type": type },
      body,
    });
    expect([response.status, response.headers.get("Set-Cookie")]).toEqual([415, null]);
  }
  const preflight = await call("OPTIONS", `/api/shared/${tokenOf(page)}/password`, {
    headers: { Origin: "https://evil.test" },
  });
  expect(preflight.headers.get("Access-Control-Allow-Origin")).toBeNull();
});

it("answers 503 while the password cannot be checked, and gives no access", async () => {
  const error = vi.spyOn(console, "error").mockReturnValue();
  const other = { ENCRYPTION_KEYS: env.ENCRYPTION_KEYS.replace(/^\w+/, "other") };
  const request = buildRequest("POST", `/api/shared/${tokenOf(page)}/password`, { body: { password: PASSWORD } });
  const response = await sendTo(request, other);
  expect([response.status, response.headers.get("Set-Cookie")]).toEqual([503, null]);
  expect(JSON.parse(String(error.mock.calls[0]?.[0]))).toMatchObject({
    event: "password_key_missing",
    sharedPageId: page.id,
  });
});
