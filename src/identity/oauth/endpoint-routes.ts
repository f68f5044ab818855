import type { Context } from "hono";
import type { AppResource } from "../../platform/auth/scopes.ts";
import type { HttpEnv } from "../../platform/http/context.ts";
import { findRepeatedKey } from "../../platform/http/json-keys.ts";
import { publicOrigin } from "../../platform/http/origin.ts";
import { readLimited } from "../../platform/lib/read-limited.ts";
import { clientName } from "../../platform/rate-limit/client-address.ts";
import { countInWindow } from "../../platform/rate-limit/middleware.ts";
import { ISSUER_PARAMETER, readReturnable, requireRedirectUri } from "./authorization-request.ts";
import { isDocumentUrl } from "./client-document.ts";
import { findClient } from "./client.ts";
import { MAX_INVALID_TOKEN_REQUESTS, MAX_OAUTH_BODY_BYTES, MAX_TOKEN_REQUESTS_PER_GRANT } from "./limits.ts";
import { resourceMetadata, serverMetadata } from "./metadata.ts";
import { OAuthError, toErrorBody } from "./oauth-error.ts";
import { registerClient } from "./registration.ts";
import { issueTokens, revokeToken } from "./token.ts";

// The endpoints that clients of OAuth call. Their errors are those of OAuth and not of the API.

type Call = Context<HttpEnv>;

/** By method and path. */
const ENDPOINTS: Readonly<Record<string, (c: Call) => Response | Promise<Response>>> = {
  // Clients of /mcp may ask for the origin.
  "GET /.well-known/oauth-protected-resource": (c) =>
    c.json(resourceMetadata(publicOrigin(c), publicOrigin(c), "/mcp")),
  "GET /.well-known/oauth-protected-resource/mcp": (c) => describeResource(c, "/mcp"),
  "GET /.well-known/oauth-protected-resource/api": (c) => describeResource(c, "/api"),
  "GET /.well-known/oauth-authorization-server": (c) => c.json(serverMetadata(publicOrigin(c))),
  "GET /oauth/authorize": authorize,
  "POST /oauth/register": register,
  "POST /oauth/token": token,
  "POST /oauth/revoke": revoke,
};

function describeResource(c: Call, resource: AppResource): Response {
  const origin = publicOrigin(c);
  return c.json(resourceMetadata(origin, origin + resource, resource));
}

/** Answers a request to an endpoint; null: there is none with this method and path. */
export async function serveOAuth(c: Call): Promise<Response | null> {
  const method = c.req.method === "HEAD" ? "GET" : c.req.method;
  const serve = ENDPOINTS[`${method} ${c.req.path}`];
  if (serve === undefined) return null;
  try {
    return await serve(c);
  } catch (error) {
    if (error instanceof OAuthError) return c.json(toErrorBody(error), error.code === "invalid_client" ? 401 : 400);
    throw error;
  }
}

/** The methods of a path with an endpoint. */
export function methodsOf(path: string): string[] {
  return Object.keys(ENDPOINTS)
    .filter((endpoint) => endpoint.endsWith(` ${path}`))
    .map((endpoint) => endpoint.split(" ")[0] ?? "");
}

/**
 * Leads a person to the page that asks them. The document of a client is only fetched there, for persons who are signed in:
 * strangers must not make the service send requests.
 */
async function authorize(c: Call): Promise<Response> {
  const context = c.get("context");
  const url = new URL(c.req.url);
  try {
    const { clientId, redirectUri } = readReturnable(url.search);
    if (!isDocumentUrl(clientId)) requireRedirectUri(await findClient(context, clientId), redirectUri);
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    const { error: code, error_description: description } = toErrorBody(error);
    return c.redirect(
      `/app/authorize?${new URLSearchParams({ error: code, error_description: description }).toString()}`,
    );
  }
  const origin = publicOrigin(c);
  const name = new URLSearchParams({ [ISSUER_PARAMETER]: origin }).toString();
  return c.redirect(`/app/authorize${url.search}${origin === context.baseUrl ? "" : `&${name}`}`);
}

async function register(c: Call): Promise<Response> {
  const text = await readBody(c);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new OAuthError("invalid_client_metadata", "The body is not valid JSON.");
  }
  const repeated = findRepeatedKey(text);
  if (repeated !== null)
    throw new OAuthError("invalid_client_metadata", `${repeated} is given more than once. Give each name once.`);
  return c.json(await registerClient(c.env, body), 201);
}

async function token(c: Call): Promise<Response> {
  const context = c.get("context");
  const count = (grantId: string) => {
    c.set("caller", grantId);
    const window = { name: `grant ${grantId}`, kind: "tokens of apps", limit: MAX_TOKEN_REQUESTS_PER_GRANT };
    return countInWindow(c, false, window);
  };
  try {
    return c.json(await issueTokens(context, await readForm(c), count));
  } catch (error) {
    // By address only without a valid grant: all users of an assistant may share one.
    const isGuess = error instanceof OAuthError && error.code === "invalid_grant" && c.get("caller") === undefined;
    if (isGuess) await countGuess(c);
    throw error;
  }
}

async function revoke(c: Call): Promise<Response> {
  const isGuess = await revokeToken(c.get("context"), await readForm(c));
  if (isGuess) await countGuess(c);
  return c.body(null, 200);
}

const countGuess = (c: Call) =>
  countInWindow(c, false, {
    name: `no valid grant ${clientName(c.req.raw.headers)}`,
    kind: "guesses of tokens",
    limit: MAX_INVALID_TOKEN_REQUESTS,
  });

async function readForm(c: Call): Promise<URLSearchParams> {
  const type = c.req.header("Content-Type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded")
    throw new OAuthError("invalid_request", "Send the body as application/x-www-form-urlencoded.");
  return new URLSearchParams(await readBody(c));
}

async function readBody(c: Call): Promise<string> {
  const bytes = await readLimited(c.req.raw.body, MAX_OAUTH_BODY_BYTES + 1);
  if (bytes.byteLength > MAX_OAUTH_BODY_BYTES) throw new OAuthError("invalid_request", "The body is too large.");
  return new TextDecoder().decode(bytes);
}
