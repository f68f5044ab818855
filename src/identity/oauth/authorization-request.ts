import { SCOPES_OF_RESOURCE, type AppResource, type Scope } from "../../platform/auth/scopes.ts";
import type { ServiceContext } from "../../platform/context.ts";
import { isNameOf } from "../../platform/http/origin.ts";
import { findClient } from "./client.ts";
import type { Client } from "./client-metadata.ts";
import { MAX_AUTHORIZATION_QUERY_CHARS } from "./limits.ts";
import { OAuthError } from "./oauth-error.ts";
import { addToUri, matchesRedirectUri } from "./redirect-uri.ts";
import { readResource } from "./resource.ts";

/** What an app asks a person for (OAuth 2.1, 4.1.1). */
export interface AuthorizationRequest {
  clientId: string;
  client: Client;
  redirectUri: string;
  state: string | null;
  /** The challenge of PKCE (RFC 7636, method S256). */
  challenge: string;
  resource: AppResource;
  /** Those that it asks for, without unknown ones; all, if it names none. */
  scopes: readonly Scope[];
  /** What the client calls this service (RFC 9207). */
  issuer: string;
}

/** The parameter in which `/oauth/authorize` tells the page under which name of this machine it was asked. */
export const ISSUER_PARAMETER = "issuer_name";

/** The client and the redirect URI of a request. Without them, nobody can be sent back. */
export interface Returnable {
  clientId: string;
  redirectUri: string;
}

/** Reads what everything else depends on. Throws an {@link OAuthError}. */
export function readReturnable(query: string): Returnable {
  if (query.length > MAX_AUTHORIZATION_QUERY_CHARS) throw new OAuthError("invalid_request", "The request is too long.");
  const parameters = new URLSearchParams(query);
  const [clientId, redirectUri] = ["client_id", "redirect_uri"].map((name) => {
    const [value, ...others] = parameters.getAll(name);
    if (value === undefined || value === "" || others.length > 0)
      throw new OAuthError("invalid_request", `The request must have ${name} once.`);
    return value;
  }) as [string, string];
  return { clientId, redirectUri };
}

/** Throws an {@link OAuthError} unless the redirect URI is one of the client. */
export function requireRedirectUri({ redirectUris }: Client, redirectUri: string): void {
  if (!redirectUris.some((registered) => matchesRedirectUri(redirectUri, registered)))
    throw new OAuthError("invalid_request", "The redirect_uri is not one that the app has registered.");
}

/**
 * Reads the query of an authorization request. Throws an {@link OAuthError}: with a redirect once the client and its redirect
 * URI are known to belong together.
 */
export async function readAuthorizationRequest(context: ServiceContext, query: string): Promise<AuthorizationRequest> {
  const returnable = readReturnable(query);
  const client = await findClient(context, returnable.clientId);
  requireRedirectUri(client, returnable.redirectUri);
  const parameters = new URLSearchParams(query);
  const [state = null] = parameters.getAll("state");
  const issuer = issuerOf(parameters, context.baseUrl);
  try {
    return { ...returnable, client, state, issuer, ...readGrant(parameters, context.baseUrl) };
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    throw new OAuthError(error.code, error.message, { uri: returnable.redirectUri, state, issuer });
  }
}

const ONCE = ["response_type", "response_mode", "code_challenge", "code_challenge_method", "scope", "state"];

function readGrant(
  parameters: URLSearchParams,
  baseUrl: string,
): Pick<AuthorizationRequest, "challenge" | "resource" | "scopes"> {
  for (const name of ONCE)
    if (parameters.getAll(name).length > 1) throw new OAuthError("invalid_request", `${name} is there twice.`);
  for (const name of ["request", "request_uri"])
    if (parameters.has(name)) throw new OAuthError("request_not_supported", `${name} is not supported.`);
  if (parameters.get("response_type") !== "code")
    throw new OAuthError("unsupported_response_type", "response_type must be code.");
  if ((parameters.get("response_mode") ?? "query") !== "query")
    throw new OAuthError("invalid_request", "response_mode must be query.");
  const challenge = parameters.get("code_challenge") ?? "";
  // Without a method it would be `plain` (RFC 7636, 4.3), which protects nothing.
  if (parameters.get("code_challenge_method") !== "S256" || !/^[\w-]{43}$/.test(challenge))
    throw new OAuthError("invalid_request", "The request must have a code_challenge of the method S256.");
  const resource = readResource(parameters.getAll("resource"), baseUrl) ?? "/mcp";
  return { challenge, resource, scopes: readScopes(parameters.get("scope"), SCOPES_OF_RESOURCE[resource]) };
}

/** Unknown scopes are left out: clients add those of OpenID Connect, and `offline_access`, which every grant has. */
function readScopes(text: string | null, scopes: readonly Scope[]): readonly Scope[] {
  const asked = (text ?? "").split(" ").filter((scope) => scope !== "");
  if (asked.every((scope) => scope === "offline_access")) return scopes;
  const known = scopes.filter((scope) => asked.includes(scope));
  if (known.length === 0) throw new OAuthError("invalid_scope", `scope must have one of ${scopes.join(", ")}.`);
  return known;
}

function issuerOf(parameters: URLSearchParams, baseUrl: string): string {
  const named = URL.parse(parameters.get(ISSUER_PARAMETER) ?? "");
  return named !== null && isNameOf(named.origin, baseUrl) ? named.origin : baseUrl;
}

/** Where to send the person with an error; null: nowhere. */
export function errorRedirect({ code, message, redirect }: OAuthError): string | null {
  if (redirect === null) return null;
  const { uri, state, issuer } = redirect;
  return addToUri(uri, { error: code, error_description: message, state, iss: issuer });
}
