import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, expect, it, vi } from "vitest";
import { generateKey } from "../../../src/platform/auth/key.ts";
import { MAX_REFUSED_READS_PER_ADDRESS } from "../../../src/platform/rate-limit/limits.ts";
import { freshAddress } from "../../support/address.ts";
import {
  addKey,
  buildRequest,
  createAccount,
  jsonOf,
  send,
  type CallOptions,
  type ErrorJson,
} from "../../support/api.ts";
import { measureD1 } from "../../support/d1-meter.ts";
import { countCalls } from "./objects.ts";

const PATH = "/api/domains/add";
const LIMIT = 10;

// The clock stands still unless it is set.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
});

/** Sends a call that fails after it was counted. Returns also the limiters that it asked, and its reads of keys. */
async function count(options: CallOptions) {
  const getByName = vi.fn<DurableObjectNamespace["getByName"]>((name) => env.RATE_LIMITER.getByName(name));
  const bindings = { RATE_LIMITER: { getByName } as unknown as Env["RATE_LIMITER"] };
  let response = new Response();
  const { statements } = await measureD1(async () => {
    response = await send(buildRequest("POST", PATH, { ...options, body: {} }), bindings);
  });
  const [limit, remaining, reset] = ["Limit", "Remaining", "Reset"].map((name) =>
    Number(response.headers.get(`X-RateLimit-${name}`)),
  );
  return {
    status: response.status,
    limit,
    remaining,
    reset,
    reads: statements.filter((sql) => sql.includes("FROM api_keys")).length,
    limiters: getByName.mock.calls.map(([name]) => name),
    response,
  };
}

const trust = (accountId: number, factor: number | null) =>
  env.DB.prepare("UPDATE accounts SET rate_limit_factor = ?2 WHERE id = ?1").bind(accountId, factor).run();

it("counts the calls of a trusted account for each key, with a multiple of the limits", async () => {
  const { accountId, key, keyId } = await createAccount();
  const address = freshAddress();
  expect(await count({ key, address })).toMatchObject({ status: 400, limit: LIMIT, remaining: 9, limiters: [address] });
  await trust(accountId, 3);
  const second = await addKey(accountId);
  for (let left = 29; left >= 0; left--) {
    // From many addresses, because the key counts.
    const counted = await count({ key, address: freshAddress() });
    expect(counted).toMatchObject({ status: 400, limit: 30, remaining: left, reset: 60, reads: 1 });
    expect(counted.limiters).toEqual([`key ${keyId}`]);
  }
  const refused = await count({ key, address });
  expect(refused).toMatchObject({ status: 429, limit: 30, remaining: 0, reset: 60 });
  expect((await jsonOf<ErrorJson>(refused.response)).error).toBe(
    "Too many requests with this API key. Try again in 1 minute.",
  );
  expect(await count({ key: second.key, address })).toMatchObject({ status: 400, limit: 30, remaining: 29 });
  // The customers without trust at the same address have what they had.
  const neighbour = await createAccount();
  expect(await count({ key: neighbour.key, address })).toMatchObject({ status: 400, limit: LIMIT, remaining: 8 });
  vi.setSystemTime(Date.now() + 60_000);
  expect(await count({ key, address })).toMatchObject({ status: 400, limit: 30, remaining: 29 });
});

it("counts by address again as soon as the operator takes the limits back", async () => {
  const { accountId, key } = await createAccount();
  const address = freshAddress();
  await trust(accountId, 2);
  expect(await count({ key, address })).toMatchObject({ limit: 20, remaining: 19 });
  await trust(accountId, null);
  expect(await count({ key, address })).toMatchObject({ limit: LIMIT, remaining: 9, limiters: [address] });
});

it("counts unknown and revoked keys by address, also those of a trusted account", async () => {
  const { accountId, key, keyId } = await createAccount();
  const address = freshAddress();
  await trust(accountId, 2);
  await env.DB.prepare("UPDATE api_keys SET revoked_at = 1 WHERE id = ?1").bind(keyId).run();
  for (const [index, failed] of [key, generateKey(), key].entries()) {
    const limiters = [`no valid key ${address}`];
    expect(await count({ key: failed, address })).toMatchObject({
      status: 401,
      limit: LIMIT,
      remaining: 9 - index,
      limiters,
    });
  }
});

it("refuses a trusted key unread by its own window only, whatever others at its address do", async () => {
  const trusted = await createAccount();
  const neighbour = await createAccount();
  const address = freshAddress();
  await trust(trusted.accountId, 2);
  expect((await count({ key: trusted.key, address })).status).toBe(400);
  await wasteReads(address, LIMIT);
  expect(await count({ key: neighbour.key, address })).toMatchObject({ status: 429, reads: 1 });
  expect(await count({ key: neighbour.key, address })).toMatchObject({ status: 429, reads: 0 });
  expect(await count({ key: trusted.key, address })).toMatchObject({ status: 400, reads: 1, limit: 20, remaining: 18 });

  await wasteReads(`key ${trusted.keyId}`, 2 * LIMIT);
  expect(await count({ key: trusted.key, address })).toMatchObject({ status: 429, reads: 1, limit: 20 });
  const unread = await count({ key: trusted.key, address: freshAddress() });
  expect(unread).toMatchObject({ status: 429, reads: 0, limit: 20, limiters: [] });
});

/** Refuses as many calls with valid keys as the limiter lets the Worker read. */
const wasteReads = (name: string, limit: number) =>
  countCalls({
    name,
    operation: `POST ${PATH}`,
    limit,
    calls: limit + MAX_REFUSED_READS_PER_ADDRESS,
    keyIsValid: true,
  });

it("writes little for a large window: the times of a key are whole seconds", async () => {
  const { accountId, key, keyId } = await createAccount();
  await trust(accountId, 100);
  for (let n = 0; n < 20; n++) await count({ key });
  const stored = await runInDurableObject(env.RATE_LIMITER.getByName(`key ${keyId}`), (_, { storage }) =>
    [...(storage.kv.get<Map<string, { accepted: number[] }>>("windows") ?? [])].map(([, { accepted }]) => accepted),
  );
  expect(stored).toEqual([[Math.floor(Date.now() / 1_000) * 1_000, 20]]);
});
