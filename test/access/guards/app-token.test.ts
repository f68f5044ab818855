import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { SCOPES, SCOPES_OF_RESOURCE, type AppResource } from "../../../src/platform/auth/scopes.ts";
import { SESSION_CHANGES } from "../../../src/access/guards/limits.ts";
import { post } from "../../assistants/client.ts";
import { connect, discover, refresh, register, requestToken, type Connection } from "../../identity/oauth/support.ts";
import { actFor, join, makeTeam, type Person } from "../../identity/teams/support.ts";
import { BASE_URL, buildRequest, call, jsonOf, send } from "../../support/api.ts";
import { internet } from "../../webhooks/support.ts";

beforeEach(() => internet.reset());

/** Connects an app to the resource. */
const connectTo = (
  resource: AppResource,
  options: { person?: Person; scopes?: readonly string[]; account?: string } = {},
) => connect({ ...options, asked: { parameters: { resource: BASE_URL + resource } } });

const challengeOf = (response: Response) => response.headers.get("WWW-Authenticate");
const LINK = { url: "https://example.com/" };
const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };

describe("an access token for the API", () => {
  it("does what its scopes permit, in the account of the consent, as the person", async () => {
    const team = await makeTeam();
    const { access } = await connectTo("/api", { person: team.owner, account: team.id });
    const created = await call("POST", "/api/links", { key: access, body: LINK });
    expect(created.status).toBe(201);
    const { link } = await jsonOf<{ link: { id: string; createdBy: object } }>(created);
    expect(link.createdBy).toMatchObject({ type: "user", id: team.owner.userId });
    expect((await call("GET", `/api/links/${link.id}`, { key: access })).status).toBe(200);
    expect((await actFor(team, team.owner, "GET", `/api/links/${link.id}`)).status).toBe(200);
  });

  it("is asked to get a scope that it lacks (RFC 6750, 3.1)", async () => {
    const { access } = await connectTo("/api", { scopes: ["links:read"] });
    const response = await call("POST", "/api/links", { key: access, body: LINK });
    expect(response.status).toBe(403);
    expect(challengeOf(response)).toBe(
      `Bearer error="insufficient_scope", scope="${SCOPES.join(" ")}", resource_metadata="${BASE_URL}/.well-known/oauth-protected-resource/api"`,
    );
    expect(await jsonOf(response)).toMatchObject({ details: [{ code: "app_lacks_scope", allowed: ["links:write"] }] });
    const keys = await call("GET", "/api/keys", { key: access });
    expect([keys.status, challengeOf(keys)]).toEqual([403, null]);
  });

  it("is asked for scopes that handlers need too, and for none that the role lacks", async () => {
    const { access } = await connectTo("/api", { scopes: ["links:write", "domains:write", "webhooks:write", "bulk"] });
    const asked = [
      await call("POST", "/api/exports", { key: access, body: { kind: "clicks" } }),
      await call("POST", "/api/listeners", { key: access, body: { events: ["link.click"] } }),
      await call("POST", "/api/webhooks", { key: access, body: { url: "https://acme.com/", events: ["link.click"] } }),
    ];
    for (const response of asked) {
      expect([response.status, challengeOf(response)]).toEqual([403, expect.stringContaining("insufficient_scope")]);
      expect(await jsonOf(response)).toMatchObject({
        details: [{ code: "app_lacks_scope", allowed: ["clicks:read"] }],
      });
    }
    const team = await makeTeam();
    const viewer = await connectTo("/api", { person: await join(team, "viewer"), account: team.id });
    const refused = await call("POST", "/api/links", { key: viewer.access, body: LINK });
    expect([refused.status, challengeOf(refused)]).toEqual([403, null]);
    expect(await jsonOf(refused)).toMatchObject({ details: [{ code: "lacks_permission", resource: "app" }] });
  });

  it("can do less at its next call when the role is lowered, and nothing without one", async () => {
    const team = await makeTeam();
    const member = await join(team, "member");
    const { access } = await connectTo("/api", { person: member, account: team.id });
    const create = async () => (await call("POST", "/api/links", { key: access, body: LINK })).status;
    expect(await create()).toBe(201);
    const path = `/api/teams/${team.id}/members/${member.userId}`;
    expect((await actFor(team, team.owner, "PATCH", path, { role: "viewer" })).status).toBe(200);
    expect(await create()).toBe(403);
    expect((await call("GET", "/api/links", { key: access })).status).toBe(200);
    expect((await actFor(team, team.owner, "DELETE", path)).status).toBe(200);
    const ended = await call("GET", "/api/links", { key: access });
    expect([ended.status, challengeOf(ended)]).toEqual([401, expect.stringContaining('error="invalid_token"')]);
  });

  it("opens neither the pages' operations nor those of a person", async () => {
    const { access } = await connectTo("/api");
    for (const path of ["/api/account", "/api/account/audit", "/api/teams", "/api/auth/session", "/api/auth/apps"])
      expect([path, (await call("GET", path, { key: access })).status]).toEqual([path, 401]);
  });

  it("makes webhooks and listeners, because the identity was confirmed at the consent", async () => {
    const { access, person } = await connectTo("/api");
    const body = { url: "https://hooks.acme.com/", events: ["link.create"] };
    const webhook = await call("POST", "/api/webhooks", { key: access, body });
    expect(webhook.status).toBe(201);
    expect((await person.browser.get("/api/account/audit?limit=1")).body["entries"]).toMatchObject([
      { action: "webhook.create", actor: { type: "user", id: person.userId, app: "Assistant" } },
    ]);
    const { webhook: made } = await jsonOf<{ webhook: { id: string } }>(webhook);
    const path = `/api/webhooks/${made.id}`;
    const moved = { url: "https://hooks.acme.com/new" };
    expect((await call("PATCH", path, { key: access, body: moved })).status).toBe(200);
    expect((await call("POST", `${path}/rotate-secret`, { key: access })).status).toBe(200);
    expect((await call("POST", "/api/listeners", { key: access, body: { events: ["link.create"] } })).status).toBe(201);
  });

  it("needs a fresh sign-in to share a page (RFC 9470), and never deletes the links of a domain", async () => {
    const connection = await connectTo("/api");
    const { link } = await jsonOf<{ link: { id: string } }>(
      await call("POST", "/api/links", { key: connection.access, body: LINK }),
    );
    const share = ({ access }: Connection) =>
      call("POST", "/api/shared-pages", { key: access, body: { linkId: link.id } });
    expect((await share(connection)).status).toBe(201);
    await env.DB.prepare("UPDATE oauth_grants SET confirmed_at = confirmed_at - 600000").run();
    const stale = await share(connection);
    expect(stale.status).toBe(401);
    expect(challengeOf(stale)).toMatch(/^Bearer error="insufficient_user_authentication", .*max_age="600"$/);
    const again = await connect({
      person: connection.person,
      app: connection.app,
      asked: { parameters: { resource: `${BASE_URL}/api`, max_age: "600" } },
    });
    expect((await share(again)).status).toBe(201);
  });

  it("gets the rate limit headers also while the database fails", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    const { access } = await connectTo("/api");
    const fail = () => {
      throw new Error("D1_ERROR: Network connection lost.");
    };
    const DB = { prepare: fail, batch: fail, withSession: fail } as unknown as D1Database;
    const response = await send(buildRequest("GET", "/api/links", { key: access }), { DB });
    expect([response.status, Number(response.headers.get("X-RateLimit-Limit"))]).toEqual([503, expect.any(Number)]);
    expect(response.headers.get("X-RateLimit-Remaining")).not.toBeNull();
  });

  it("is counted for its grant: one app that makes more changes is refused, and the other goes on", async () => {
    const person = await connectTo("/api");
    const other = await connectTo("/api", { person: person.person });
    const archive = ({ access }: Connection) => call("DELETE", "/api/tags/none", { key: access });
    const statuses = [];
    for (let n = 0; n <= SESSION_CHANGES; n++) statuses.push((await archive(person)).status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
    expect((await archive(other)).status).not.toBe(429);
  });
});

describe("a resource", () => {
  it("has tokens of its own: those for one are refused by the other", async () => {
    const [api, mcp] = [await connectTo("/api"), await connectTo("/mcp")];
    expect((await call("GET", "/api/links", { key: api.access })).status).toBe(200);
    expect((await post(mcp.access, LIST)).status).toBe(200);
    const atMcp = await post(api.access, LIST);
    expect([atMcp.status, challengeOf(atMcp)]).toEqual([401, expect.stringContaining("oauth-protected-resource/mcp")]);
    const atApi = await call("GET", "/api/links", { key: mcp.access });
    expect([atApi.status, challengeOf(atApi)]).toEqual([401, expect.stringContaining("oauth-protected-resource/api")]);
  });

  it("of a request for tokens is that of the consent", async () => {
    const connection = await connectTo("/api");
    const other = await refresh(connection, { resource: `${BASE_URL}/mcp` });
    expect([other.status, other.body["error"]]).toEqual([400, "invalid_target"]);
    const own = await refresh(connection, { resource: `${BASE_URL}/api` });
    expect(own.status).toBe(200);
    expect((await call("GET", "/api/links", { key: own.body["access_token"] ?? "" })).status).toBe(200);
  });

  it("is one: a request that names both is refused", async () => {
    const app = await register(await discover());
    const answer = await requestToken({
      grant_type: "refresh_token",
      client_id: app.client.client_id,
      refresh_token: "x",
    });
    expect(answer.body["error"]).toBe("invalid_grant");
    const query = new URLSearchParams([
      ["response_type", "code"],
      ["client_id", app.client.client_id],
      ["redirect_uri", "https://assistant.acme.com/callback"],
      ["code_challenge", "x".repeat(43)],
      ["code_challenge_method", "S256"],
      ["resource", `${BASE_URL}/api`],
      ["resource", `${BASE_URL}/mcp`],
    ]).toString();
    const { person } = await connectTo("/api");
    const described = await person.browser.post("/api/auth/apps/describe", { query });
    expect([described.status, described.body["redirectUri"]]).toEqual([422, expect.stringContaining("invalid_target")]);
  });

  it("has metadata with its scopes", async () => {
    for (const [resource, scopes] of Object.entries(SCOPES_OF_RESOURCE))
      expect(await jsonOf(await call("GET", `/.well-known/oauth-protected-resource${resource}`))).toMatchObject({
        resource: BASE_URL + resource,
        scopes_supported: scopes,
      });
  });

  it("offers no scope of the API to an assistant", async () => {
    const { person, app } = await connectTo("/mcp");
    const asked = { scope: "links:read webhooks:write bulk", parameters: { resource: `${BASE_URL}/mcp` } };
    const { access } = await connect({ person, app, asked });
    const grants = await env.DB.prepare("SELECT scopes FROM oauth_grants ORDER BY id DESC LIMIT 1").first("scopes");
    expect([access.startsWith("svc_at_"), grants]).toEqual([true, '["links:read"]']);
  });
});

it("a grant of version 1, which has no resource, is asked again", async () => {
  const connection = await connectTo("/mcp");
  await env.DB.prepare("UPDATE oauth_grants SET resource = NULL").run();
  expect((await post(connection.access, LIST)).status).toBe(401);
  expect((await call("GET", "/api/links", { key: connection.access })).status).toBe(401);
  const { status, body } = await refresh(connection);
  expect([status, body["error"]]).toEqual([400, "invalid_grant"]);
});
