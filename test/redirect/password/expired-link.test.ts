import { env } from "cloudflare:workers";
import { beforeEach, expect, it, vi } from "vitest";
import { call, createLink, key, startAccount } from "../../support/api.ts";
import { cookieOf, guess, PASSWORD, visitWith } from "../../support/password.ts";

beforeEach(startAccount);

it("expires for every visitor, with and without the password", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const expiresAt = Date.now() + 1_000;
  await createLink(key, { slug: "brief", password: PASSWORD, expiresAt });
  await createLink(key, { slug: "brief-too", password: PASSWORD, expiresAt, expiredUrl: "https://example.com/over" });
  const cookie = cookieOf(await guess("/brief", PASSWORD));
  vi.setSystemTime(expiresAt);
  for (const headers of [{}, { Cookie: cookie }]) expect((await call("GET", "/brief", { headers })).status).toBe(410);
  expect((await call("GET", "/brief-too")).headers.get("Location")).toBe("https://example.com/over");
  expect((await guess("/brief", PASSWORD)).headers.get("Set-Cookie")).toBeNull();
});

it("uses a visit of its limit only for visitors with the password", async () => {
  await createLink(key, { slug: "twice", password: PASSWORD, maxClicks: 2 });
  for (let time = 0; time < 5; time++) {
    expect((await call("GET", "/twice")).status).toBe(401);
    expect((await guess("/twice", "wrong horse")).status).toBe(403);
  }
  const cookie = cookieOf(await guess("/twice", PASSWORD));
  const statuses = await Promise.all(
    Array.from({ length: 10 }, async () => (await visitWith("/twice", cookie)).status),
  );
  expect(statuses.filter((status) => status === 302)).toHaveLength(2);
  expect(statuses.filter((status) => status === 410)).toHaveLength(8);
  expect((await call("GET", "/twice")).status).toBe(410);
  expect((await guess("/twice", PASSWORD)).status).toBe(303);
});

it("uses no visit for a password that has changed", async () => {
  const limited = await createLink(key, { slug: "limited", password: PASSWORD, maxClicks: 1 });
  const cookie = cookieOf(await guess("/limited", PASSWORD));
  // The owner changes the password between the read and the claim, as with a lagging replica.
  const original = env.DB.withSession.bind(env.DB);
  vi.spyOn(env.DB, "withSession").mockImplementation((constraint) => {
    const session = original(constraint);
    const prepare = session.prepare.bind(session);
    session.prepare = (sql) => {
      const statement = prepare(sql);
      const bind = statement.bind.bind(statement);
      statement.bind = (...values) => {
        const bound = bind(...values);
        const all = bound.all.bind(bound);
        bound.all = (async () => {
          const result = await all();
          await env.DB.prepare("UPDATE links SET password_hash = replace(password_hash, '.', '.A')").run();
          return result;
        }) as typeof bound.all;
        return bound;
      };
      return statement;
    };
    return session;
  });
  expect((await visitWith("/limited", cookie)).status).toBe(401);
  vi.restoreAllMocks();
  const visits = await env.DB.prepare("SELECT visits FROM links WHERE id = ?1").bind(limited.id).first("visits");
  expect(visits).toBe(0);
});
