import { useQuery } from "@tanstack/react-query";
import type { Role } from "#src/platform/auth/roles.ts";
import type { InvitationBody, LastingAccess, MemberBody, ResetLink, TeamBody } from "#src/identity/teams/schemas.ts";
import { call } from "#dashboard/api/client.ts";
import { readAgain } from "#dashboard/api/query-client.ts";
import { useList, type Listed } from "../queries.ts";

const PAGE_SIZE = 100;
const query = { limit: PAGE_SIZE };

export function useTeam(id: string) {
  return useQuery({
    queryKey: ["team", id],
    queryFn: ({ signal }) => call<{ team: TeamBody }>("GET", `/api/teams/${id}`, { signal }),
  });
}

export function useMembers(teamId: string): Listed<MemberBody> {
  return useList<MemberBody>(["members"], `/api/teams/${teamId}/members`, "members", { query });
}

export function useInvitations(teamId: string, enabled: boolean): Listed<InvitationBody> {
  return useList<InvitationBody>(["invitations"], `/api/teams/${teamId}/invitations`, "invitations", {
    query,
    enabled,
  });
}

export async function createTeam(name: string): Promise<TeamBody> {
  const { team } = await call<{ team: TeamBody }>("POST", "/api/teams", { body: { name } });
  await readAgain("session");
  return team;
}

export async function updateTeam(id: string, changes: { requireMfa: boolean }): Promise<void> {
  await call("PATCH", `/api/teams/${id}`, { body: changes });
  await readAgain("team");
}

export async function setRole(teamId: string, userId: string, role: Role, endAccess: boolean): Promise<void> {
  await call("PATCH", `/api/teams/${teamId}/members/${userId}`, { body: { role, endAccess } });
  await readAgain("members", "session");
}

/** Returns what the person made and what goes on. */
export async function removeMember(teamId: string, userId: string, endAccess: boolean): Promise<LastingAccess> {
  const path = `/api/teams/${teamId}/members/${userId}`;
  const { remaining } = await call<{ remaining: LastingAccess }>("DELETE", path, { query: { endAccess } });
  return remaining;
}

/** Returns the link too where the service sends no mails. */
export async function invite(teamId: string, email: string, role: Role) {
  const path = `/api/teams/${teamId}/invitations`;
  const answer = await call<{ invitation: InvitationBody; link?: string }>("POST", path, { body: { email, role } });
  await readAgain("invitations");
  return answer;
}

/** Returns a link with which the member sets a new password. */
export async function makeResetLink(teamId: string, userId: string): Promise<string> {
  const { link } = await call<ResetLink>("POST", `/api/teams/${teamId}/members/${userId}/password-reset`);
  return link;
}

export async function revokeInvitation(teamId: string, id: string): Promise<void> {
  await call("DELETE", `/api/teams/${teamId}/invitations/${id}`);
  await readAgain("invitations");
}

export async function transferTeam(teamId: string, userId: string): Promise<void> {
  await call("POST", `/api/teams/${teamId}/transfer`, { body: { userId } });
  await readAgain("session", "members", "team");
}

export async function deleteTeam(id: string, confirm: string): Promise<void> {
  await call("DELETE", `/api/teams/${id}`, { body: { confirm } });
}

export async function restoreTeam(id: string): Promise<void> {
  await call("POST", "/api/account/restore", { headers: { "X-Account-Id": id } });
  await readAgain("session");
}
