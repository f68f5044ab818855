import { roleHas, type Role } from "#src/platform/auth/roles.ts";
import type { LastingAccess } from "#src/identity/teams/schemas.ts";
import { call } from "#dashboard/api/client.ts";

/** What the member made in the team that goes on without the member. */
export async function readAccess(teamId: string, userId: string, signal?: AbortSignal): Promise<LastingAccess> {
  const path = `/api/teams/${teamId}/members/${userId}/access`;
  const { access } = await call<{ access: LastingAccess }>("GET", path, signal === undefined ? {} : { signal });
  return access;
}

/** The part of the access that ends when the member gets this role, by the rule of `src/identity/teams/store/lasting-access.ts`. */
export function endingOf(access: LastingAccess, role: Role): LastingAccess {
  const ends = (permission: "keys:write" | "webhooks:write" | "links:write") => !roleHas(role, permission);
  return {
    keys: ends("keys:write") ? access.keys : [],
    webhooks: ends("webhooks:write") ? access.webhooks : [],
    listeners: ends("webhooks:write") ? access.listeners : [],
    sharedPages: ends("links:write") ? access.sharedPages : [],
  };
}

export function isEmpty(access: LastingAccess): boolean {
  return Object.values(access).every((list) => list.length === 0);
}
