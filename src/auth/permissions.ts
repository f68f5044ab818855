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

export type Permission = (typeof PERMISSIONS)[number];
