import { PERMISSIONS, type MemberPermission, type Permission } from "./permissions.ts";

/** The roles of an account's members. Each has the permissions of those after it. */
export const ROLES = ["owner", "admin", "member", "viewer"] as const;

export type Role = (typeof ROLES)[number];

/**
 * The lowest role that has each permission. This is the only place that says what a role may do: the guard of every route,
 * the table in docs/accounts.md and the test of all routes are made from it.
 */
export const LOWEST_ROLE: Record<Permission | MemberPermission, Role> = {
  "links:read": "viewer",
  "links:write": "member",
  "clicks:read": "viewer",
  "domains:read": "viewer",
  "domains:write": "admin",
  "webhooks:read": "admin",
  "webhooks:write": "admin",
  "keys:read": "admin",
  "keys:write": "admin",
  bulk: "member",
  "account:read": "viewer",
  "account:write": "owner",
  "account:export": "owner",
  "members:read": "viewer",
  "members:write": "admin",
  "audit:read": "admin",
};

/** Whether the role has the permission. */
export function roleHas(role: Role, permission: Permission | MemberPermission): boolean {
  return ROLES.indexOf(role) <= ROLES.indexOf(LOWEST_ROLE[permission]);
}

/** Returns the roles that have all of the permissions. */
export function rolesWith(...permissions: readonly (Permission | MemberPermission)[]): Role[] {
  return ROLES.filter((role) => permissions.every((permission) => roleHas(role, permission)));
}

/** Returns the permissions of a role that keys can have too. */
export function permissionsOf(role: Role): readonly Permission[] {
  return BY_ROLE[role];
}

const BY_ROLE = Object.fromEntries(
  ROLES.map((role) => [role, PERMISSIONS.filter((permission) => roleHas(role, permission))]),
) as unknown as Record<Role, readonly Permission[]>;
