/** The permissions of API keys. A key has all of them by default. */
export const PERMISSIONS = [
  "links:read",
  "links:write",
  "clicks:read",
  "domains:read",
  "domains:write",
  "webhooks:read",
  "webhooks:write",
  "keys:read",
  "keys:write",
  "bulk",
] as const;

export type Permission = (typeof PERMISSIONS)[number];

/** The permissions that only persons have, because they concern the account and its members. */
export type MemberPermission =
  | "account:read"
  | "account:write"
  | "account:export"
  | "members:read"
  | "members:write"
  | "audit:read";
