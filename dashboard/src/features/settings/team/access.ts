import { roleHas, type Role } from "../../../../../src/auth/roles.ts";
import type { LastingAccess } from "../../../../../src/teams/schemas.ts";
import { call } from "../../../api/client.ts";

/** What the member made in the team that goes on without the member. */
export async function readAccess(teamId: string, userId: string, signal?: AbortSignal): Promise<LastingAccess> {
  const path = `/api/teams/${teamId}/members/${userId}/access`;
  const { access } = await call<{ access: LastingAccess }>("GET", path, signal === undefined ? {} : { signal });
  return access;
}

/** What the role may not have; null: the person is no member any more. As the API ends it. */
export function endingOf(access: LastingAccess, role: Role | null): LastingAccess {
  const ends = (permission: "keys:write" | "webhooks:write" | "links:write") =>
    role === null || !roleHas(role, permission);
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
