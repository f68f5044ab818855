import type { AppResource } from "../../platform/auth/scopes.ts";
import { isNameOf } from "../../platform/http/origin.ts";
import { OAuthError } from "./oauth-error.ts";

/**
 * What the client asks a token for (RFC 8707, 2): the API or `/mcp`; null: it names nothing. Clients name `/mcp` with and without
 * the path and a slash. Throws an {@link OAuthError} for another service, and for several resources.
 */
export function readResource(resources: readonly string[], baseUrl: string): AppResource | null {
  const named = new Set(resources.map((resource) => resourceOf(resource, baseUrl)));
  if (named.size > 1) throw new OAuthError("invalid_target", "A token is for one resource. Ask for each by itself.");
  const [resource = null] = named;
  return resource;
}

function resourceOf(resource: string, baseUrl: string): AppResource {
  const url = URL.parse(resource);
  const isOwn = url !== null && /^https?:$/.test(url.protocol) && isNameOf(url.origin, baseUrl);
  if (isOwn && url.hash === "" && url.username === "" && url.password === "")
    return /^\/api(?:\/|$)/.test(url.pathname) ? "/api" : "/mcp";
  throw new OAuthError("invalid_target", "The resource is not one of this service.");
}
