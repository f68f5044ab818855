import { env } from "cloudflare:workers";
import { beforeEach, expect, it, vi } from "vitest";
import type { Link } from "#src/links/contract.ts";
import { freshAddress } from "../../support/address.ts";
import { buildRequest, createAccount, jsonOf, send, type CallOptions, type ErrorJson } from "../../support/api.ts";
import { itWithSafety } from "../../support/safety.ts";

const HOUR = 3_600_000;
const LINK = { url: "https://example.com/" };

// Behind the real time, and later in each test, so that no test finds refusals that the isolate remembers.
let clock = Math.floor(Date.now() / 1_000) * 1_000 - HOUR;
beforeEach(() => {
  clock += HOUR / 10;
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now: clock });
});

type Bindings = Partial<Record<"ACCOUNT_LINKS_PER_MINUTE" | "ANONYMOUS_LINKS_PER_MINUTE", string>>;

/** Sends a request, by default from an address of its own. Returns the limit that its headers describe. */
async function ask(method: string, path: string, options: CallOptions, bindings: Partial<Env> = {}) {
  const response = await send(buildRequest(method, path, options), bindings);
  const number = (name: string) => (response.headers.has(name) ? Number(response.headers.get(name)) : null);
  return {
    status: response.status,
    limit: number("X-RateLimit-Limit"),
    remaining: number("X-RateLimit-Remaining"),
    reset: number("X-RateLimit-Reset"),
    retryAfter: number("Retry-After"),
    body: await jsonOf<ErrorJson>(response),
  };
}

function shorten(address: string, bindings: Bindings = {}, body: object = LINK) {
  return ask("POST", "/api/shorten", { address, body }, bindings);
}

const statusesOf = async (answers: Promise<{ status: number }>[]) => {
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  return (status: number) => statuses.filter((other) => other === status).length;
};

async function countLinks(accountId: number): Promise<number | null> {
  return env.DB.prepare("SELECT count(*) AS n FROM links WHERE account_id = ?1").bind(accountId).first<number>("n");
}

it("limits the links that an account creates from many addresses, by each operation", async () => {
  const bindings = { ACCOUNT_LINKS_PER_MINUTE: "100" } as Partial<Env>;
  const { accountId, key } = await createAccount();
  const start = Date.now();
  const bulk = (count: number) => {
    const links = Array.from({ length: count }, () => LINK);
    return ask("POST", "/api/links/bulk", { key, body: { links } }, bindings);
  };
  const upsert = (n: number) =>
    ask("PUT", "/api/links/upsert", { key, body: { ...LINK, externalId: `${n}` } }, bindings);
  expect(await bulk(69)).toMatchObject({ status: 200, limit: 2, remaining: 1 });
  expect(await upsert(0)).toMatchObject({ status: 201, limit: 10, remaining: 9 });
  vi.setSystemTime(start + 10_000);
  const refused = await bulk(31);
  expect(refused).toMatchObject({ status: 429, limit: 100, remaining: 30, reset: 50, retryAfter: 50 });
  expect(refused.body).toEqual({ code: "rate_limited", error: expect.stringContaining("account") });
  expect(await countLinks(accountId)).toBe(70);

  const create = ["/api/links", "/api/shorten"].flatMap((path) =>
    Array.from({ length: 15 }, () => ask("POST", path, { key, body: LINK }, bindings)),
  );
  const count = await statusesOf([...create, ...Array.from({ length: 10 }, (_, n) => upsert(n + 1))]);
  expect([count(201), count(429)]).toEqual([30, 10]);
  expect(await countLinks(accountId)).toBe(100);

  // Updates, and other accounts.
  expect(await upsert(0)).toMatchObject({ status: 200 });
  const other = await createAccount();
  expect(await ask("POST", "/api/links", { key: other.key, body: LINK }, bindings)).toMatchObject({ status: 201 });
  vi.setSystemTime(start + 60_000);
  expect(await bulk(70)).toMatchObject({ status: 200 });
  expect(await countLinks(accountId)).toBe(170);
});

it("uses the default for a setting that would refuse a whole bulk creation", async () => {
  const { key } = await createAccount();
  const body = { links: Array.from({ length: 11 }, () => LINK) };
  for (const ACCOUNT_LINKS_PER_MINUTE of ["", "10", "x", "1e9"])
    expect(await ask("POST", "/api/links/bulk", { key, body }, { ACCOUNT_LINKS_PER_MINUTE })).toMatchObject({
      status: 200,
    });
});

it.each([
  [
    "the IPv6 addresses of one /48",
    (n: number) => `2001:db8:7:${n.toString(16)}::1`,
    "2001:db8:7::/48",
    "2001:db8:8::1",
  ],
  ["the IPv4 addresses of one /24", (n: number) => `192.0.2.${n}`, "192.0.2.0/24", "192.0.3.1"],
])("limits anonymous links of %s", async (_, addressOf, network, other) => {
  const count = await statusesOf(Array.from({ length: 75 }, (_, n) => shorten(addressOf(n), {}, {})));
  expect([count(400), count(429)]).toEqual([60, 15]);
  const refused = await shorten(addressOf(200));
  expect(refused).toMatchObject({ status: 429, limit: 60, remaining: 0, reset: 60, retryAfter: 60 });
  expect(refused.body).toEqual({ code: "rate_limited", error: expect.stringContaining(network) });
  expect(await shorten(other)).toMatchObject({ status: 201, limit: 5, remaining: 4 });
  const { key } = await createAccount();
  const withKey = { key, address: addressOf(201), body: LINK };
  expect(await ask("POST", "/api/shorten", withKey)).toMatchObject({ status: 201, limit: 30, remaining: 29 });
  vi.setSystemTime(Date.now() + 60_000);
  expect(await shorten(addressOf(202))).toMatchObject({ status: 201 });
});

itWithSafety("counts the anonymous links of a network after the twentieth as a burst", async () => {
  const reasons: unknown[] = [];
  for (let n = 0; n < 21; n++) {
    const options = { address: `198.51.100.${n}`, body: LINK };
    const { status, body } = await ask("POST", "/api/shorten", options);
    expect(status).toBe(201);
    reasons.push((body as unknown as { link: Link }).link.verdict.reason);
  }
  expect(reasons).toEqual(reasons.map((_, n) => (n < 20 ? null : "policy")));
  vi.setSystemTime(Date.now() + 60_000);
  const later = await ask("POST", "/api/shorten", { address: "198.51.100.1", body: LINK });
  expect(later.body).toMatchObject({ link: { verdict: { state: "pending", reason: null } } });
});

it("limits the anonymous links of all networks, and does not ask the limiter while they are refused", async () => {
  const warn = vi.spyOn(console, "warn").mockReturnValue();
  const asked: string[] = [];
  const getByName = (name: string) => {
    asked.push(name);
    return env.RATE_LIMITER.getByName(name);
  };
  const bindings = {
    ANONYMOUS_LINKS_PER_MINUTE: "20",
    RATE_LIMITER: { getByName } as unknown as Env["RATE_LIMITER"],
  } as Bindings;
  const start = Date.now();
  const count = await statusesOf(Array.from({ length: 30 }, () => shorten(freshAddress(), bindings)));
  expect([count(201), count(429)]).toEqual([20, 10]);
  expect(await env.DB.prepare("SELECT count(*) AS n FROM links").first("n")).toBe(20);

  asked.length = 0;
  vi.setSystemTime(start + 30_000);
  const address = freshAddress();
  const refused = await shorten(address, bindings);
  expect(refused).toMatchObject({ status: 429, limit: 20, remaining: 0, reset: 30, retryAfter: 30 });
  expect(refused.body).toEqual({
    code: "rate_limited",
    error: expect.stringMatching(/Use an API key.*\. Try again in 30 seconds\.$/),
  });
  for (let calls = 2; calls <= 4; calls++) expect((await shorten(address, bindings)).retryAfter).toBe(30);
  // The last call of the address' own window: a client that waits for the service only would be refused again.
  expect(await shorten(address, bindings)).toMatchObject({ status: 429, limit: 20, reset: 30, retryAfter: 60 });
  expect(new Set(asked)).toEqual(new Set([address, expect.stringContaining("network 10.")]));
  const { key } = await createAccount();
  expect(await ask("POST", "/api/shorten", { key, address, body: LINK })).toMatchObject({ status: 201 });
  const lines = warn.mock.calls.map(([line]) => JSON.parse(String(line)) as object);
  expect(lines).toEqual([{ event: "anonymous_links_limited", requestId: expect.any(String), limit: 20 }]);

  vi.setSystemTime(start + 60_000);
  expect(await shorten(freshAddress(), bindings)).toMatchObject({ status: 201, limit: 5, remaining: 4 });
});

it("refuses anonymous links if the limiter of network or service fails, and creates those of accounts", async () => {
  vi.spyOn(console, "warn").mockReturnValue();
  const failing = (part: string) => {
    const getByName = (name: string) => {
      if (name.startsWith(part)) throw new Error("broken");
      return env.RATE_LIMITER.getByName(name);
    };
    return { RATE_LIMITER: { getByName } as unknown as Env["RATE_LIMITER"] };
  };
  for (const part of ["network", "anonymous"]) {
    const answer = await ask("POST", "/api/shorten", { body: LINK }, failing(part));
    expect(answer).toMatchObject({ status: 503, body: { code: "unavailable" } });
  }
  expect(await env.DB.prepare("SELECT count(*) AS n FROM links").first("n")).toBe(0);
  const { key } = await createAccount();
  expect(await ask("POST", "/api/links", { key, body: LINK }, failing("account"))).toMatchObject({ status: 201 });
});
