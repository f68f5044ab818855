import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../src/limits.ts";
import { call, runCron } from "../../support/api.ts";
import { measureD1 } from "../../support/d1-meter.ts";
import { post } from "../../assistants/client.ts";
import { signUp } from "../people/support.ts";
import { stopClock } from "../people/factors.ts";
import { internet } from "../../webhooks/support.ts";
import {
  allow,
  askFor,
  CALLBACK,
  connect,
  discover,
  refresh,
  register,
  requestToken,
  type Connection,
} from "./support.ts";

/** Moves the stopped clock. */
const advance = (ms: number) => vi.setSystemTime(Date.now() + ms);

beforeEach(async () => {
  await internet.reset();
  stopClock();
});

const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
const statusWith = async (token: string) => (await post(token, LIST)).status;
/** The mails about a reuse, by their addresses. */
const toldOfReuse = async () =>
  (await env.DB.prepare("SELECT recipient FROM mails WHERE kind = 'app_token_reused'").all()).results;
const count = (sql: string) => env.DB.prepare(`SELECT count(*) AS n FROM ${sql}`).first<number>("n");

describe("a code", () => {
  async function getCode() {
    const { browser } = await signUp();
    const app = await register(await discover());
    const { query, verifier } = await askFor(app);
    const code = (await allow(browser, query)).searchParams.get("code") ?? "";
    const fields = {
      grant_type: "authorization_code",
      client_id: app.client.client_id,
      redirect_uri: CALLBACK,
      code,
      code_verifier: verifier,
    };
    return { fields, app, challenge: new URLSearchParams(query).get("code_challenge") ?? "" };
  }

  it("is redeemed by at most one of a hundred requests at the same time, and the others end the grant", async () => {
    const { fields } = await getCode();
    const replies = await Promise.all(Array.from({ length: 100 }, () => requestToken(fields)));
    const redeemed = replies.filter(({ status }) => status === 200);
    expect(redeemed.length).toBeLessThanOrEqual(1);
    expect(new Set(replies.filter((reply) => !redeemed.includes(reply)).map(({ body }) => body["error"]))).toEqual(
      new Set(["invalid_grant"]),
    );
    for (const { body } of redeemed) expect(await statusWith(body["access_token"] ?? "")).toBe(401);
    expect([await count("oauth_grants"), await count("oauth_tokens")]).toEqual([0, 0]);
    expect(await toldOfReuse()).toHaveLength(1);
  });

  it("that comes a second time ends the grant, which is logged and in the audit log", async () => {
    const warn = vi.spyOn(console, "warn");
    const { fields } = await getCode();
    const { body } = await requestToken(fields);
    expect(await statusWith(body["access_token"] ?? "")).toBe(200);
    expect(await requestToken(fields)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    expect(await statusWith(body["access_token"] ?? "")).toBe(401);
    expect(warn.mock.calls.flat().join()).toContain('"event":"oauth_code_reused"');
    warn.mockRestore();
    const entries = await env.DB.prepare(
      "SELECT action, app, target_name FROM audit_entries WHERE action GLOB 'app.*' ORDER BY action",
    ).all();
    expect(entries.results).toEqual([
      { action: "app.connect", app: null, target_name: "Assistant" },
      { action: "app.disconnect", app: "Assistant", target_name: "Assistant" },
    ]);
  });

  it("expires after a minute", async () => {
    const { fields } = await getCode();
    advance(MINUTE_MS);
    expect(await requestToken(fields)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
  });

  it.each([
    ["another verifier", { code_verifier: "v".repeat(43) }, "invalid_grant"],
    ["no verifier", { code_verifier: "" }, "invalid_grant"],
    ["another redirect URI", { redirect_uri: "https://evil.example/" }, "invalid_grant"],
    ["another client", { client_id: "https://evil.example/client.json" }, "invalid_grant"],
    ["another resource", { resource: "https://evil.example/mcp" }, "invalid_target"],
    ["another grant type", { grant_type: "password" }, "unsupported_grant_type"],
  ])("is refused with %s, and not used up", async (_, changes, error) => {
    const { fields } = await getCode();
    expect(await requestToken({ ...fields, ...changes })).toMatchObject({ status: 400, body: { error } });
    expect((await requestToken(fields)).status).toBe(200);
  });

  it("is refused with the challenge in place of the verifier, and not used up", async () => {
    const { fields, challenge } = await getCode();
    expect(await requestToken({ ...fields, code_verifier: challenge })).toMatchObject({
      status: 400,
      body: { error: "invalid_grant" },
    });
    expect((await requestToken(fields)).status).toBe(200);
  });

  it("is refused without a client and with a repeated parameter", async () => {
    const { fields } = await getCode();
    const { client_id: _, ...anonymous } = fields;
    expect(await requestToken(anonymous)).toMatchObject({ status: 401, body: { error: "invalid_client" } });
    const twice = `${new URLSearchParams(fields).toString()}&code=x`;
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    expect((await call("POST", "/oauth/token", { body: twice, headers })).status).toBe(400);
    expect((await call("POST", "/oauth/token", { body: fields })).status).toBe(400);
  });
});

describe("a refresh token", () => {
  it("has one successor for a hundred requests at the same time, and the grant goes on", async () => {
    const connection = await connect();
    const replies = await Promise.all(Array.from({ length: 100 }, () => refresh(connection)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(replies.map(({ body }) => body["refresh_token"])).size).toBe(1);
    expect(new Set(replies.map(({ body }) => body["access_token"])).size).toBe(1);
    expect(await statusWith(replies[0]?.body["access_token"] ?? "")).toBe(200);
    expect(await statusWith(connection.access)).toBe(200);
    expect(await count("oauth_tokens WHERE kind = 'refresh'")).toBe(2);
  });

  /** Refreshes, and returns the connection with the new tokens. */
  async function next(connection: Connection): Promise<Connection> {
    const { status, body } = await refresh(connection);
    expect(status).toBe(200);
    return { ...connection, access: body["access_token"] ?? "", refresh: body["refresh_token"] ?? "" };
  }

  it("returns the same successor to a client that lost the answer and asks again in a minute", async () => {
    const first = await connect();
    const second = await next(first);
    advance(59 * SECOND_MS);
    const again = await next(first);
    expect([again.refresh, again.access]).toEqual([second.refresh, second.access]);
    advance(8 * HOUR_MS - 1);
    expect(await statusWith(again.access)).toBe(200);
    await next(again);
  });

  it("that a thief and the client use eight hours apart ends the grant, and the person is told", async () => {
    const stolen = await connect();
    const ofFirst = await next(stolen);
    advance(8 * HOUR_MS);
    const warn = vi.spyOn(console, "warn");
    expect(await refresh(stolen)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    expect(warn.mock.calls.flat().join()).toContain('"event":"oauth_refresh_token_reused"');
    warn.mockRestore();
    expect(await statusWith(ofFirst.access)).toBe(401);
    expect((await refresh(ofFirst)).status).toBe(400);
    expect(await toldOfReuse()).toEqual([{ recipient: stolen.person.email }]);
    const entries = await env.DB.prepare("SELECT app FROM audit_entries WHERE action = 'app.disconnect'").all();
    expect(entries.results).toEqual([{ app: "Assistant" }]);
  });

  it("reads and writes as many rows of a grant with many tokens", async () => {
    let connection = await connect();
    const cost = async (run: () => Promise<Connection>) => {
      const { roundTrips, rowsRead, rowsWritten } = await measureD1(async () => {
        connection = await run();
      });
      return { roundTrips, rowsRead, rowsWritten };
    };
    const first = await cost(() => next(connection));
    for (let turn = 0; turn < 5; turn++) {
      advance(8 * HOUR_MS);
      connection = await next(connection);
    }
    expect(await cost(() => next(connection))).toEqual(first);
    expect(first).toEqual({ roundTrips: 2, rowsRead: 15, rowsWritten: 9 });
  });

  it("returns the same successor while that is used too, and later ends the grant, which is logged", async () => {
    const first = await connect();
    const second = await next(first);
    const third = await next(second);
    advance(59 * SECOND_MS);
    expect((await next(first)).refresh).toBe(second.refresh);
    expect(await statusWith(third.access)).toBe(200);
    advance(SECOND_MS);
    const warn = vi.spyOn(console, "warn");
    expect(await refresh(first)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    expect(warn.mock.calls.flat().join()).toContain('"event":"oauth_refresh_token_reused"');
    warn.mockRestore();
    expect(await statusWith(third.access)).toBe(401);
    expect((await refresh(third)).status).toBe(400);
  });

  it("has its successor under a former key of the operator, too", async () => {
    const first = await connect();
    const second = await next(first);
    const former = env.ENCRYPTION_KEYS;
    const bindings = env as { ENCRYPTION_KEYS: string };
    bindings.ENCRYPTION_KEYS = `new:${btoa("n".repeat(32))},${former}`;
    try {
      expect((await next(first)).refresh).toBe(second.refresh);
      const third = await next(second);
      expect(await statusWith(third.access)).toBe(200);
    } finally {
      bindings.ENCRYPTION_KEYS = former;
    }
  });

  it.each([
    ["another client", { client_id: "https://evil.example/client.json" }, "invalid_grant"],
    ["a further scope", { scope: "links:read keys:write" }, "invalid_scope"],
    ["another resource", { resource: "https://evil.example/" }, "invalid_target"],
    ["a token of another form", { refresh_token: "x" }, "invalid_grant"],
    ["an unknown token", { refresh_token: `svc_rt_${"x".repeat(43)}` }, "invalid_grant"],
  ])("is refused with %s, and not used up", async (_, changes, error) => {
    const connection = await connect();
    expect(await refresh(connection, changes)).toMatchObject({ status: 400, body: { error } });
    expect((await refresh(connection)).status).toBe(200);
  });

  it("is no access token, and an access token is no refresh token", async () => {
    const connection = await connect();
    expect(await statusWith(connection.refresh)).toBe(401);
    expect((await refresh(connection, { refresh_token: connection.access })).status).toBe(400);
  });
});

describe("an access token", () => {
  it("works for 8 hours", async () => {
    const connection = await connect();
    advance(8 * HOUR_MS - 1);
    expect(await statusWith(connection.access)).toBe(200);
    advance(1);
    const response = await post(connection.access, LIST);
    expect(response.status).toBe(401);
    expect(await response.text()).toContain("has expired");
    expect((await refresh(connection)).status).toBe(200);
  });

  it("can be revoked alone, and the refresh token with the grant", async () => {
    const connection = await connect();
    const revoke = (token: string, client = connection.app.client.client_id) =>
      requestToken({ token, client_id: client }, { path: "/oauth/revoke" });
    expect((await revoke(connection.access, "https://evil.example/client.json")).status).toBe(400);
    expect(await statusWith(connection.access)).toBe(200);
    expect((await revoke(connection.access)).status).toBe(200);
    expect(await statusWith(connection.access)).toBe(401);
    expect((await refresh(connection)).status).toBe(200);
    for (const token of [connection.refresh, connection.refresh, "unknown"])
      expect((await revoke(token)).status).toBe(200);
    expect(await count("oauth_grants")).toBe(0);
  });
});

it("a grant ends when it was not used for 90 days, and each use puts that off", async () => {
  const connection = await connect();
  advance(89 * DAY_MS);
  const used = await refresh(connection);
  expect(used.status).toBe(200);
  const later = { ...connection, refresh: used.body["refresh_token"] ?? "" };
  advance(90 * DAY_MS - 1);
  await runCron(Date.now());
  expect(await count("oauth_grants")).toBe(1);
  advance(1);
  expect((await refresh(later)).status).toBe(400);
  await runCron(Date.now());
  expect([await count("oauth_grants"), await count("oauth_tokens")]).toEqual([0, 0]);
});
