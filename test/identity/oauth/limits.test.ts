import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { newAppToken } from "../../../src/platform/auth/app-token.ts";
import { MINUTE_MS } from "../../../src/limits.ts";
import { GRANT_MESSAGES, SESSION_CHANGES } from "../../../src/access/guards/limits.ts";
import { hashToken } from "../../../src/platform/lib/token.ts";
import { newId } from "../../../src/platform/lib/uuid.ts";
import { MAX_INVALID_TOKEN_REQUESTS, MAX_TOKEN_REQUESTS_PER_GRANT } from "../../../src/identity/oauth/limits.ts";
import { freshAddress } from "../../support/address.ts";
import { call } from "../../support/api.ts";
import { measureD1 } from "../../support/d1-meter.ts";
import { stopClock } from "../people/factors.ts";
import { countCalls, type Counted } from "../../platform/rate-limit/objects.ts";
import { internet } from "../../webhooks/support.ts";
import { connect, refresh, requestToken } from "./support.ts";

beforeEach(() => internet.reset());

const message = (method: string, params: object = {}) => ({ jsonrpc: "2.0", id: 1, method, params });
const callFrom = (address: string, key: string, body: unknown) =>
  call("POST", "/mcp", { key, body, address, headers: { Accept: "application/json, text/event-stream" } });
const createLink = message("tools/call", { name: "create_link", arguments: { url: "https://example.com/" } });

/** Messages with unknown tokens that an address may send a minute. */
const UNKNOWN_TOKENS = 120;

/** Counts calls of the app with the access token in one of its windows, as the calls themselves would. */
async function countOfApp(access: string, window: Omit<Counted, "name">): Promise<void> {
  const hash = await hashToken(access);
  const grant = await env.DB.prepare("SELECT grant_id FROM oauth_tokens WHERE hash = ?1").bind(hash).first("grant_id");
  await countCalls({ name: `grant ${String(grant)}`, ...window });
}

const countMessages = (access: string, calls: number) =>
  countOfApp(access, { operation: "messages of apps", limit: GRANT_MESSAGES, calls, keyIsValid: true });

/** Counts messages with tokens that are unknown. */
const countUnknown = (address: string, calls: number) =>
  countCalls({
    name: `no valid key ${address}`,
    operation: "POST /mcp",
    limit: UNKNOWN_TOKENS,
    calls,
    keyIsValid: false,
  });

const countGuesses = (address: string, calls: number) =>
  countCalls({
    name: `no valid grant ${address}`,
    operation: "guesses of tokens",
    limit: MAX_INVALID_TOKEN_REQUESTS,
    calls,
  });

/** Copies the grant of a connection, each with an access token. */
async function copyGrant(copies: number): Promise<string[]> {
  const tokens = Array.from({ length: copies }, () => newAppToken("access"));
  for (const token of tokens) {
    const id = newId(Date.now());
    await env.DB.batch([
      env.DB.prepare(
        `INSERT INTO oauth_grants SELECT ?1, account_id, user_id, client_hash, client_name, client_host, redirect_uri, scopes,
           refused_scopes, created_at, last_used_at, expires_at, factor_at, resource, confirmed_at FROM oauth_grants LIMIT 1`,
      ).bind(id),
      env.DB.prepare(
        "INSERT INTO oauth_tokens (hash, grant_id, kind, expires_at) SELECT ?1, ?2, 'access', max(expires_at) FROM oauth_tokens",
      ).bind(await hashToken(token), id),
    ]);
  }
  return tokens;
}

describe("apps at one address", () => {
  it("do not disturb each other, more of them than an address may send messages without a valid token", async () => {
    await connect();
    const tokens = await copyGrant(UNKNOWN_TOKENS + 10);
    const address = freshAddress();
    const statuses = await Promise.all(
      tokens.map(async (token) => (await callFrom(address, token, message("tools/list"))).status),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it("have 60 changes a minute each: one that makes more is refused, and the other goes on", async () => {
    await connect();
    const [busy = "", calm = ""] = await copyGrant(2);
    const address = freshAddress();
    const fails = async () => /"isError":true/.test(await (await callFrom(address, busy, createLink)).text());
    expect(await fails()).toBe(false);
    await countOfApp(busy, { operation: "changes of apps", limit: SESSION_CHANGES, calls: 58 });
    expect([await fails(), await fails()]).toEqual([false, true]);
    expect(await (await callFrom(address, calm, createLink)).text()).not.toContain('"isError":true');
  });

  it("send 300 messages a minute each", async () => {
    const { access } = await connect();
    const address = freshAddress();
    const ping = async () => (await callFrom(address, access, message("ping"))).status;
    expect(await ping()).toBe(200);
    await countMessages(access, 298);
    expect([await ping(), await ping()]).toEqual([200, 429]);
  });

  it.each([
    ["valid", 200],
    ["expired", 401],
  ])("are not read any more when 1,000 messages with a token that is %s were refused", async (_, status) => {
    stopClock();
    const { access } = await connect();
    const [calm = ""] = await copyGrant(1);
    if (status === 401)
      await env.DB.prepare("UPDATE oauth_tokens SET expires_at = 1 WHERE hash = ?1")
        .bind(await hashToken(access))
        .run();
    const address = freshAddress();
    const ping = async (token: string) => (await callFrom(address, token, message("ping"))).status;
    expect(await ping(access)).toBe(status);
    await countMessages(access, 299);
    await countMessages(access, 1_000);
    expect(await ping(access)).toBe(429);
    const { roundTrips } = await measureD1(async () => expect(await ping(access)).toBe(429));
    expect(roundTrips).toBe(0);
    expect(await ping(calm)).toBe(200);
    vi.setSystemTime(Date.now() + MINUTE_MS);
    expect(await ping(access)).toBe(status);
  });

  it("can begin at the same time: a 401 without a token is never limited", async () => {
    const address = freshAddress();
    for (let n = 0; n < 130; n++) expect((await call("POST", "/mcp", { body: {}, address })).status).toBe(401);
  });

  it("are not refused because a neighbour sends tokens that are unknown", async () => {
    const { access } = await connect();
    const address = freshAddress();
    const guess = async () => (await callFrom(address, newAppToken("access"), {})).status;
    expect(await guess()).toBe(401);
    await countUnknown(address, 118);
    expect([await guess(), await guess()]).toEqual([401, 429]);
    expect((await callFrom(address, access, message("tools/list"))).status).toBe(200);
  });

  it("go on if they are known, after 1,000 tokens that are unknown. Further ones are not read", async () => {
    stopClock();
    const { access } = await connect();
    const [newcomer = ""] = await copyGrant(1);
    const address = freshAddress();
    const list = (token: string) => callFrom(address, token, message("tools/list"));
    expect((await list(access)).status).toBe(200);
    await countUnknown(address, 1_000);
    expect((await list(newAppToken("access"))).status).toBe(429);
    const { roundTrips } = await measureD1(async () => {
      for (let n = 0; n < 20; n++) {
        const refused = await list(newAppToken("access"));
        expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "60"]);
      }
      expect(await (await list(newcomer)).text()).toContain("too many access tokens or API keys that are not valid");
    });
    expect(roundTrips).toBe(0);
    expect((await list(access)).status).toBe(200);
    vi.setSystemTime(Date.now() + MINUTE_MS);
    expect((await list(newcomer)).status).toBe(200);
  });

  it.each([
    ["has expired", "UPDATE oauth_grants SET expires_at = 1", 401],
    ["is of a deleted account", "UPDATE accounts SET deleted_at = 1", 403],
    ["is of a disabled account", "UPDATE accounts SET disabled_at = 1", 403],
    ["lacks a second factor", "UPDATE accounts SET require_mfa = 1", 403],
  ])("count for their grants if their token %s", async (_, change, status) => {
    stopClock();
    const { access } = await connect();
    await env.DB.prepare(change).run();
    const address = freshAddress();
    const ping = async () => (await callFrom(address, access, message("ping"))).status;
    expect(await ping()).toBe(status);
    await countMessages(access, 298);
    expect([await ping(), await ping()]).toEqual([status, 429]);
    expect((await callFrom(address, newAppToken("access"), {})).status).toBe(401);
  });
});

describe("/oauth/token", () => {
  it("limits an address without a valid grant, and no valid grant there", async () => {
    const connection = await connect();
    const address = freshAddress();
    const guess = () =>
      requestToken({ grant_type: "refresh_token", client_id: "x", refresh_token: newAppToken("refresh") }, { address });
    expect((await guess()).status).toBe(400);
    await countGuesses(address, 58);
    expect([(await guess()).status, (await guess()).status]).toEqual([400, 429]);
    const fields = {
      grant_type: "refresh_token",
      client_id: connection.app.client.client_id,
      refresh_token: connection.refresh,
    };
    expect((await requestToken(fields, { address })).status).toBe(200);
  });

  it("limits a grant to 120 requests a minute", async () => {
    const connection = await connect();
    // The code was the first.
    const window = { operation: "tokens of apps", limit: MAX_TOKEN_REQUESTS_PER_GRANT };
    await countOfApp(connection.access, { ...window, calls: 118 });
    expect([(await refresh(connection)).status, (await refresh(connection)).status]).toEqual([200, 429]);
  });
});

describe("/oauth/revoke", () => {
  it("limits unknown tokens of an address, and no token of a grant", async () => {
    stopClock();
    const { access, refresh: token } = await connect();
    const address = freshAddress();
    const revoke = async (revoked: string) =>
      (await requestToken({ token: revoked }, { address, path: "/oauth/revoke" })).status;
    for (let n = 0; n < 61; n++) expect(await revoke("of another form")).toBe(200);
    for (const kind of ["access", "refresh"] as const) expect(await revoke(newAppToken(kind))).toBe(200);
    await countGuesses(address, 57);
    expect(await revoke(newAppToken("refresh"))).toBe(200);
    expect(await revoke(newAppToken("refresh"))).toBe(429);
    const fields = { grant_type: "refresh_token", client_id: "x", refresh_token: newAppToken("refresh") };
    expect((await requestToken(fields, { address })).status).toBe(429);
    expect([await revoke(access), await revoke(token)]).toEqual([200, 200]);
    expect(await env.DB.prepare("SELECT count(*) AS n FROM oauth_grants").first("n")).toBe(0);
  });
});
