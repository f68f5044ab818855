import { describe, expect, it } from "vitest";
import { SCOPES_OF_RESOURCE } from "../../../src/platform/auth/scopes.ts";
import { buildRequest, call, jsonOf, send } from "../../support/api.ts";

const WELL_KNOWN = "/.well-known/oauth-protected-resource";
const SERVER = "/.well-known/oauth-authorization-server";

describe("the metadata", () => {
  it("of the resource are those of the address that was asked", async () => {
    for (const [path, resource] of [
      [`${WELL_KNOWN}/mcp`, "https://tern.test/mcp"],
      [WELL_KNOWN, "https://tern.test"],
    ] as const)
      expect(await jsonOf(await call("GET", path))).toEqual({
        resource,
        resource_name: "Tern",
        authorization_servers: ["https://tern.test"],
        scopes_supported: SCOPES_OF_RESOURCE["/mcp"],
        bearer_methods_supported: ["header"],
      });
  });

  it("of the server name its endpoints, PKCE with S256 only, iss and public clients only", async () => {
    expect(await jsonOf(await call("GET", SERVER))).toEqual({
      issuer: "https://tern.test",
      authorization_endpoint: "https://tern.test/oauth/authorize",
      token_endpoint: "https://tern.test/oauth/token",
      registration_endpoint: "https://tern.test/oauth/register",
      revocation_endpoint: "https://tern.test/oauth/revoke",
      response_types_supported: ["code"],
      response_modes_supported: ["query"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      token_endpoint_auth_methods_supported: ["none"],
      revocation_endpoint_auth_methods_supported: ["none"],
      code_challenge_methods_supported: ["S256"],
      scopes_supported: [...SCOPES_OF_RESOURCE["/api"], "offline_access"],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    });
  });

  it("of OpenID Connect and of other resources do not exist", async () => {
    for (const path of [
      "/.well-known/openid-configuration",
      "/.well-known/openid-configuration/mcp",
      `${WELL_KNOWN}/api/links`,
      `${SERVER}/mcp`,
      "/oauth/userinfo",
    ])
      expect([path, (await call("GET", path)).status]).toEqual([path, 404]);
    expect((await call("POST", SERVER)).status).toBe(405);
    expect((await call("GET", "/oauth/token")).headers.get("Allow")).toBe("POST");
  });

  it("repeat the name of this machine that was asked", async () => {
    const local = { BASE_URL: "http://localhost:8787" };
    for (const origin of ["http://localhost:8787", "http://127.0.0.1:8787", "http://[::1]:8787"]) {
      const server = await jsonOf(await send(buildRequest("GET", origin + SERVER), local));
      expect(server).toMatchObject({ issuer: origin, token_endpoint: `${origin}/oauth/token` });
      const resource = await jsonOf(await send(buildRequest("GET", `${origin}${WELL_KNOWN}/mcp`), local));
      expect(resource).toMatchObject({ resource: `${origin}/mcp`, authorization_servers: [origin] });
    }
  });
});

describe("a service without BASE_URL", () => {
  const unnamed = { BASE_URL: "" };

  it("takes keys only, on a host that is not this machine", async () => {
    for (const path of [`${WELL_KNOWN}/mcp`, WELL_KNOWN, SERVER, "/oauth/authorize?client_id=x"])
      expect((await send(buildRequest("GET", `https://go.example${path}`), unnamed)).status).toBe(404);
    for (const path of ["/oauth/token", "/oauth/register", "/oauth/revoke"])
      expect((await send(buildRequest("POST", `https://go.example${path}`, { body: {} }), unnamed)).status).toBe(404);
    const refused = await send(buildRequest("POST", "https://go.example/mcp", { body: {} }), unnamed);
    expect([refused.status, refused.headers.get("WWW-Authenticate")]).toEqual([401, "Bearer"]);
  });

  it("has the metadata on this machine", async () => {
    expect((await send(buildRequest("GET", `http://localhost:8787${SERVER}`), unnamed)).status).toBe(200);
  });
});

it("the 401 of /mcp names all scopes and the metadata, and none of offline_access", async () => {
  const scopes = SCOPES_OF_RESOURCE["/mcp"].join(" ");
  const metadata = `resource_metadata="https://tern.test${WELL_KNOWN}/mcp"`;
  const none = await call("POST", "/mcp", { body: {} });
  expect(none.headers.get("WWW-Authenticate")).toBe(`Bearer scope="${scopes}", ${metadata}`);
  for (const key of [`svc_at_${"x".repeat(43)}`, `svc_sk_live_${"0".repeat(64)}`, "x"]) {
    const response = await call("POST", "/mcp", { key, body: {} });
    expect(response.status).toBe(401);
    expect(response.headers.get("WWW-Authenticate")).toBe(
      `Bearer error="invalid_token", scope="${scopes}", ${metadata}`,
    );
  }
});
