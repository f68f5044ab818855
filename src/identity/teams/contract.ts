import { createRoute, z } from "@hono/zod-openapi";
import { changesOf } from "../../platform/http/validation.ts";
import { conflicting, json, jsonBody, operation, sessionOnly, Success } from "../../platform/http/contract.ts";
import { IdInput, idParams } from "../../platform/http/id.ts";
import { errorRef } from "../../platform/http/openapi-components.ts";
import { pageOf, pageQuery } from "../../platform/http/pagination.ts";
import { MAX_MEMBERS_PER_TEAM } from "../../limits.ts";
import { MAX_MAILS_PER_KIND } from "../../platform/mail/limits.ts";
import { EmailInput } from "../../platform/mail/email-address.ts";
import { TokenInput } from "../people/schemas.ts";
import { queryFlag } from "../../platform/http/query.ts";
import { InvitationBody, LastingAccess, MemberBody, ResetLink, RoleName, TeamBody, TeamName } from "./schemas.ts";
import { MAX_PENDING_INVITATIONS_PER_TEAM, MAX_TEAMS_PER_OWNER } from "./limits.ts";

const OneTeam = z.object({ team: TeamBody });
const OneMember = z.object({ member: MemberBody });
const OneInvitation = z.object({ invitation: InvitationBody });
const ownerless = conflicting("The team would have no owner. Nothing was changed.");

export const createTeam = createRoute({
  ...operation("post", "/api/teams", "Teams", "Create team"),
  ...sessionOnly,
  description: `The person becomes its owner. A person owns at most ${MAX_TEAMS_PER_OWNER} teams.`,
  request: jsonBody(
    z.strictObject({ name: TeamName }).openapi("CreateTeam", { description: "A new team.", example: { name: "Acme" } }),
  ),
  responses: {
    201: json(OneTeam, "The team."),
    ...conflicting("The person already owns the maximum number of teams."),
  },
});

export const listTeams = createRoute({
  ...operation("get", "/api/teams", "Teams", "List teams"),
  ...sessionOnly,
  description: "The teams that the person is a member of, newest first.",
  request: { query: z.strictObject(pageQuery) },
  responses: { 200: pageOf("teams", TeamBody, "The teams of the page.", "A page of teams.") },
});

export const getTeam = createRoute({
  ...operation("get", "/api/teams/{id}", "Teams", "Get team"),
  ...sessionOnly,
  request: { params: idParams("team") },
  responses: { 200: json(OneTeam, "The team.") },
});

export const updateTeam = createRoute({
  ...operation("patch", "/api/teams/{id}", "Teams", "Update team"),
  ...sessionOnly,
  description:
    "Only a person who has a second factor can require one. Members without one then get 403 `mfa_required`.",
  request: {
    params: idParams("team"),
    ...jsonBody(
      changesOf(
        "UpdateTeam",
        {
          name: TeamName.optional(),
          requireMfa: z.boolean().optional().openapi({ description: "Whether members need a second factor." }),
        },
        { name: "Acme Inc." },
      ),
    ),
  },
  responses: { 200: json(OneTeam, "The changed team.") },
});

export const listMembers = createRoute({
  ...operation("get", "/api/teams/{id}/members", "Teams", "List members"),
  ...sessionOnly,
  description: `A team has at most ${MAX_MEMBERS_PER_TEAM} members.`,
  request: { params: idParams("team"), query: z.strictObject(pageQuery) },
  responses: { 200: pageOf("members", MemberBody, "The members of the page.", "A page of members.") },
});

const END_ACCESS_OF_ROLE =
  "Whether to end what the person made and the new role does not allow: keys, also those made with keys of the person, webhooks, listeners and shared pages. `false` only for somebody else.";
// Without `default`: generators of types take a field with one for a field that is required.
const EndAccess = z.boolean().openapi({ description: `${END_ACCESS_OF_ROLE} By default true.` });
const EndedAccess = LastingAccess.extend({
  // What the person made and what goes on.
  remaining: LastingAccess,
});

const memberParams = idParams("team").extend({
  userId: IdInput.openapi({ description: "The id of the member." }),
});

export const updateMember = createRoute({
  ...operation("patch", "/api/teams/{id}/members/{userId}", "Teams", "Update member"),
  ...sessionOnly,
  description: "Only an owner can make somebody an owner, or change an owner's role.",
  request: {
    params: memberParams,
    ...jsonBody(
      z
        .strictObject({ role: RoleName, endAccess: EndAccess.optional() })
        .openapi("UpdateMember", { description: "The new role.", example: { role: "admin" } }),
    ),
  },
  responses: {
    200: json(
      z.object({ ...OneMember.shape, ...EndedAccess.shape }),
      "The member, and what was ended because the new role does not allow it.",
    ),
    ...ownerless,
  },
});

export const readMemberAccess = createRoute({
  ...operation("get", "/api/teams/{id}/members/{userId}/access", "Teams", "Get lasting access of member"),
  ...sessionOnly,
  description:
    "Permission: `members:write`, except for oneself. What the person made in the team that would go on without the person.",
  request: { params: memberParams },
  responses: { 200: json(z.object({ access: LastingAccess }), "What the person made.") },
});

export const removeMember = createRoute({
  ...operation("delete", "/api/teams/{id}/members/{userId}", "Teams", "Remove member"),
  ...sessionOnly,
  description:
    "Permission: `members:write`, except for leaving. Only an owner can remove an owner. Access ends with the next request, and so do the pending invitations that the person sent.",
  request: {
    params: memberParams,
    query: z.strictObject({
      endAccess: queryFlag.optional().openapi({ default: true, description: END_ACCESS_OF_ROLE }),
    }),
  },
  responses: {
    200: json(
      z.object({ ...Success.shape, ...EndedAccess.shape }),
      "The person is no longer a member. The answer has what was ended.",
    ),
    ...ownerless,
  },
});

export const makeResetLink = createRoute({
  ...operation("post", "/api/teams/{id}/members/{userId}/password-reset", "Teams", "Make reset link"),
  ...sessionOnly,
  description: `Only where no mail can be sent. Makes a link with which the member sets a new password, once, within an hour. Only for members who joined by signing up with an invitation to this team, are no operators, and have a lower role than the caller in each of their teams. Second factors stay. The member is told. At most ${MAX_MAILS_PER_KIND} an hour for a member.`,
  request: { params: memberParams },
  responses: { 201: json(ResetLink, "The link."), ...conflicting("Mails can be sent: the member asks for one.") },
});

export const invite = createRoute({
  ...operation("post", "/api/teams/{id}/invitations", "Teams", "Invite person"),
  ...sessionOnly,
  description: `Sends a mail with a link that works once, for 7 days, and only for a person with this verified address. Replaces a pending invitation of the same address. At most ${MAX_PENDING_INVITATIONS_PER_TEAM} are pending. Only an owner can invite an owner. Where no mail can be sent, the answer has the link, only for a lower role than the caller's.`,
  request: {
    params: idParams("team"),
    ...jsonBody(
      z.strictObject({ email: EmailInput, role: RoleName }).openapi("CreateInvitation", {
        description: "Whom to invite, and as what.",
        example: { email: "bob@example.com", role: "member" },
      }),
    ),
  },
  responses: {
    201: json(
      OneInvitation.extend({
        link: z.string().optional().openapi({
          description:
            "Only where no mail can be sent: the link, which is not shown again. Hand it over to the person.",
        }),
      }),
      "The invitation.",
    ),
    ...conflicting("The person is a member already, or too many invitations are pending."),
  },
});

export const listInvitations = createRoute({
  ...operation("get", "/api/teams/{id}/invitations", "Teams", "List invitations"),
  ...sessionOnly,
  description: "The pending invitations, newest first.",
  request: { params: idParams("team"), query: z.strictObject(pageQuery) },
  responses: { 200: pageOf("invitations", InvitationBody, "The invitations of the page.", "A page of invitations.") },
});

export const revokeInvitation = createRoute({
  ...operation("delete", "/api/teams/{id}/invitations/{invitationId}", "Teams", "Revoke invitation"),
  ...sessionOnly,
  description: "Its link stops working.",
  request: {
    params: idParams("team").extend({ invitationId: IdInput.openapi({ description: "The id of the invitation." }) }),
  },
  responses: { 200: json(Success, "The invitation is revoked.") },
});

const answer = jsonBody(
  z.strictObject({ token: TokenInput }).openapi("AnswerInvitation", { description: "The token of the mail." }),
);

export const acceptInvitation = createRoute({
  ...operation("post", "/api/teams/invitations/accept", "Teams", "Accept invitation"),
  ...sessionOnly,
  description: "Only for the person whose verified address was invited.",
  request: answer,
  responses: { 200: json(OneTeam, "The team."), ...conflicting("The team has the maximum number of members.") },
});

export const declineInvitation = createRoute({
  ...operation("post", "/api/teams/invitations/decline", "Teams", "Decline invitation"),
  ...sessionOnly,
  description: "Only for the person whose verified address was invited.",
  request: answer,
  responses: { 200: json(Success, "The invitation is declined.") },
});

export const transferTeam = createRoute({
  ...operation("post", "/api/teams/{id}/transfer", "Teams", "Transfer team"),
  ...sessionOnly,
  description: "Makes another member the owner, and the caller an admin.",
  request: {
    params: idParams("team"),
    ...jsonBody(
      z
        .strictObject({ userId: IdInput.openapi({ description: "The id of the new owner, a member." }) })
        .openapi("TransferTeam", {
          description: "The new owner.",
        }),
    ),
  },
  responses: { 200: json(OneTeam, "The team, with the caller's new role."), 404: errorRef(404) },
});
