import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { DAY_MS } from "../../../src/limits.ts";
import { call, runCron, createAccount } from "../../support/api.ts";
import { hashToken, newToken } from "../../../src/platform/lib/token.ts";
import { freshAddress } from "../../support/address.ts";
import { measureD1 } from "../../support/d1-meter.ts";
import { internet } from "../../webhooks/support.ts";
import { stopClock } from "./factors.ts";
import {
  Browser,
  forgetConfirmation,
  newEmail,
  OTHER_PASSWORD,
  PASSWORD,
  signUp,
  takeMails,
  signIn,
  statusOf,
} from "./support.ts";

beforeEach(() => internet.reset());

const ascending = (a: number, b: number) => a - b;

describe("a session", () => {
  it("ends with the sign-out, and its cookie works no more", async () => {
    const { browser } = await signUp();
    const cookies = new Map(browser.cookies);
    const reply = await browser.post("/api/auth/sign-out");
    expect(reply.status).toBe(200);
    expect(reply.headers.get("Clear-Site-Data")).toBe('"cache", "storage"');
    expect(browser.session).toBeUndefined();
    for (const [name, value] of cookies) browser.cookies.set(name, value);
    expect(await statusOf(browser)).toBe(401);
  });

  it("ends after 14 days without use, and after 60 days at the latest", async () => {
    const { browser, email } = await signUp();
    const start = Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now: start });
    const { browser: idle } = await signUp();
    const at = (days: number) => vi.setSystemTime(start + days * DAY_MS);
    for (const days of [13, 26, 39, 52]) {
      at(days);
      expect(await statusOf(browser)).toBe(200);
    }
    expect(await statusOf(idle)).toBe(401);
    at(60);
    expect(await statusOf(browser)).toBe(401);
    await runCron(Date.now());
    expect(await env.DB.prepare("SELECT count(*) AS n FROM sessions").first("n")).toBe(0);
    // A password has no age.
    at(800);
    expect((await signIn(email)).reply.status).toBe(200);
  });

  it("is listed with its browser; one and all others can be ended after a confirmation", async () => {
    const { browser, email } = await signUp();
    const [second, third] = [await signIn(email), await signIn(email)];
    const { body } = await browser.get("/api/auth/sessions?limit=2");
    expect(body["sessions"]).toMatchObject([
      {
        current: false,
        browser: "Firefox",
        browserVersion: "140",
        os: "Linux",
        osVersion: null,
        device: "desktop",
        country: null,
      },
      { current: false },
    ]);
    expect(body["nextCursor"]).not.toBeNull();
    const [{ id }] = body["sessions"] as [{ id: string }];
    await forgetConfirmation();
    const refused = await browser.delete(`/api/auth/sessions/${id}`);
    expect([refused.status, refused.body.code]).toEqual([403, "confirm_identity"]);
    expect((await browser.delete("/api/auth/sessions")).body.code).toBe("confirm_identity");
    expect((await browser.post("/api/auth/confirm", { password: OTHER_PASSWORD })).body.code).toBe(
      "invalid_credentials",
    );
    expect((await browser.post("/api/auth/confirm", { password: PASSWORD })).status).toBe(200);
    expect((await browser.delete(`/api/auth/sessions/${id}`)).status).toBe(200);
    expect((await browser.delete(`/api/auth/sessions/${id}`)).status).toBe(404);
    expect([await statusOf(second.browser), await statusOf(third.browser)].toSorted(ascending)).toEqual([200, 401]);
    expect((await browser.delete("/api/auth/sessions")).status).toBe(200);
    expect([await statusOf(browser), await statusOf(second.browser), await statusOf(third.browser)]).toEqual([
      200, 401, 401,
    ]);
  });

  it("of another person cannot be ended", async () => {
    const [ann, bob] = [await signUp(), await signUp()];
    const { body } = await bob.browser.get("/api/auth/session");
    const { id } = body["session"] as { id: string };
    expect((await ann.browser.delete(`/api/auth/sessions/${id}`)).status).toBe(404);
    expect(await statusOf(bob.browser)).toBe(200);
  });

  it("counts wrong passwords at a confirmation", async () => {
    const { browser } = await signUp();
    const statuses: number[] = [];
    for (let time = 0; time < 11; time++) {
      browser.address = freshAddress();
      statuses.push((await browser.post("/api/auth/confirm", { password: OTHER_PASSWORD })).status);
    }
    expect(statuses).toEqual([...Array(10).fill(401), 429]);
  });
});

describe("a request from another site", () => {
  const CHANGES: [string, string, unknown?][] = [
    ["POST", "/api/auth/sign-in", { email: "ann@example.com", password: PASSWORD }],
    ["POST", "/api/auth/sign-up", { email: "ann@example.com", password: PASSWORD, name: "Ann" }],
    ["POST", "/api/auth/sign-in/mfa", { code: "492039" }],
    ["POST", "/api/auth/passkeys/sign-in/options"],
    ["POST", "/api/auth/sign-out"],
    ["DELETE", "/api/auth/sessions"],
  ];
  it.each([
    ["another origin", { Origin: "https://evil.test" }],
    ["a subdomain", { Origin: "https://a.tern.test" }],
    ["http", { Origin: "http://tern.test" }],
    ["null", { Origin: "null" }],
    ["an origin with a path", { Origin: "https://tern.test/" }],
    ["another origin that claims the same site", { Origin: "https://evil.test", "Sec-Fetch-Site": "same-origin" }],
    ["a cross-site fetch", { "Sec-Fetch-Site": "cross-site" }],
    ["a same-site fetch", { "Sec-Fetch-Site": "same-site" }],
    ["no header at all", {}],
  ])("(%s) is refused", async (_, headers) => {
    const { browser } = await signUp();
    const cookie = `__Host-tern=${browser.session}`;
    for (const [method, path, body] of CHANGES) {
      for (const credentials of [{}, { Cookie: cookie }]) {
        const response = await call(method, path, { body, headers: { ...credentials, ...headers } });
        expect([method, path, response.status]).toEqual([method, path, 403]);
        expect(await response.json()).toMatchObject({ code: "cross_site" });
      }
    }
    expect(await statusOf(browser)).toBe(200);
  });

  it("cannot open a WebSocket with a session", async () => {
    const { browser } = await signUp();
    const cookie = { Cookie: `__Host-tern=${browser.session}`, Upgrade: "websocket", Connection: "Upgrade" };
    for (const path of ["/api/auth/session", "/api/links"]) {
      for (const headers of [{}, { Origin: "https://evil.test" }]) {
        const response = await call("GET", path, { headers: { ...cookie, ...headers } });
        expect([path, response.status, await response.json()]).toMatchObject([path, 403, { code: "cross_site" }]);
      }
    }
  });

  it("is accepted without Origin if Sec-Fetch-Site says that it is not from another one", async () => {
    const { browser } = await signUp();
    const headers = { Cookie: `__Host-tern=${browser.session}`, "Sec-Fetch-Site": "same-origin" };
    expect((await call("POST", "/api/auth/sign-out", { headers })).status).toBe(200);
  });
});

it("a key alone opens nothing under /api/auth, and a session does with or without one", async () => {
  const { key } = await createAccount();
  const { browser } = await signUp();
  for (const [method, path] of [
    ["GET", "/api/auth/session"],
    ["POST", "/api/auth/sign-in"],
    ["GET", "/api/auth/nothing"],
  ] as const) {
    const response = await call(method, path, { key, headers: { Origin: "https://tern.test" } });
    expect([path, response.status]).toEqual([path, 401]);
  }
  const headers = { Authorization: `Bearer ${key}` };
  expect((await browser.get("/api/auth/session", { headers })).status).toBe(200);
  expect((await browser.get("/api/auth/nothing")).status).toBe(404);
});

it("an unknown path is one of the 1,500 reads that the sessions of an address have a minute, and costs none beyond", async () => {
  stopClock();
  const address = freshAddress();
  const headers = { Cookie: `__Host-tern=${"x".repeat(43)}` };
  const get = async (path: string) => (await call("GET", path, { address, headers })).status;
  await env.RATE_LIMITER.getByName(address).take("reads of sessions", 1_500, { weight: 1_497 });
  for (const folder of ["account", "teams/x", "auth"]) expect(await get(`/api/${folder}/nothing`)).toBe(401);
  const { roundTrips } = await measureD1(async () => expect(await get("/api/auth/nothing")).toBe(429));
  expect(roundTrips).toBe(0);
  expect((await call("GET", "/api/auth/nothing", { address })).status).toBe(401);
});

it("the outbox and sign-in links exist on localhost only", async () => {
  const { browser } = await signUp();
  await takeMails();
  expect((await browser.get("/api/auth/outbox")).status).toBe(404);
  const local = new Browser("http://localhost:8787");
  const bindings = { BASE_URL: "http://localhost:8787", MAIL_API_TOKEN: "" };
  local.address = "127.0.0.1";
  const email = newEmail();
  await local.post("/api/auth/sign-up", { email, password: PASSWORD, name: "Ann" }, { bindings });
  const { body } = await local.get("/api/auth/outbox", { bindings });
  expect(body["mails"]).toEqual([
    {
      to: email,
      subject: "Verify your address",
      link: expect.stringMatching(/^http:\/\/localhost:8787\/app\/verify-email#token=[\w-]{43}$/),
      createdAt: expect.any(Number),
    },
  ]);
  local.address = "192.0.2.7";
  expect((await local.get("/api/auth/outbox", { bindings })).status).toBe(404);
  local.address = "127.0.0.1";
  const link = (body["mails"] as [{ link: string }])[0].link;
  const other = new Browser("http://127.0.0.1:8787");
  other.address = "127.0.0.1";
  // All names of the machine are one origin.
  const verified = await other.post(
    "/api/auth/verify-email",
    { token: link.split("=")[1], password: PASSWORD },
    { bindings },
  );
  expect(verified.status).toBe(200);
  expect(other.cookies.has("tern")).toBe(true);
});

it("the outbox and sign-in links are off where the service listens beyond this machine, whatever a caller sends", async () => {
  const bindings = { BASE_URL: "http://localhost:8787", MAIL_API_TOKEN: "", WRANGLER_DEV: "network" };
  const { userId } = await signUp();
  const email = newEmail();
  const owner = new Browser("http://localhost:8787");
  const signedUp = await owner.post("/api/auth/sign-up", { email, password: PASSWORD, name: "Ann" }, { bindings });
  expect(signedUp.status).toBe(202);
  const forged = { "X-Forwarded-For": "127.0.0.1", "X-Real-IP": "127.0.0.1", Forwarded: "for=127.0.0.1" };
  for (const host of ["localhost", "127.0.0.1", "[::1]"])
    for (const address of ["127.0.0.1", "::1", "::ffff:127.0.0.1", ""]) {
      const attacker = new Browser(`http://${host}:8787`);
      attacker.address = address;
      const outbox = await attacker.get("/api/auth/outbox", { bindings, headers: forged });
      const token = newToken();
      await env.DB.prepare("INSERT INTO tokens VALUES (?1, 'sign_in_link', ?2, '{}', 0, ?3, NULL)")
        .bind(await hashToken(token), userId, Date.now() + 60_000)
        .run();
      const link = await attacker.post("/api/auth/sign-in/link", { token }, { bindings, headers: forged });
      expect([outbox.status, link.status]).toEqual([404, 400]);
      expect(JSON.stringify(outbox.body)).not.toContain(email);
    }
});
