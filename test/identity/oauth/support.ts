import { env } from "cloudflare:workers";
import * as oauth from "oauth4webapi";
import { expect } from "vitest";
import { SCOPES_OF_RESOURCE } from "../../../src/platform/auth/scopes.ts";
import { newId } from "../../../src/platform/lib/uuid.ts";
import { freshAddress } from "../../support/address.ts";
import { BASE_URL, buildRequest, call, send } from "../../support/api.ts";
import { PEOPLE, signUp, type Browser } from "../people/support.ts";
import { internet } from "../../webhooks/support.ts";
import type { Person } from "../teams/support.ts";

export const CALLBACK = "https://assistant.acme.com/callback";
export const DOCUMENT_URL = "https://assistant.acme.com/oauth/client.json";

/** The metadata document of a client with the redirect URI {@link CALLBACK}. */
export const clientDocument = (changes: Record<string, unknown> = {}) => ({
  client_id: DOCUMENT_URL,
  client_name: "Assistant",
  client_uri: "https://assistant.acme.com/",
  redirect_uris: [CALLBACK],
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
  token_endpoint_auth_method: "none",
  ...changes,
});

/** Serves the document. */
export async function publish(document: unknown = clientDocument()): Promise<void> {
  const body = typeof document === "string" ? document : JSON.stringify(document);
  await internet.answers({
    "assistant.acme.com/oauth/client.json": { headers: { "Content-Type": "application/json" }, body },
  });
}

/** Sends the requests of the client's library to the Worker. */
export const toWorker: { [oauth.customFetch]: (url: string, options: SentRequest) => Promise<Response> } = {
  [oauth.customFetch]: (url, { method, headers, body }) => {
    const text = body === undefined || body === null ? {} : { body: (body as URLSearchParams | string).toString() };
    return send(buildRequest(method, url, { headers, ...text, address: freshAddress() }), PEOPLE);
  },
};

interface SentRequest {
  method: string;
  headers: Record<string, string>;
  body?: unknown;
}

/** The metadata of the authorization server, found from `/mcp` as clients find it. */
export async function discover(): Promise<oauth.AuthorizationServer> {
  const challenge = await call("POST", "/mcp", {
    body: {},
    headers: { Accept: "application/json, text/event-stream" },
  });
  expect(challenge.status).toBe(401);
  const [, metadata = ""] = /resource_metadata="([^"]+)"/.exec(challenge.headers.get("WWW-Authenticate") ?? "") ?? [];
  const resource = new URL(`${BASE_URL}/mcp`);
  const found = await oauth.processResourceDiscoveryResponse(resource, await call("GET", new URL(metadata).pathname));
  const issuer = new URL(found.authorization_servers?.[0] ?? "");
  const response = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...toWorker });
  return oauth.processDiscoveryResponse(issuer, response);
}

/** A client of the library, registered dynamically or by its document. */
export interface App {
  server: oauth.AuthorizationServer;
  client: oauth.Client;
}

export async function register(server: oauth.AuthorizationServer, redirectUri = CALLBACK): Promise<App> {
  const metadata = { client_name: "Assistant", redirect_uris: [redirectUri], token_endpoint_auth_method: "none" };
  const response = await oauth.dynamicClientRegistrationRequest(server, metadata, toWorker);
  return { server, client: await oauth.processDynamicClientRegistrationResponse(response) };
}

interface Asked {
  scope?: string;
  redirectUri?: string;
  /** Further parameters, or other values; undefined leaves one out. */
  parameters?: Record<string, string | undefined>;
}

/** The query of an authorization request, and the verifier of its challenge. */
export async function askFor({ client }: App, { scope, redirectUri = CALLBACK, parameters = {} }: Asked = {}) {
  const verifier = oauth.generateRandomCodeVerifier();
  const all = {
    response_type: "code",
    client_id: client.client_id,
    redirect_uri: redirectUri,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    resource: `${BASE_URL}/mcp`,
    state: "some state",
    scope,
    ...parameters,
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(all)) if (value !== undefined) query.append(name, value);
  return { query: query.toString(), verifier };
}

/** The person allows what the app asks for. Returns where the browser goes. */
export async function allow(
  browser: Browser,
  query: string,
  scopes: readonly string[] = SCOPES_OF_RESOURCE["/mcp"],
  account?: string,
) {
  const options = account === undefined ? {} : { headers: { "X-Account-Id": account } };
  const reply = await browser.post("/api/auth/apps/decide", { query, allow: true, scopes }, options);
  if (reply.status !== 200) throw new Error(`decide: ${reply.status} ${JSON.stringify(reply.body)}`);
  return new URL(reply.body["redirectUri"] as string);
}

/** Exchanges the code of the URL as the library does it, with its checks of state and issuer. */
export async function exchange({ server, client }: App, url: URL, verifier: string, redirectUri = CALLBACK) {
  const parameters = oauth.validateAuthResponse(server, client, url, "some state");
  const request = [server, client, oauth.None(), parameters, redirectUri, verifier, toWorker] as const;
  const response = await oauth.authorizationCodeGrantRequest(...request);
  return oauth.processAuthorizationCodeResponse(server, client, response);
}

export interface Connection {
  app: App;
  person: Person;
  access: string;
  refresh: string;
}

/** All scopes that the person can give. */
async function offeredBy(browser: Browser, query: string, account?: string): Promise<string[]> {
  const headers = account === undefined ? {} : { "X-Account-Id": account };
  const { body } = await browser.post("/api/auth/apps/describe", { query }, { headers });
  return (body["scopes"] as { name: string }[]).map(({ name }) => name);
}

/** Connects a registered app for a person, by default a new one with the personal account. */
export async function connect({
  person,
  scopes,
  account,
  app,
  asked,
}: {
  person?: Person;
  scopes?: readonly string[];
  account?: string;
  app?: App;
  asked?: Asked;
} = {}): Promise<Connection> {
  const owner = person ?? (await signUp());
  const client = app ?? (await register(await discover()));
  const { query, verifier } = await askFor(client, asked);
  const given = scopes ?? (await offeredBy(owner.browser, query, account));
  const tokens = await exchange(client, await allow(owner.browser, query, given, account), verifier);
  return { app: client, person: owner, access: tokens.access_token, refresh: tokens.refresh_token ?? "" };
}

/** A request to the token endpoint without the library. */
export async function requestToken(fields: Record<string, string>, options: { address?: string; path?: string } = {}) {
  const response = await call("POST", options.path ?? "/oauth/token", {
    body: new URLSearchParams(fields).toString(),
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    ...(options.address !== undefined && { address: options.address }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: (text === "" ? {} : JSON.parse(text)) as Record<string, string>,
  };
}

/** Refreshes without the library. */
export const refresh = ({ app, refresh: token }: Connection, changes: Record<string, string> = {}) =>
  requestToken({ grant_type: "refresh_token", client_id: app.client.client_id, refresh_token: token, ...changes });

/** Gives the only grant new windows. */
export async function renewGrantId(): Promise<void> {
  const id = newId(Date.now());
  await env.DB.batch([
    env.DB.prepare("UPDATE oauth_tokens SET grant_id = ?1").bind(id),
    env.DB.prepare("UPDATE oauth_grants SET id = ?1").bind(id),
  ]);
}
