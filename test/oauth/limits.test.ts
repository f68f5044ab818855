import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { newAppToken } from "../../src/auth/app-token.ts";
import { MINUTE_MS } from "../../src/duration.ts";
import { hashToken } from "../../src/lib/token.ts";
import { newId } from "../../src/lib/uuid.ts";
import { freshAddress } from "../support/address.ts";
import { call } from "../support/api.ts";
import { measureD1 } from "../support/d1-meter.ts";
import { stopClock } from "../people/factors.ts";
import { internet } from "../webhooks/support.ts";
import { connect, refresh, requestToken } from "./support.ts";

beforeEach(() => internet.reset());

const message = (method: string, params: object = {}) => ({ jsonrpc: "2.0", id: 1, method, params });
const callFrom = (address: string, key: string, body: unknown) =>
  call("POST", "/mcp", { key, body, address, headers: { Accept: "application/json, text/event-stream" } });
const createLink = message("tools/call", { name: "create_link", arguments: { url: "https://example.com/" } });

/** Copies the grant of a connection, each with an access token. */
async function copyGrant(copies: number): Promise<string[]> {
  const tokens = Array.from({ length: copies }, () => newAppToken("access"));
  for (const token of tokens) {
    const id = newId(Date.now());
    await env.DB.batch([
      env.DB.prepare(
        `INSERT INTO oauth_grants SELECT ?1, account_id, user_id, client_hash, client_name, client_host, redirect_uri, scopes,
           refused_scopes, created_at, last_used_at, expires_at, factor_at FROM oauth_grants LIMIT 1`,
      ).bind(id),
      env.DB.prepare(
        "INSERT INTO oauth_tokens (hash, grant_id, kind, expires_at) SELECT ?1, ?2, 'access', max(expires_at) FROM oauth_tokens",
      ).bind(await hashToken(token), id),
    ]);
  }
  return tokens;
}

describe("apps at one address", () => {
  it("do not disturb each other, two hundred of them", async () => {
    await connect();
    const tokens = await copyGrant(200);
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
    const errors = [];
    for (let n = 0; n < 61; n++)
      errors.push(/"isError":true/.test(await (await callFrom(address, busy, createLink)).text()));
    expect(errors.filter(Boolean)).toHaveLength(1);
    expect(errors.at(-1)).toBe(true);
    expect(await (await callFrom(address, calm, createLink)).text()).not.toContain('"isError":true');
  });

  it("send 300 messages a minute each", async () => {
    const { access } = await connect();
    const statuses = [];
    const address = freshAddress();
    for (let n = 0; n < 301; n++) statuses.push((await callFrom(address, access, message("ping"))).status);
    expect(statuses.slice(0, 300).every((status) => status === 200)).toBe(true);
    expect(statuses.at(-1)).toBe(429);
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
    for (let n = 0; n < 1_300; n++) await ping(access);
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
    const statuses = [];
    for (let n = 0; n < 121; n++) statuses.push((await callFrom(address, newAppToken("access"), {})).status);
    expect([statuses[0], statuses.at(-1)]).toEqual([401, 429]);
    expect((await callFrom(address, access, message("tools/list"))).status).toBe(200);
  });

  it("go on if they are known, after 1,000 tokens that are unknown. Further ones are not read", async () => {
    stopClock();
    const { access } = await connect();
    const [newcomer = ""] = await copyGrant(1);
    const address = freshAddress();
    const list = (token: string) => callFrom(address, token, message("tools/list"));
    expect((await list(access)).status).toBe(200);
    for (let n = 0; n < 1_001; n++) await list(newAppToken("access"));
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
    const statuses = [];
    const address = freshAddress();
    for (let n = 0; n < 301; n++) statuses.push((await callFrom(address, access, message("ping"))).status);
    expect(new Set(statuses.slice(0, 300))).toEqual(new Set([status]));
    expect(statuses.at(-1)).toBe(429);
    expect((await callFrom(address, newAppToken("access"), {})).status).toBe(401);
  });
});

describe("/oauth/token", () => {
  it("limits an address without a valid grant, and no valid grant there", async () => {
    const connection = await connect();
    const address = freshAddress();
    const guess = () =>
      requestToken({ grant_type: "refresh_token", client_id: "x", refresh_token: newAppToken("refresh") }, { address });
    const statuses = [];
    for (let n = 0; n < 61; n++) statuses.push((await guess()).status);
    expect([statuses[0], statuses[59], statuses[60]]).toEqual([400, 400, 429]);
    const fields = {
      grant_type: "refresh_token",
      client_id: connection.app.client.client_id,
      refresh_token: connection.refresh,
    };
    expect((await requestToken(fields, { address })).status).toBe(200);
  });

  it("limits a grant to 120 requests a minute", async () => {
    const connection = await connect();
    const statuses = [];
    for (let n = 0; n < 120; n++) statuses.push((await refresh(connection)).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(119);
    expect(statuses.at(-1)).toBe(429);
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
    for (let n = 0; n < 60; n++) expect(await revoke(newAppToken(n % 2 === 0 ? "access" : "refresh"))).toBe(200);
    expect(await revoke(newAppToken("refresh"))).toBe(429);
    const fields = { grant_type: "refresh_token", client_id: "x", refresh_token: newAppToken("refresh") };
    expect((await requestToken(fields, { address })).status).toBe(429);
    expect([await revoke(access), await revoke(token)]).toEqual([200, 200]);
    expect(await env.DB.prepare("SELECT count(*) AS n FROM oauth_grants").first("n")).toBe(0);
  });
});
