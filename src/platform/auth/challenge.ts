import { SCOPES_OF_RESOURCE, type AppResource } from "./scopes.ts";

/** The challenge of a 401 or a 403 (RFC 6750, 3; RFC 9728, 5.1), with all scopes of the resource. */
export function challengeOf(
  origin: string,
  resource: AppResource,
  error?: "invalid_token" | "insufficient_scope",
): string {
  const parts = error === undefined ? [] : [`error="${error}"`];
  parts.push(`scope="${SCOPES_OF_RESOURCE[resource].join(" ")}"`);
  parts.push(`resource_metadata="${origin}/.well-known/oauth-protected-resource${resource}"`);
  return `Bearer ${parts.join(", ")}`;
}
