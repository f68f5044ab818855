import type { RouteHandler } from "@hono/zod-openapi";
import { readPage, toPage } from "../http/pagination.ts";
import type { MemberEnv, SessionEnv } from "../guards/env.ts";
import type * as contract from "./contract.ts";
import * as invitations from "./invitations.ts";
import * as members from "./members.ts";
import * as invitationStore from "./store/invitations.ts";
import * as memberStore from "./store/members.ts";
import * as teamStore from "./store/teams.ts";
import * as teams from "./teams.ts";

const SUCCESS = { success: true as const };

export const createTeam: RouteHandler<typeof contract.createTeam, SessionEnv> = async (c) =>
  c.json({ team: await teams.createTeam(c.get("context"), c.req.valid("json").name) }, 201);

export const listTeams: RouteHandler<typeof contract.listTeams, SessionEnv> = async (c) => {
  const { env, session } = c.get("context");
  const page = readPage(c.req.valid("query"), "teams");
  const found = await teamStore.listTeams(env.DB, session.user.id, page);
  const { items, nextCursor } = toPage(found, page, "teams", ({ id }) => id);
  return c.json({ teams: items, nextCursor }, 200);
};

export const getTeam: RouteHandler<typeof contract.getTeam, MemberEnv> = async (c) => {
  const { env, principal } = c.get("context");
  return c.json({ team: await teams.readTeam(env.DB, principal.accountId, principal.user.id) }, 200);
};

export const updateTeam: RouteHandler<typeof contract.updateTeam, MemberEnv> = async (c) =>
  c.json({ team: await teams.updateTeam(c.get("context"), c.req.valid("json")) }, 200);

export const listMembers: RouteHandler<typeof contract.listMembers, MemberEnv> = async (c) => {
  const { env, principal } = c.get("context");
  const page = readPage(c.req.valid("query"), "members");
  const found = await memberStore.listMembers(env.DB, principal.accountId, page);
  const { items, nextCursor } = toPage(found, page, "members", ({ userId }) => userId);
  return c.json({ members: items, nextCursor }, 200);
};

export const updateMember: RouteHandler<typeof contract.updateMember, MemberEnv> = async (c) => {
  const member = await members.updateMember(c.get("context"), c.req.valid("param").userId, c.req.valid("json").role);
  return c.json({ member }, 200);
};

export const removeMember: RouteHandler<typeof contract.removeMember, SessionEnv> = async (c) => {
  const { id, userId } = c.req.valid("param");
  return c.json({ ...SUCCESS, keys: await members.removeMember(c.get("context"), id, userId) }, 200);
};

export const invite: RouteHandler<typeof contract.invite, MemberEnv> = async (c) =>
  c.json({ invitation: await invitations.invite(c.get("context"), c.req.valid("json")) }, 201);

export const listInvitations: RouteHandler<typeof contract.listInvitations, MemberEnv> = async (c) => {
  const { env, now, principal } = c.get("context");
  const page = readPage(c.req.valid("query"), "invitations");
  const found = await invitationStore.listInvitations(env.DB, principal.accountId, page, now);
  const { items, nextCursor } = toPage(found, page, "invitations", ({ id }) => id);
  return c.json({ invitations: items, nextCursor }, 200);
};

export const revokeInvitation: RouteHandler<typeof contract.revokeInvitation, MemberEnv> = async (c) => {
  await invitations.revokeInvitation(c.get("context"), c.req.valid("param").invitationId);
  return c.json(SUCCESS, 200);
};

export const acceptInvitation: RouteHandler<typeof contract.acceptInvitation, SessionEnv> = async (c) =>
  c.json({ team: await invitations.acceptInvitation(c.get("context"), c.req.valid("json").token) }, 200);

export const declineInvitation: RouteHandler<typeof contract.declineInvitation, SessionEnv> = async (c) => {
  await invitations.declineInvitation(c.get("context"), c.req.valid("json").token);
  return c.json(SUCCESS, 200);
};

export const transferTeam: RouteHandler<typeof contract.transferTeam, MemberEnv> = async (c) =>
  c.json({ team: await teams.transferTeam(c.get("context"), c.req.valid("json").userId) }, 200);
