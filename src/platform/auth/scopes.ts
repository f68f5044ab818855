import type { Permission } from "./permissions.ts";

/** The scopes of apps (OAuth 2.1): permissions of keys. No app can see or change keys. */
export const SCOPES = [
  "links:read",
  "links:write",
  "clicks:read",
  "domains:read",
  "domains:write",
  "webhooks:read",
  "webhooks:write",
  "bulk",
] as const satisfies readonly Permission[];

export type Scope = (typeof SCOPES)[number];

/** An assistant can be misled by what it reads: it neither receives events nor starts jobs, whose work outlives its connection. */
const NOT_OF_ASSISTANTS: ReadonlySet<Scope> = new Set(["webhooks:write", "bulk"]);

/** What an access token is for, by the path below the origin (RFC 8707). A token is for one of them. */
export const SCOPES_OF_RESOURCE = {
  "/mcp": SCOPES.filter((scope) => !NOT_OF_ASSISTANTS.has(scope)),
  "/api": SCOPES,
} as const satisfies Record<string, readonly Scope[]>;

export type AppResource = keyof typeof SCOPES_OF_RESOURCE;

/** Whether the scope lets an app change something. */
export function isWriting(scope: Scope): boolean {
  return scope.endsWith(":write") || scope === "bulk";
}

/** The scopes in a stored JSON array. Scopes that no longer exist are left out. */
export function toScopes(json: string): Scope[] {
  const stored = JSON.parse(json) as string[];
  return SCOPES.filter((scope) => stored.includes(scope));
}
