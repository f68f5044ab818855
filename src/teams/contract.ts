import { createRoute, z } from "@hono/zod-openapi";
import { conflicting, json, jsonBody, Success } from "../http/contract.ts";
import { Id, IdInput, idParams } from "../http/id.ts";
import { errorRef } from "../http/openapi-components.ts";
import { NextCursor, pageQuery } from "../http/pagination.ts";
import { MAX_MEMBERS_PER_TEAM } from "../limits.ts";
import { EmailInput } from "../people/email.ts";
import { TokenInput } from "../people/schemas.ts";
import { InvitationBody, MemberBody, RoleName, TeamBody, TeamName } from "./schemas.ts";
import { MAX_PENDING_INVITATIONS_PER_TEAM, MAX_TEAMS_PER_OWNER } from "./limits.ts";

/** Routes for persons who are signed in. */
const own = { tags: ["Teams"], security: [{ session: [] }] };

const OneTeam = z.object({ team: TeamBody });
const OneMember = z.object({ member: MemberBody });
const OneInvitation = z.object({ invitation: InvitationBody });
const ownerless = conflicting("The team would have no owner. Nothing was changed.");

export const createTeam = createRoute({
  ...own,
  method: "post",
  path: "/api/teams",
  summary: "Create team",
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
  ...own,
  method: "get",
  path: "/api/teams",
  summary: "List teams",
  description: "The teams that the person is a member of, newest first.",
  request: { query: z.strictObject(pageQuery) },
  responses: {
    200: json(
      z.object({ teams: z.array(TeamBody).openapi({ description: "The teams of the page." }), nextCursor: NextCursor }),
      "A page of teams.",
    ),
  },
});

export const getTeam = createRoute({
  ...own,
  method: "get",
  path: "/api/teams/{id}",
  summary: "Get team",
  request: { params: idParams("team") },
  responses: { 200: json(OneTeam, "The team.") },
});

export const updateTeam = createRoute({
  ...own,
  method: "patch",
  path: "/api/teams/{id}",
  summary: "Update team",
  description:
    "Only a person who has a second factor can require one. Members without one then get 403 `mfa_required`. To set `requireMfa` to false needs a confirmed identity.",
  request: {
    params: idParams("team"),
    ...jsonBody(
      z
        .strictObject({
          name: TeamName.optional(),
          requireMfa: z.boolean().optional().openapi({ description: "Whether members need a second factor." }),
        })
        .refine((changes) => Object.values(changes).some((value) => value !== undefined), "give a field to change")
        .openapi("UpdateTeam", {
          description: "The changed fields.",
          minProperties: 1,
          example: { name: "Acme Inc." },
        }),
    ),
  },
  responses: { 200: json(OneTeam, "The changed team.") },
});

export const listMembers = createRoute({
  ...own,
  method: "get",
  path: "/api/teams/{id}/members",
  summary: "List members",
  description: `A team has at most ${MAX_MEMBERS_PER_TEAM} members.`,
  request: { params: idParams("team"), query: z.strictObject(pageQuery) },
  responses: {
    200: json(
      z.object({
        members: z.array(MemberBody).openapi({ description: "The members of the page." }),
        nextCursor: NextCursor,
      }),
      "A page of members.",
    ),
  },
});

const memberParams = idParams("team").extend({
  userId: IdInput.openapi({ description: "The id of the member." }),
});

export const updateMember = createRoute({
  ...own,
  method: "patch",
  path: "/api/teams/{id}/members/{userId}",
  summary: "Update member",
  description: "Only an owner can make somebody an owner, or change an owner's role. Needs a confirmed identity.",
  request: {
    params: memberParams,
    ...jsonBody(
      z
        .strictObject({ role: RoleName })
        .openapi("UpdateMember", { description: "The new role.", example: { role: "admin" } }),
    ),
  },
  responses: { 200: json(OneMember, "The member."), ...ownerless },
});

export const removeMember = createRoute({
  ...own,
  method: "delete",
  path: "/api/teams/{id}/members/{userId}",
  summary: "Remove member",
  description:
    "Permission: `members:write`, except for leaving. Only an owner can remove an owner. Removing somebody else needs a confirmed identity. Access ends with the next request, and so do the pending invitations that the person sent. API keys stay.",
  request: { params: memberParams },
  responses: {
    200: json(
      z.object({
        ...Success.shape,
        keys: z
          .array(
            z.object({ id: Id, name: z.string().openapi({ description: "The name of the key.", example: "Robot" }) }),
          )
          .openapi({
            description: "Active API keys of the team that the person created. Revoke those that the person may know.",
          }),
      }),
      "The person is no member any more.",
    ),
    ...ownerless,
  },
});

export const invite = createRoute({
  ...own,
  method: "post",
  path: "/api/teams/{id}/invitations",
  summary: "Invite person",
  description: `Sends a mail with a link that works once, for 7 days, and only for a person with this verified address. Replaces a pending invitation of the same address. At most ${MAX_PENDING_INVITATIONS_PER_TEAM} are pending. Only an owner can invite an owner. Needs a confirmed identity.`,
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
    201: json(OneInvitation, "The invitation."),
    ...conflicting("The person is a member already, or too many invitations are pending."),
  },
});

export const listInvitations = createRoute({
  ...own,
  method: "get",
  path: "/api/teams/{id}/invitations",
  summary: "List invitations",
  description: "The pending invitations, newest first.",
  request: { params: idParams("team"), query: z.strictObject(pageQuery) },
  responses: {
    200: json(
      z.object({
        invitations: z.array(InvitationBody).openapi({ description: "The invitations of the page." }),
        nextCursor: NextCursor,
      }),
      "A page of invitations.",
    ),
  },
});

export const revokeInvitation = createRoute({
  ...own,
  method: "delete",
  path: "/api/teams/{id}/invitations/{invitationId}",
  summary: "Revoke invitation",
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
  ...own,
  method: "post",
  path: "/api/teams/invitations/accept",
  summary: "Accept invitation",
  description: "Only for the person whose verified address was invited.",
  request: answer,
  responses: { 200: json(OneTeam, "The team."), ...conflicting("The team has the maximum number of members.") },
});

export const declineInvitation = createRoute({
  ...own,
  method: "post",
  path: "/api/teams/invitations/decline",
  summary: "Decline invitation",
  description: "Only for the person whose verified address was invited.",
  request: answer,
  responses: { 200: json(Success, "The invitation is declined.") },
});

export const transferTeam = createRoute({
  ...own,
  method: "post",
  path: "/api/teams/{id}/transfer",
  summary: "Transfer team",
  description: "Makes another member the owner, and the caller an admin. Needs a confirmed identity.",
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
