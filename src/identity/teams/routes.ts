import type { RouteHandler } from "@hono/zod-openapi";
import { route } from "../../access/guards/route.ts";
import { requireSession, requireTeamMember } from "../../access/guards/session-guards.ts";
import { SUCCESS } from "../../platform/http/contract.ts";
import { readPage, toPage } from "../../platform/http/pagination.ts";
import type { MemberEnv, SessionEnv } from "../../access/guards/env.ts";
import * as contract from "./contract.ts";
import * as invitations from "./invitations.ts";
import * as members from "./members.ts";
import * as resetLinks from "./reset-link.ts";
import * as invitationStore from "./store/invitations.ts";
import * as memberStore from "./store/members.ts";
import * as teamStore from "./store/teams.ts";
import * as teams from "./teams.ts";

const createTeam: RouteHandler<typeof contract.createTeam, SessionEnv> = async (c) =>
  c.json({ team: await teams.createTeam(c.get("context"), c.req.valid("json").name) }, 201);

const listTeams: RouteHandler<typeof contract.listTeams, SessionEnv> = async (c) => {
  const { db, session } = c.get("context");
  const page = readPage(c.req.valid("query"), "teams");
  const found = await teamStore.listTeams(db, session.user.id, page);
  const { items, nextCursor } = toPage(found, page, "teams", ({ id }) => id);
  return c.json({ teams: items, nextCursor }, 200);
};

const getTeam: RouteHandler<typeof contract.getTeam, MemberEnv> = async (c) => {
  const { db, principal } = c.get("context");
  return c.json({ team: await teams.readTeam(db, principal.accountId, principal.user.id) }, 200);
};

const updateTeam: RouteHandler<typeof contract.updateTeam, MemberEnv> = async (c) =>
  c.json({ team: await teams.updateTeam(c.get("context"), c.req.valid("json")) }, 200);

const listMembers: RouteHandler<typeof contract.listMembers, MemberEnv> = async (c) => {
  const { db, principal } = c.get("context");
  const page = readPage(c.req.valid("query"), "members");
  const found = await memberStore.listMembers(db, principal.accountId, page);
  const { items, nextCursor } = toPage(found, page, "members", ({ userId }) => userId);
  return c.json({ members: items, nextCursor }, 200);
};

const updateMember: RouteHandler<typeof contract.updateMember, MemberEnv> = async (c) => {
  const { role, endAccess = true } = c.req.valid("json");
  return c.json(await members.updateMember(c.get("context"), c.req.valid("param").userId, role, endAccess), 200);
};

const readMemberAccess: RouteHandler<typeof contract.readMemberAccess, SessionEnv> = async (c) => {
  const { id, userId } = c.req.valid("param");
  return c.json({ access: await members.readMemberAccess(c.get("context"), id, userId) }, 200);
};

const removeMember: RouteHandler<typeof contract.removeMember, SessionEnv> = async (c) => {
  const { id, userId } = c.req.valid("param");
  const { endAccess = true } = c.req.valid("query");
  return c.json({ ...SUCCESS, ...(await members.removeMember(c.get("context"), id, userId, endAccess)) }, 200);
};

const makeResetLink: RouteHandler<typeof contract.makeResetLink, MemberEnv> = async (c) =>
  c.json(await resetLinks.makeResetLink(c.get("context"), c.req.valid("param").userId), 201);

const invite: RouteHandler<typeof contract.invite, MemberEnv> = async (c) =>
  c.json(await invitations.invite(c.get("context"), c.req.valid("json")), 201);

const listInvitations: RouteHandler<typeof contract.listInvitations, MemberEnv> = async (c) => {
  const { db, now, principal } = c.get("context");
  const page = readPage(c.req.valid("query"), "invitations");
  const found = await invitationStore.listInvitations(db, principal.accountId, page, now);
  const { items, nextCursor } = toPage(found, page, "invitations", ({ id }) => id);
  return c.json({ invitations: items, nextCursor }, 200);
};

const revokeInvitation: RouteHandler<typeof contract.revokeInvitation, MemberEnv> = async (c) => {
  await invitations.revokeInvitation(c.get("context"), c.req.valid("param").invitationId);
  return c.json(SUCCESS, 200);
};

const acceptInvitation: RouteHandler<typeof contract.acceptInvitation, SessionEnv> = async (c) =>
  c.json({ team: await invitations.acceptInvitation(c.get("context"), c.req.valid("json").token) }, 200);

const declineInvitation: RouteHandler<typeof contract.declineInvitation, SessionEnv> = async (c) => {
  await invitations.declineInvitation(c.get("context"), c.req.valid("json").token);
  return c.json(SUCCESS, 200);
};

const transferTeam: RouteHandler<typeof contract.transferTeam, MemberEnv> = async (c) =>
  c.json({ team: await teams.transferTeam(c.get("context"), c.req.valid("json").userId) }, 200);

export const ROUTES = [
  route(contract.createTeam, requireSession, 20, createTeam),
  route(contract.listTeams, requireSession, 60, listTeams),
  route(contract.getTeam, requireTeamMember("account:read"), 60, getTeam),
  route(contract.updateTeam, requireTeamMember("account:write"), 20, updateTeam),
  route(contract.listMembers, requireTeamMember("members:read"), 60, listMembers),
  route(contract.readMemberAccess, requireSession, 60, readMemberAccess),
  route(contract.updateMember, requireTeamMember("members:write"), 20, updateMember),
  route(contract.removeMember, requireSession, 20, removeMember),
  route(contract.makeResetLink, requireTeamMember("members:write"), 20, makeResetLink),
  route(contract.invite, requireTeamMember("members:write"), 20, invite),
  route(contract.listInvitations, requireTeamMember("members:write"), 60, listInvitations),
  route(contract.revokeInvitation, requireTeamMember("members:write"), 20, revokeInvitation),
  route(contract.acceptInvitation, requireSession, 20, acceptInvitation),
  route(contract.declineInvitation, requireSession, 20, declineInvitation),
  route(contract.transferTeam, requireTeamMember("account:write"), 20, transferTeam),
];
