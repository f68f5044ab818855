import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { PERMISSIONS } from "../../../src/platform/auth/permissions.ts";
import { addKey, call, createAccount, jsonOf, type ErrorJson } from "../../support/api.ts";
import { measureD1 } from "../../support/d1-meter.ts";

interface Key {
  expired: boolean;
  id: string;
  name: string;
  prefix: string;
  lastFour: string;
  status: string;
  permissions: string[];
  createdAt: number;
  lastUsedAt: number | null;
  expiresAt: number | null;
  value?: string;
}

async function createKey(key: string, body: object = { name: "second" }): Promise<Key> {
  const response = await call("POST", "/api/keys", { key, body });
  expect(response.status).toBe(201);
  return (await jsonOf<{ key: Key }>(response)).key;
}

async function listKeys(key: string, query = ""): Promise<{ keys: Key[]; nextCursor: string | null }> {
  return jsonOf(await call("GET", `/api/keys${query}`, { key }));
}

describe("creating a key", () => {
  it("returns the whole key once and stores only its hash", async () => {
    const { key } = await createAccount();
    const created = await createKey(key, { name: "Deploy script" });
    expect(created.value).toMatch(/^svc_sk_live_[0-9a-f]{64}$/);
    expect(created).toMatchObject({
      name: "Deploy script",
      prefix: "svc_sk_l",
      lastFour: created.value?.slice(-4),
      status: "active",
      permissions: PERMISSIONS,
      lastUsedAt: null,
      expiresAt: null,
    });
    const listed = await listKeys(key);
    expect(listed.keys.find(({ id }) => id === created.id)).toEqual({ ...created, value: undefined });
    const { results } = await env.DB.prepare("SELECT * FROM api_keys").all();
    expect(JSON.stringify(results)).not.toContain(created.value?.slice("svc_sk_live_".length));
    expect((await call("GET", "/api/keys", { key: created.value })).status).toBe(200);
  });

  it("cannot give permissions that the calling key lacks", async () => {
    const { key } = await createAccount(["keys:write", "links:read"]);
    const response = await call("POST", "/api/keys", {
      key,
      body: { name: "more", permissions: ["links:read", "links:write"] },
    });
    expect(response.status).toBe(403);
    expect((await jsonOf<ErrorJson>(response)).details).toMatchObject([
      { code: "lacks_permission", allowed: ["links:write"] },
    ]);
    expect((await createKey(key)).permissions).toEqual(["links:read", "keys:write"]);
    expect((await createKey(key, { name: "less", permissions: ["links:read"] })).permissions).toEqual(["links:read"]);
  });

  it("cannot create a key that expires later than the calling key", async () => {
    const { accountId, key: first } = await createAccount();
    const end = Date.now() + 3_600_000;
    const { key } = await addKey(accountId, PERMISSIONS, end);
    expect((await createKey(key)).expiresAt).toBe(end);
    expect((await createKey(key, { name: "x", expiresAt: end - 1 })).expiresAt).toBe(end - 1);
    expect((await call("POST", "/api/keys", { key, body: { name: "x", expiresAt: end + 1 } })).status).toBe(403);
    expect((await createKey(first)).expiresAt).toBeNull();
  });

  it("holds the limit of five active keys under 40 parallel requests", async () => {
    const { key } = await createAccount();
    const responses = await Promise.all(
      Array.from({ length: 40 }, (_, index) => call("POST", "/api/keys", { key, body: { name: `key ${index}` } })),
    );
    const refused = responses.filter(({ status }) => status === 409);
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(4);
    expect(refused).toHaveLength(36);
    expect(await jsonOf<ErrorJson>(refused[0] as Response)).toMatchObject({ code: "limit_reached" });
    expect((await listKeys(key)).keys).toHaveLength(5);
  });

  it("does not count revoked and expired keys towards the limit", async () => {
    const { key, accountId } = await createAccount();
    const { keyId } = await addKey(accountId, PERMISSIONS, 1);
    for (const { id, expired, status } of (await listKeys(key)).keys)
      expect([expired, status]).toEqual([id === keyId, "active"]);
    for (let round = 0; round < 4; round++) await createKey(key);
    expect((await call("POST", "/api/keys", { key, body: { name: "sixth" } })).status).toBe(409);
    const [newest] = (await listKeys(key)).keys;
    await call("DELETE", `/api/keys/${newest?.id}`, { key });
    await createKey(key, { name: "replacement" });
  });

  it.each([
    ["no name", {}, "name"],
    ["an empty name", { name: "  " }, "name"],
    ["a name of 101 characters", { name: "x".repeat(101) }, "name"],
    ["an unknown permission", { name: "x", permissions: ["links:admin"] }, "permissions.0"],
    ["no permissions at all", { name: "x", permissions: [] }, "permissions"],
    ["an expiry in the past", { name: "x", expiresAt: 1_000 }, "expiresAt"],
    ["an expiry that is not a time", { name: "x", expiresAt: "soon" }, "expiresAt"],
    ["a misspelt field", { name: "x", expires: 1 }, "expires"],
  ])("refuses %s and names the field", async (_, body, path) => {
    const { key } = await createAccount();
    const response = await call("POST", "/api/keys", { key, body });
    expect(response.status).toBe(400);
    expect(await jsonOf<ErrorJson>(response)).toMatchObject({ code: "invalid_request", details: [{ path }] });
    expect((await listKeys(key)).keys).toHaveLength(1);
  });
});

describe("revoking a key", () => {
  it("takes effect at the next request and is permanent", async () => {
    const { key, keyId } = await createAccount();
    const second = await createKey(key);
    const revoke = () => call("DELETE", `/api/keys/${second.id}`, { key });
    expect(await jsonOf(await revoke())).toEqual({ success: true });
    const refused = await call("GET", "/api/links", { key: second.value });
    expect(refused.status).toBe(401);
    expect((await jsonOf<ErrorJson>(refused)).error).toContain("revoked");
    expect((await revoke()).status).toBe(200);
    // Both keys may be of one millisecond, within which they have no order.
    expect(Object.fromEntries((await listKeys(key)).keys.map(({ id, status }) => [id, status]))).toEqual({
      [keyId]: "active",
      [second.id]: "revoked",
    });
  });

  it("does not affect keys of other accounts", async () => {
    const [mine, theirs] = [await createAccount(), await createAccount()];
    expect((await call("DELETE", `/api/keys/${theirs.keyId}`, { key: mine.key })).status).toBe(403);
    expect((await call("GET", "/api/keys", { key: theirs.key })).status).toBe(200);
    expect((await call("DELETE", "/api/keys/01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f", { key: mine.key })).status).toBe(
      404,
    );
    expect((await call("DELETE", "/api/keys/nonsense", { key: mine.key })).status).toBe(404);
  });
});

describe("using a key", () => {
  it("is refused from the key's expiry on", async () => {
    const { key } = await createAccount();
    vi.useFakeTimers({ toFake: ["Date"] });
    const end = Date.now() + 60_000;
    const second = await createKey(key, { name: "short", expiresAt: new Date(end).toISOString() });
    expect(second.expiresAt).toBe(end);
    vi.setSystemTime(end - 1);
    expect((await call("GET", "/api/keys", { key: second.value })).status).toBe(200);
    vi.setSystemTime(end);
    expect((await call("GET", "/api/keys", { key: second.value })).status).toBe(401);
    expect(
      (await call("POST", "/api/shorten", { key: second.value, body: { url: "https://example.com" } })).status,
    ).toBe(401);
  });

  it("updates lastUsedAt, exact to the minute", async () => {
    const { key } = await createAccount();
    const second = await createKey(key);
    vi.useFakeTimers({ toFake: ["Date"], now: 2_000_000_000_100 });
    const lastUse = async () => (await listKeys(key)).keys.find(({ id }) => id === second.id)?.lastUsedAt;
    await call("GET", "/api/links", { key: second.value });
    expect(await lastUse()).toBe(2_000_000_000_100);
    vi.setSystemTime(2_000_000_060_099);
    await call("GET", "/api/links", { key: second.value });
    expect(await lastUse()).toBe(2_000_000_000_100);
    vi.setSystemTime(2_000_000_060_100);
    await call("GET", "/api/links", { key: second.value });
    expect(await lastUse()).toBe(2_000_000_060_100);
  });

  it("reads one row per request and writes at most one row a minute, also in parallel", async () => {
    const { key } = await createAccount();
    vi.useFakeTimers({ toFake: ["Date"], now: 2_000_000_000_000 });
    await call("GET", "/api/links/nonsense", { key });
    const read = await measureD1(() => call("GET", "/api/links/nonsense", { key }));
    expect(read).toMatchObject({ roundTrips: 1, rowsRead: 1, rowsWritten: 0 });
    vi.setSystemTime(2_000_000_060_000);
    const used = await measureD1(() => call("GET", "/api/links/nonsense", { key }));
    expect(used).toMatchObject({ roundTrips: 2, rowsRead: 2, rowsWritten: 1 });
    vi.setSystemTime(2_000_000_120_000);
    const parallel = await measureD1(() =>
      Promise.all(Array.from({ length: 10 }, () => call("GET", "/api/links/nonsense", { key }))),
    );
    expect(parallel.rowsWritten).toBe(1);
  });
});

it("lists keys by pages with a cursor or a page number", async () => {
  // `lastUsedAt` of the calling key is written once a minute.
  vi.useFakeTimers({ toFake: ["Date"] });
  const { key, accountId } = await createAccount();
  for (let round = 0; round < 3; round++) await addKey(accountId);
  const all = (await listKeys(key)).keys.map(({ id }) => id);
  const first = await listKeys(key, "?limit=3");
  expect(first.keys.map(({ id }) => id)).toEqual(all.slice(0, 3));
  const second = await listKeys(key, `?limit=3&cursor=${first.nextCursor}`);
  expect(second).toMatchObject({ keys: [{ id: all[3] }], nextCursor: null });
  expect((await listKeys(key, "?limit=3&page=2")).keys).toEqual(second.keys);
});
