import type { Permission } from "./permissions.ts";

/**
 * The scopes of apps (OAuth 2.1): permissions of keys. No app can make keys, receive events or start bulk jobs, because what it
 * makes would outlive its connection.
 */
export const SCOPES = [
  "links:read",
  "links:write",
  "clicks:read",
  "domains:read",
  "domains:write",
  "webhooks:read",
] as const satisfies readonly Permission[];

export type Scope = (typeof SCOPES)[number];

/** Whether the scope lets an app change something. */
export function isWriting(scope: Scope): boolean {
  return scope.endsWith(":write");
}

/** The scopes in a stored JSON array. Scopes that no longer exist are left out. */
export function toScopes(json: string): Scope[] {
  const stored = JSON.parse(json) as string[];
  return SCOPES.filter((scope) => stored.includes(scope));
}
