import { beforeEach, describe, expect, it } from "vitest";
import { matchesRedirectUri, redirectUriError } from "../../../src/identity/oauth/redirect-uri.ts";
import { call, jsonOf } from "../../support/api.ts";
import { measureD1 } from "../../support/d1-meter.ts";
import { signUp, type Browser } from "../people/support.ts";
import { internet } from "../../webhooks/support.ts";
import {
  allow,
  askFor,
  CALLBACK,
  clientDocument,
  discover,
  DOCUMENT_URL,
  exchange,
  publish,
  register,
} from "./support.ts";

beforeEach(() => internet.reset());

const registerAs = (metadata: unknown) => call("POST", "/oauth/register", { body: metadata });

describe("a redirect URI", () => {
  it.each([
    ["https://assistant.example/callback"],
    ["https://assistant.example:8443/callback?tenant=1"],
    ["http://127.0.0.1/callback"],
    ["http://localhost:8123/"],
    ["http://[::1]/callback"],
    ["cursor://anysphere.cursor-mcp/oauth/callback"],
    ["com.example.app:/callback"],
    ["com.googleusercontent.apps.123-abc:/oauth2redirect"],
    ["uk.co.example:/callback"],
  ])("can be %s", (uri) => expect(redirectUriError(uri)).toBeNull());

  it.each([
    ["javascript:alert(1)"],
    ["JavaScript:/alert(1)"],
    ["data:text/html,x"],
    ["file:///etc/passwd"],
    ["blob:https://assistant.example/x"],
    ["intent://scan/#Intent;end"],
    ["ms-msdt:/id"],
    ["search-ms:/query=x"],
    ["itms-services://?action=download-manifest&url=https://evil.example/x.plist"],
    ["ssh://evil.example/"],
    ["upi://pay?pa=evil@bank"],
    ["x-apple.systempreferences:/com.apple.preference.security"],
    ["assistant:/callback"],
    ["https:/bank"],
    ["https.://assistant.example/callback"],
    ["http://assistant.example/callback"],
    ["http://127.0.0.1.evil.example/"],
    ["https://assistant.example/#fragment"],
    ["https://user:password@assistant.example/"],
    ["https://assistant.example/\r\nSet-Cookie: x"],
    ["https://assistant.example\\@evil.example/"],
    ["/callback"],
    ["com.example.app"],
    ["urn:ietf:wg:oauth:2.0:oob"],
    [`https://assistant.example/${"x".repeat(1_000)}`],
  ])("cannot be %s", (uri) => expect(redirectUriError(uri)).not.toBeNull());

  it.each([
    ["https://a.example/callback", "https://a.example/callback", true],
    ["https://a.example/callback/", "https://a.example/callback", false],
    ["https://a.example/callback?x=1", "https://a.example/callback", false],
    ["https://a.example:444/callback", "https://a.example/callback", false],
    ["https://A.example/callback", "https://a.example/callback", false],
    ["http://a.example/callback", "https://a.example/callback", false],
    ["http://127.0.0.1:50123/callback", "http://127.0.0.1/callback", true],
    ["http://localhost:50123/callback", "http://localhost:3000/callback", true],
    ["http://127.0.0.1:50123/other", "http://127.0.0.1/callback", false],
    ["http://localhost:50123/callback", "http://127.0.0.1/callback", false],
    ["http://user@127.0.0.1:50123/callback", "http://127.0.0.1/callback", false],
    ["https://127.0.0.1:50123/callback", "https://127.0.0.1/callback", false],
  ])("%s and the registered %s: %s", (given, registered, matches) =>
    expect(matchesRedirectUri(given, registered)).toBe(matches),
  );
});

describe("a registration", () => {
  it("stores nothing and reads nothing", async () => {
    const cost = await measureD1(() => registerAs({ redirect_uris: [CALLBACK] }));
    expect(cost).toMatchObject({ rowsRead: 0, rowsWritten: 0 });
  });

  it("makes every client a public one, and ignores what it does not know", async () => {
    const metadata = {
      redirect_uris: [CALLBACK],
      client_name: "  Evil\u202e\u0000 name\n",
      token_endpoint_auth_method: "client_secret_basic",
      logo_uri: "https://evil.example/logo.png",
      scope: "admin",
    };
    const response = await registerAs(metadata);
    expect(response.status).toBe(201);
    const body = await jsonOf(response);
    expect(body).toMatchObject({ client_name: "Evil name", token_endpoint_auth_method: "none" });
    expect(body).not.toHaveProperty("client_secret");
    expect(await internet.received()).toEqual([]);
  });

  it.each([
    ["no redirect URI", {}, "invalid_redirect_uri"],
    ["an empty list of them", { redirect_uris: [] }, "invalid_redirect_uri"],
    ["one that runs code", { redirect_uris: [CALLBACK, "javascript:/x"] }, "invalid_redirect_uri"],
    ["21 of them", { redirect_uris: Array.from({ length: 21 }, () => CALLBACK) }, "invalid_redirect_uri"],
    ["the implicit grant", { redirect_uris: [CALLBACK], grant_types: ["implicit"] }, "invalid_client_metadata"],
    ["another response", { redirect_uris: [CALLBACK], response_types: ["token"] }, "invalid_client_metadata"],
    [
      "very long ones",
      { redirect_uris: Array.from({ length: 9 }, (_, n) => `${CALLBACK}${"x".repeat(400)}${n}`) },
      "invalid_client_metadata",
    ],
    ["a list", [], "invalid_client_metadata"],
    ["no JSON", "{", "invalid_client_metadata"],
    ["a name twice", `{"redirect_uris":["${CALLBACK}"],"redirect_uris":["${CALLBACK}x"]}`, "invalid_client_metadata"],
    ["20 KB", JSON.stringify({ redirect_uris: [CALLBACK], x: "x".repeat(20_000) }), "invalid_request"],
  ])("with %s is refused", async (_, body, error) => {
    const response = await registerAs(body);
    expect([response.status, (await jsonOf(response))["error"]]).toEqual([400, error]);
  });

  it("cannot be forged or changed", async () => {
    const { browser } = await signUp();
    const app = await register(await discover());
    const [start = "", text = "", signature = ""] = app.client.client_id.split(".");
    const other = btoa(JSON.stringify(["Assistant", ["https://evil.example/"]])).replaceAll("=", "");
    for (const id of [
      `${start}.${other}.${signature}`,
      `${start}.${text}.${other}`,
      `${start}.${text}`,
      "reg..",
      "some",
    ]) {
      const { query } = await askFor({ ...app, client: { client_id: id } });
      const { status, body } = await browser.post("/api/auth/apps/describe", { query });
      expect([status, body["redirectUri"]]).toEqual([422, null]);
      const asked = await browser.get(`/oauth/authorize?${query}`);
      expect(asked.headers.get("Location")).toMatch(/^\/app\/authorize\?error=invalid_client&error_description=/);
    }
  });

  it("with a port of loopback is connected on another one", async () => {
    const { browser } = await signUp();
    const app = await register(await discover(), "http://127.0.0.1/callback");
    const redirectUri = "http://127.0.0.1:53123/callback";
    const { query, verifier } = await askFor(app, { redirectUri });
    const described = await browser.post("/api/auth/apps/describe", { query });
    expect(described.body).toMatchObject({ redirect: { host: "127.0.0.1", scheme: "http", isLoopback: true } });
    expect((await exchange(app, await allow(browser, query), verifier, redirectUri)).access_token).toMatch(/^svc_at_/);
  });
});

describe("a metadata document", () => {
  async function describeClient(clientId: string = DOCUMENT_URL, browser?: Browser) {
    const person = browser ?? (await signUp()).browser;
    await internet.forget();
    const { query } = await askFor({ server: { issuer: "" }, client: { client_id: clientId } });
    return person.post("/api/auth/apps/describe", { query });
  }

  it.each([
    [
      "with redirects",
      async () =>
        internet.answers({ "assistant.acme.com": { status: 302, headers: { Location: "https://x.acme.com/" } } }),
    ],
    ["of more than 5 KiB", () => publish(clientDocument({ extra: "x".repeat(5_200) }))],
    ["without an end", async () => internet.answers({ "assistant.acme.com": { endless: true } })],
    ["that fails", async () => internet.answers({ "assistant.acme.com": { status: 404 } })],
    ["that has no connection", async () => internet.answers({ "assistant.acme.com": { fails: true } })],
    ["of another client", () => publish(clientDocument({ client_id: `${DOCUMENT_URL}?` }))],
    ["without a client_id", () => publish(clientDocument({ client_id: undefined }))],
    ["that is no JSON", () => publish("<html>")],
    ["that is null", () => publish("null")],
    ["with a name twice", () => publish(`{"client_name":"Bank",${JSON.stringify(clientDocument()).slice(1)}`)],
    [
      "with a redirect URI that runs code",
      () => publish(clientDocument({ redirect_uris: [CALLBACK, "javascript:/x"] })),
    ],
    [
      "without the redirect URI",
      () => publish(clientDocument({ redirect_uris: ["https://assistant.acme.com/other"] })),
    ],
    ["of a client with a secret", () => publish(clientDocument({ token_endpoint_auth_method: "private_key_jwt" }))],
  ])("%s is refused, and nobody is sent anywhere", async (_, arrange) => {
    await arrange();
    const { status, body } = await describeClient();
    expect([status, body.code, body["redirectUri"]]).toEqual([422, "invalid_authorization", null]);
    // No redirect is followed, and no logo or key is loaded.
    expect((await internet.received()).filter(({ url }) => url !== DOCUMENT_URL)).toEqual([]);
  });

  it.each([
    ["with a private address", ["10.0.0.1"]],
    ["that has one private address", ["93.184.215.14", "::1"]],
    ["without an address", []],
  ])("that is right, on a host %s, is refused and not even asked for", async (_, addresses) => {
    await publish();
    expect((await describeClient()).status).toBe(200);
    await internet.addresses({ "assistant.acme.com": addresses });
    const { status, body } = await describeClient();
    expect([status, body.code, body["redirectUri"]]).toEqual([422, "invalid_authorization", null]);
    expect(body.error).toContain("The host of the client_id is not a public one.");
    expect(await internet.received()).toEqual([]);
  });

  it("that does not come in 5 seconds is refused", async () => {
    await internet.answers({ "assistant.acme.com": { hangs: true } });
    expect((await describeClient()).status).toBe(422);
    await internet.answers({ "assistant.acme.com": {} });
  });

  it.each([
    ["http://assistant.acme.com/client.json"],
    ["https://assistant.acme.com"],
    ["https://assistant.acme.com/a/../client.json"],
    ["https://user@assistant.acme.com/client.json"],
    ["https://assistant.acme.com/client.json#x"],
    ["https://127.0.0.1/client.json"],
    ["https://[::1]/client.json"],
    ["https://169.254.169.254/latest/meta-data"],
    ["https://localhost/client.json"],
    ["https://printer.local/client.json"],
    ["https://tern.test/client.json"],
  ])("at %s is not even asked for", async (clientId) => {
    const { status } = await describeClient(clientId);
    expect(status).toBe(422);
    expect(await internet.received()).toEqual([]);
  });

  it("that prefers a key is accepted if it can do without, and shows a home page on its own host only", async () => {
    await publish(
      clientDocument({
        token_endpoint_auth_method: "private_key_jwt",
        token_endpoint_auth_methods_supported: ["private_key_jwt", "none"],
        client_uri: "https://bank.example/",
        logo_uri: "https://assistant.acme.com/logo.png",
      }),
    );
    const { status, body } = await describeClient();
    expect([status, (body["client"] as { uri: unknown }).uri]).toEqual([200, null]);
    expect((await internet.received()).map(({ url }) => url)).toEqual([DOCUMENT_URL]);
  });

  it("that changes after it was shown is read again at the decision", async () => {
    const { browser } = await signUp();
    await publish();
    const app = { server: await discover(), client: { client_id: DOCUMENT_URL } };
    const { query } = await askFor(app);
    expect((await browser.post("/api/auth/apps/describe", { query })).status).toBe(200);
    await publish(clientDocument({ redirect_uris: ["https://assistant.acme.com/other"] }));
    const decided = await browser.post("/api/auth/apps/decide", { query, allow: true, scopes: ["links:read"] });
    expect([decided.status, decided.body["redirectUri"]]).toEqual([422, null]);
  });

  it("is never fetched for strangers", async () => {
    const { query } = await askFor({ server: { issuer: "" }, client: { client_id: DOCUMENT_URL } });
    const asked = await call("GET", `/oauth/authorize?${query}`);
    expect([asked.status, asked.headers.get("Location")]).toEqual([302, `/app/authorize?${query}`]);
    expect(
      (await call("POST", "/api/auth/apps/describe", { body: { query }, headers: { Origin: "https://tern.test" } }))
        .status,
    ).toBe(401);
    expect(await internet.received()).toEqual([]);
  });
});
