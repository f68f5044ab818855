import { env } from "cloudflare:workers";
import * as oauth from "oauth4webapi";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { newAppToken } from "../../../src/platform/auth/app-token.ts";
import { apiFor } from "../../../src/assistants/api.ts";
import { BASE_URL, buildRequest, call, jsonOf, type ErrorJson } from "../../support/api.ts";
import { callTool, post } from "../../assistants/client.ts";
import { readOperations, request } from "../people/operations.ts";
import { Browser, signUp } from "../people/support.ts";
import { internet } from "../../webhooks/support.ts";
import { allow, askFor, CALLBACK, connect, discover, register } from "./support.ts";

beforeEach(() => internet.reset());

const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };

describe("a redirect", () => {
  it.each([
    ["another host", "https://evil.example/callback"],
    ["another path", `${CALLBACK}/more`],
    ["a further parameter", `${CALLBACK}?next=https://evil.example`],
    ["a host that begins as the client's", "https://assistant.acme.com.evil.example/callback"],
    ["a user name", "https://assistant.acme.com@evil.example/callback"],
    ["a path that leads back", "https://assistant.acme.com/callback/../evil"],
    ["http", CALLBACK.replace("https", "http")],
    ["a backslash", "https://assistant.acme.com\\@evil.example/callback"],
    ["code", "javascript:alert(document.domain)//"],
  ])("to %s leads nowhere", async (_, redirectUri) => {
    const { browser } = await signUp();
    const app = await register(await discover());
    const { query } = await askFor(app, { redirectUri });
    const asked = await browser.get(`/oauth/authorize?${query}`);
    expect(asked.status).toBe(302);
    expect(asked.headers.get("Location")).toMatch(/^\/app\/authorize\?error=invalid_request&error_description=/);
    for (const body of [
      { query },
      { query, allow: true, scopes: ["links:read"] },
      { query, allow: false, scopes: [] },
    ]) {
      const path = `/api/auth/apps/${"allow" in body ? "decide" : "describe"}`;
      const reply = await browser.post(path, body);
      expect([reply.status, reply.body["redirectUri"]]).toEqual([422, null]);
    }
  });

  it("with two redirect URIs or two clients leads nowhere", async () => {
    const { browser } = await signUp();
    const app = await register(await discover());
    const { query } = await askFor(app);
    for (const added of ["redirect_uri=https%3A%2F%2Fevil.example", "client_id=x"])
      for (const twice of [`${query}&${added}`, `${added}&${query}`]) {
        const { status, body } = await browser.post("/api/auth/apps/describe", { query: twice });
        expect([status, body["redirectUri"]]).toEqual([422, null]);
      }
  });
});

describe("a request that is not safe", () => {
  it.each([
    ["without a challenge", { code_challenge: undefined }, "invalid_request"],
    ["with the method plain", { code_challenge_method: "plain" }, "invalid_request"],
    ["without a method, which means plain", { code_challenge_method: undefined }, "invalid_request"],
    ["with a short challenge", { code_challenge: "x" }, "invalid_request"],
    ["for the implicit grant", { response_type: "token" }, "unsupported_response_type"],
    ["with the answer in the fragment", { response_mode: "fragment" }, "invalid_request"],
    ["as an object", { request: "eyJ" }, "request_not_supported"],
    ["by reference", { request_uri: "https://evil.example/" }, "request_not_supported"],
    ["for another resource", { resource: "https://evil.example/mcp" }, "invalid_target"],
    ["for a resource that looks like this one", { resource: "https://tern.test.evil.example/mcp" }, "invalid_target"],
    ["for keys", { scope: "keys:write" }, "invalid_scope"],
  ])("%s is sent back to the app with state and iss", async (_, parameters, error) => {
    const { browser } = await signUp();
    const app = await register(await discover());
    const { query } = await askFor(app, { parameters });
    expect((await browser.get(`/oauth/authorize?${query}`)).headers.get("Location")).toBe(`/app/authorize?${query}`);
    const { status, body } = await browser.post("/api/auth/apps/describe", { query });
    expect([status, body.code]).toEqual([422, "invalid_authorization"]);
    const url = new URL(body["redirectUri"] as string);
    expect(url.origin + url.pathname).toBe(CALLBACK);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({ error, state: "some state", iss: BASE_URL });
    const decided = await browser.post("/api/auth/apps/decide", { query, allow: true, scopes: ["links:read"] });
    expect(decided.status).toBe(422);
    expect(await env.DB.prepare("SELECT count(*) AS n FROM oauth_grants").first("n")).toBe(0);
  });

  it.each([[BASE_URL], [`${BASE_URL}/`], [`${BASE_URL}/mcp`], [`${BASE_URL}/mcp?tenant=1`], [undefined]])(
    "is none with the resource %s",
    async (resource) => {
      const { browser } = await signUp();
      const app = await register(await discover());
      const { query } = await askFor(app, { parameters: { resource } });
      expect((await browser.post("/api/auth/apps/describe", { query })).status).toBe(200);
    },
  );
});

describe("a mix-up of servers", () => {
  it("is noticed by the client: each answer has iss, a refusal too", async () => {
    const { browser } = await signUp();
    const app = await register(await discover());
    const { query } = await askFor(app);
    const allowed = await allow(browser, query);
    expect(allowed.searchParams.get("iss")).toBe(BASE_URL);
    const other = { ...app.server, issuer: "https://evil.example" };
    expect(() => oauth.validateAuthResponse(other, app.client, allowed, "some state")).toThrow(/iss/);
    const { body } = await browser.post("/api/auth/apps/decide", { query, allow: false, scopes: [] });
    const refused = new URL(body["redirectUri"] as string);
    expect(Object.fromEntries(refused.searchParams)).toMatchObject({
      error: "access_denied",
      state: "some state",
      iss: BASE_URL,
    });
    expect(() => oauth.validateAuthResponse(other, app.client, refused, "some state")).toThrow(/iss/);
  });

  it("does not follow from a name in the query that is not this service's", async () => {
    const { browser } = await signUp();
    const app = await register(await discover());
    const { query } = await askFor(app, { parameters: { issuer_name: "https://evil.example" } });
    expect((await allow(browser, query)).searchParams.get("iss")).toBe(BASE_URL);
  });
});

describe("a token", () => {
  it("for /mcp is refused by every operation of the API", async () => {
    const { access } = await connect();
    const operations = readOperations();
    expect(operations.length).toBeGreaterThan(100);
    for (const operation of operations) {
      const response = await request(operation, { key: access });
      expect([operation.name, response.status]).toEqual([operation.name, 401]);
    }
    const { error } = await jsonOf<ErrorJson>(await call("GET", "/api/links", { key: access }));
    expect(error).toBe("This access token is not valid for /api. Connect the app to /api again.");
  });

  it("of another service is refused, and so is a code", async () => {
    for (const token of ["eyJhbGciOiJub25lIn0.e30.", `svc_at_${"x".repeat(43)}`, `svc_code_${"x".repeat(43)}`])
      expect((await post(token, LIST)).status).toBe(401);
  });

  it("is in no log line", async () => {
    const { access, refresh } = await connect();
    const logs = (["info", "warn", "error"] as const).map((level) => vi.spyOn(console, level).mockReturnValue());
    await callTool(access, "list_links", {});
    await call("GET", `/api/links/${access}`, { key: access });
    await call("GET", `/${refresh}`);
    const lines = logs.flatMap(({ mock }) => mock.calls.flat());
    expect(lines.length).toBeGreaterThan(2);
    expect(lines.join()).not.toContain(access.slice(8));
    expect(lines.join()).not.toContain(refresh.slice(8));
  });

  it("is not sent to the API by a tool, unlike a key", async () => {
    const sent: Request[] = [];
    const serve = (request: Request) => {
      sent.push(request);
      return Response.json({});
    };
    const message = buildRequest("POST", "/mcp", { key: newAppToken("access"), address: "192.0.2.1" });
    const ofPerson = { accountId: 1, permissions: [], linkDefaults: null, isUntrusted: false };
    const app = { type: "app", grantId: "", accountName: "", appName: "", role: "owner", refused: [] } as const;
    const grant = { resource: "/mcp", origin: BASE_URL, confirmedAt: 0 } as const;
    const user = { id: "", email: "" };
    await apiFor(message, { ...ofPerson, ...app, ...grant, user }, serve).json("GET", "/api/links");
    await apiFor(message, { ...ofPerson, type: "key", keyId: "", expiresAt: null }, serve).json("GET", "/api/links");
    expect(sent.map(({ headers }) => [headers.get("CF-Connecting-IP"), headers.has("Authorization")])).toEqual([
      ["192.0.2.1", false],
      ["192.0.2.1", true],
    ]);
  });
});

describe("the decision", () => {
  it("cannot be made by another site, by a key or by an app", async () => {
    const { browser } = await signUp();
    const app = await register(await discover());
    const { query } = await askFor(app);
    const body = { query, allow: true, scopes: ["links:read"] };
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    for (const headers of [
      { Cookie: cookie },
      { Cookie: cookie, Origin: "https://evil.example" },
      { Cookie: cookie, Origin: "null" },
    ]) {
      const response = await call("POST", "/api/auth/apps/decide", { body, headers });
      expect([response.status, (await jsonOf<ErrorJson>(response)).code]).toEqual([403, "cross_site"]);
    }
    const { access } = await connect();
    expect((await call("POST", "/api/auth/apps/decide", { body, key: access })).status).toBe(401);
    expect((await new Browser().post("/api/auth/apps/decide", body)).status).toBe(401);
  });

  it("gives no more than was asked for, and not nothing", async () => {
    const { browser } = await signUp();
    const app = await register(await discover());
    const { query } = await askFor(app, { scope: "links:read clicks:read" });
    for (const scopes of [["links:write"], ["links:read", "links:write"], []]) {
      const { status, body } = await browser.post("/api/auth/apps/decide", { query, allow: true, scopes });
      expect([status, body.code]).toEqual([400, "invalid_request"]);
    }
    expect((await browser.post("/api/auth/apps/decide", { query, allow: true, scopes: ["keys:write"] })).status).toBe(
      400,
    );
  });
});
