import { env } from "cloudflare:workers";
import { beforeEach, expect, it, vi } from "vitest";
import { generateKey } from "../../../src/platform/auth/key.ts";
import { freshAddress } from "../../support/address.ts";
import {
  addKey,
  buildRequest,
  call,
  createAccount,
  jsonOf,
  send,
  type CallOptions,
  type ErrorJson,
} from "../../support/api.ts";
import { interceptD1, type D1Interceptor } from "../../support/d1-client.ts";
import { measureD1 } from "../../support/d1-meter.ts";
import { countCalls } from "./objects.ts";

const MINUTE = 60_000;
const LINK = { url: "https://example.com/" };

// The clock stands still unless it is set.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
});

/** Counts wasted reads in the limiter of the client. */
const wasteReads = (name: string, operation: string, keyIsValid: boolean, calls: number) =>
  countCalls({ name, operation, limit: 5, calls, keyIsValid });

/** Sends a request. Returns also its statements in the database and its calls of the rate limiter. */
async function measure(method: string, path: string, options: CallOptions) {
  const getByName = vi.fn<DurableObjectNamespace["getByName"]>((name) => env.RATE_LIMITER.getByName(name));
  const bindings = { RATE_LIMITER: { getByName } as unknown as Env["RATE_LIMITER"] };
  let response = new Response();
  const { statements } = await measureD1(async () => {
    response = await send(buildRequest(method, path, options), bindings);
  });
  const reads = statements.filter((sql) => sql.includes("FROM api_keys")).length;
  const limiters = getByName.mock.calls.map(([name]) => name);
  const [limit, remaining, reset, retryAfter] = [
    "X-RateLimit-Limit",
    "X-RateLimit-Remaining",
    "X-RateLimit-Reset",
    "Retry-After",
  ].map((name) => Number(response.headers.get(name)));
  return { response, status: response.status, reads, limiters, limit, remaining, reset, retryAfter };
}

it("does not lock out the customers of a shared address by calls without a valid key", async () => {
  const address = freshAddress();
  const { accountId, key } = await createAccount();
  const revoked = await addKey(accountId);
  expect((await call("DELETE", `/api/keys/${revoked.keyId}`, { key })).status).toBe(200);
  const expired = await addKey(accountId, undefined, Date.now() - 1);
  const strangers: CallOptions[] = [
    {},
    { headers: { Authorization: "Basic eDp5" } },
    { key: "svc_sk_live_short" },
    { key: generateKey() },
    { key: revoked.key },
    { key: expired.key },
  ];
  const create = (options: CallOptions) => measure("POST", "/api/links", { ...options, address, body: LINK });
  const refusals = await Promise.all(Array.from({ length: 5 }, () => strangers.map(create)).flat());
  const statuses = refusals.map(({ status }) => status);
  expect(statuses.filter((status) => status === 401)).toHaveLength(10);
  expect(statuses.filter((status) => status === 429)).toHaveLength(20);
  for (const { limit, reset } of refusals) expect({ limit, reset }).toEqual({ limit: 10, reset: 60 });
  for (let left = 9; left >= 0; left--)
    expect(await create({ key })).toMatchObject({ status: 201, limit: 10, remaining: left });
  expect(await create({ key })).toMatchObject({ status: 429, remaining: 0, retryAfter: 60 });
});

it("does not lock them out either if calls without a valid key overload the limiter of the address", async () => {
  const { key } = await createAccount();
  const address = freshAddress();
  const overloaded = Object.assign(new Error("Durable Object is overloaded."), { overloaded: true });
  const getByName = (name: string) =>
    name === address ? env.RATE_LIMITER.getByName(name) : { take: () => Promise.reject(overloaded) };
  const bindings = { RATE_LIMITER: { getByName } as unknown as Env["RATE_LIMITER"] };
  const status = async (options: CallOptions) =>
    (await send(buildRequest("GET", "/api/keys", { ...options, address }), bindings)).status;
  expect([await status({}), await status({ key: generateKey() }), await status({ key })]).toEqual([429, 429, 429]);
  // A key that is known is read. Above, this isolate had not seen it.
  await call("GET", "/api/keys", { key });
  expect(await status({ key })).toBe(200);
});

it("does not read the keys of an address that sent 1,000 failed keys in a minute", async () => {
  const address = freshAddress();
  const { key } = await createAccount();
  expect((await call("GET", "/api/keys", { key })).status).toBe(200);
  await wasteReads(`no valid key ${address}`, "GET /api/webhooks", false, 999);
  vi.setSystemTime(Date.now() + 20_000);
  const list = (options: CallOptions, path = "/api/links") => measure("GET", path, { ...options, address });

  // Only what costs a read counts.
  expect(await list({ key: "svc_sk_live_short" })).toMatchObject({ status: 401, reads: 0, limit: 30, remaining: 29 });
  expect(await list({ key: generateKey() })).toMatchObject({ status: 401, reads: 1, limit: 30, remaining: 28 });
  const refusal = { status: 429, limit: 1_000, remaining: 0, reset: 40, retryAfter: 40 };
  const last = await list({ key: generateKey() });
  expect(last).toMatchObject({ ...refusal, reads: 1 });
  expect(await jsonOf<ErrorJson>(last.response)).toMatchObject({
    code: "rate_limited",
    error: expect.stringContaining("API keys that are not valid"),
  });
  for (const path of ["/api/links", "/api/keys"])
    expect(await list({ key: generateKey() }, path)).toMatchObject({ ...refusal, reads: 0, limiters: [] });
  expect(await measure("POST", "/api/shorten", { address, key: generateKey(), body: LINK })).toMatchObject({
    ...refusal,
    reads: 0,
    limiters: [],
  });

  // Others at the address: a customer whose key is known here, and callers whose call costs no read.
  expect(await list({ key })).toMatchObject({ status: 200, reads: 1, limiters: [address], remaining: 29 });
  expect(await list({})).toMatchObject({ status: 401, reads: 0, remaining: 26 });
  expect((await call("POST", "/api/shorten", { address, body: LINK })).status).toBe(201);

  vi.setSystemTime(Date.now() + 40_000);
  expect(await list({ key: generateKey() }, "/api/keys")).toMatchObject({ status: 401, reads: 1, remaining: 29 });
});

it("tells every isolate until when failed keys are not read, and forgets the count after a minute", async () => {
  const limiter = env.RATE_LIMITER.getByName("failed keys");
  await wasteReads("failed keys", "read", false, 1_000);
  vi.setSystemTime(Date.now() + MINUTE - 1);
  expect(await limiter.take("write", 5, { keyIsValid: false })).toMatchObject({ unreadMs: 1 });
  expect(await limiter.take("read", 5, { keyIsValid: false })).toMatchObject({ unreadMs: 1 });
  vi.setSystemTime(Date.now() + 1);
  expect((await limiter.take("read", 5, { keyIsValid: false })).unreadMs).toBe(undefined);
});

it("does not read a valid key for an operation that was refused 1,000 times in a minute", async () => {
  const address = freshAddress();
  const { key } = await createAccount();
  const operation = "POST /api/webhooks/:id";
  const test = () => measure("POST", "/api/webhooks/01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f", { address, key });
  for (let calls = 0; calls < 5; calls++) expect((await test()).status).toBe(404);
  await wasteReads(address, operation, true, 999);
  vi.setSystemTime(Date.now() + 500);
  const refusal = { status: 429, limit: 5, remaining: 0, reset: 60, retryAfter: 60 };
  expect(await test()).toMatchObject({ ...refusal, reads: 1, limiters: [address] });
  expect(await test()).toMatchObject({ ...refusal, reads: 1, limiters: [address] });
  expect(await test()).toMatchObject({ ...refusal, reads: 0, limiters: [] });
  expect(await measure("GET", "/api/links", { address, key })).toMatchObject({ status: 200, reads: 1 });
  vi.setSystemTime(Date.now() + MINUTE - 500);
  expect(await test()).toMatchObject({ status: 404, reads: 1, remaining: 4 });
});

it("answers a failed read of the key with the database's error, and leaves the window of valid keys alone", async () => {
  vi.spyOn(console, "error").mockReturnValue();
  const address = freshAddress();
  const { key } = await createAccount();
  const failKeys: D1Interceptor = (sql, run) =>
    String(sql).includes("FROM api_keys") ? Promise.reject(new Error("D1_ERROR: Network connection lost.")) : run();
  await interceptD1(failKeys, async () => {
    for (let calls = 1; calls <= 31; calls++) {
      const { response, status, limit, remaining } = await measure("GET", "/api/links", { address, key });
      if (calls === 31) expect(status).toBe(429);
      else {
        expect({ status, limit, remaining }).toEqual({ status: 503, limit: 30, remaining: 30 - calls });
        expect(await jsonOf<ErrorJson>(response)).toMatchObject({ code: "unavailable" });
      }
    }
  });
  expect(await measure("GET", "/api/links", { address, key })).toMatchObject({ status: 200, remaining: 29 });
});

it("records no use of a key for refused calls", async () => {
  const address = freshAddress();
  const { key, keyId } = await createAccount();
  const lastUsedAt = () => env.DB.prepare("SELECT last_used_at FROM api_keys WHERE id = ?1").bind(keyId).first();
  for (let calls = 0; calls < 30; calls++) await call("GET", "/api/keys", { address, key });
  const before = await lastUsedAt();
  vi.setSystemTime(Date.now() + 5_000);
  expect((await call("GET", "/api/keys", { address, key })).status).toBe(429);
  expect(await lastUsedAt()).toEqual(before);
});
