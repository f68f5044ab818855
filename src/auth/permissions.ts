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
] as const;

/** The permissions that only persons have, because they concern the account and its members. */
export const MEMBER_PERMISSIONS = [
  "account:read",
  "account:write",
  "members:read",
  "members:write",
  "audit:read",
] as const;

export type MemberPermission = (typeof MEMBER_PERMISSIONS)[number];

export type Permission = (typeof PERMISSIONS)[number];
