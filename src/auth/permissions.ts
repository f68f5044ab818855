/** What a key may do. A key has some of these; by default all. */
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
