import { addPersonEntry } from "../../access/audit/person-entry.ts";
import type { Role } from "../../platform/auth/roles.ts";
import { addConfirmation } from "../../platform/auth/require-confirmed.ts";
import { Batch, addCheck } from "../../platform/database/batch.ts";
import { allOf, ALWAYS } from "../../platform/database/parameters.ts";
import { conflict, forbidden, limitReached, notFound, rateLimited } from "../../platform/http/errors.ts";
import { fault } from "../../platform/http/faults.ts";
import { isId, newId } from "../../platform/lib/uuid.ts";
import { INVITATION_TTL_MS, MAIL_WINDOW_MS } from "../../limits.ts";
import { emailKey } from "../../platform/mail/email-address.ts";
import * as answers from "../people/invitations/store/answers.ts";
import { invitationOf } from "../people/invitations/send.ts";
import { linkOf } from "../../platform/mail/messages.ts";
import { canSendMail, deliverMails, prepareMail } from "../../platform/mail/send.ts";
import { addMail, mailStored } from "../../platform/mail/store.ts";
import type { MemberContext, SessionContext } from "../../access/sessions/session.ts";
import { deadToken } from "../people/tokens/dead-token.ts";
import { hashToken, newToken } from "../../platform/lib/token.ts";
import { changedMeanwhile, hasHigherRole, mayGive, requireChangeOfRoles, requireLowerRole } from "./access.ts";
import type { InvitationBody, TeamBody } from "./schemas.ts";
import * as store from "./store/invitations.ts";
import { findTeamName } from "./store/teams.ts";
import { readTeam } from "./teams.ts";
import { teamIsFull } from "../people/invitations/answers.ts";
import { MAX_PENDING_INVITATIONS_PER_TEAM } from "./limits.ts";

/**
 * Invites an address by mail. A pending invitation of the same address ends. Where no mail can be sent, the person gets the link
 * once, to hand it over.
 */
export async function invite(
  context: MemberContext,
  { email, role }: { email: string; role: Role },
): Promise<{ invitation: InvitationBody; link?: string }> {
  const { db, now, principal, session, baseUrl } = context;
  const { accountId, user } = principal;
  requireChangeOfRoles(principal, role);
  const isMailed = canSendMail(context);
  if (!isMailed) requireLowerRole(principal, role);
  const token = newToken();
  const opening = invitationOf(await findTeamName(db, accountId), session.user);
  const [mail, tokenHash] = await Promise.all([
    prepareMail(context, "invitation", email, { token, opening }),
    hashToken(token),
  ]);
  const expiresAt = now + INVITATION_TTL_MS;
  const invitation = { id: newId(now), accountId, email, role, tokenHash, invitedBy: user.id, expiresAt };
  const batch = new Batch(db);
  const confirmation = addConfirmation(batch, session, now);
  const conditions = {
    isConfirmed: confirmation.holds,
    mayGive: isMailed ? mayGive(principal, role) : hasHigherRole(principal, role),
    isNew: store.isNoMember(accountId, email),
    hasRoom: store.hasRoomToInvite(accountId, email, now),
  };

  const checks = {
    mayGive: addCheck(batch, conditions.mayGive),
    isNew: addCheck(batch, conditions.isNew),
    hasRoom: addCheck(batch, conditions.hasRoom),
  };
  addMail(batch, mail, now, allOf(...Object.values(conditions)));
  const added = store.addInvitation(batch, invitation, now, mailStored(mail.id));
  const entry = { account: { id: accountId }, action: "invitation.create", targetId: invitation.id } as const;
  addPersonEntry(batch, context, session.user.id, entry, mailStored(mail.id));
  await batch.commitWithRetry();
  confirmation.require();
  if (checks.mayGive.first === undefined) throw changedMeanwhile();
  if (added.first === undefined && checks.isNew.first === undefined) throw conflict("is_member");
  if (added.first === undefined && checks.hasRoom.first === undefined)
    throw limitReached("limit_reached", { resource: "invitation", max: MAX_PENDING_INVITATIONS_PER_TEAM });
  if (added.first === undefined) throw rateLimited(fault("", "too_many_invitations"), MAIL_WINDOW_MS / 1_000);
  deliverMails(context, mail.id);
  const body = { id: invitation.id, email, role, invitedBy: user.id, createdAt: now, expiresAt };
  return isMailed ? { invitation: body } : { invitation: body, link: linkOf("invitation", baseUrl, token) };
}

/** Ends a pending invitation. */
export async function revokeInvitation(context: MemberContext, id: string): Promise<void> {
  const { db, now, principal } = context;
  const { accountId } = principal;
  const missing = notFound("not_found", { resource: "invitation" });
  if (!isId(id)) throw missing;
  const batch = new Batch(db);
  const entry = { account: { id: accountId }, action: "invitation.revoke", targetId: id } as const;
  addPersonEntry(batch, context, principal.user.id, entry, store.isPending(accountId, id, now));
  const deleted = store.deleteInvitation(batch, accountId, id, now);
  await batch.commit();
  if (deleted.first === undefined) throw missing;
}

/** Makes the person a member. Only the person whose verified address was invited can do so, and once. */
export async function acceptInvitation(context: SessionContext, token: string): Promise<TeamBody> {
  const { db, now, session } = context;
  const { accountId, answer } = await openInvitation(context, token);
  const batch = new Batch(db);
  const hasRoom = answers.hasRoomToJoin(accountId);
  const room = addCheck(batch, hasRoom);
  const claimed = answers.claimInvitation(batch, answer, now, hasRoom);
  answers.addInvitedMember(batch, answer, now);
  const entry = { account: { id: accountId }, action: "member.add", targetId: session.user.id } as const;
  addPersonEntry(batch, context, session.user.id, entry, answers.isAnswered(answer));
  await batch.commitWithRetry();
  if (claimed.first === undefined && room.first === undefined) throw teamIsFull();
  if (claimed.first === undefined) throw deadToken();
  return readTeam(db, accountId, session.user.id);
}

/** Ends the invitation without a membership. */
export async function declineInvitation(context: SessionContext, token: string): Promise<void> {
  const { db, now, session } = context;
  const { accountId, answer } = await openInvitation(context, token);
  const batch = new Batch(db);
  const claimed = answers.claimInvitation(batch, answer, now, ALWAYS);
  const entry = { account: { id: accountId }, action: "invitation.decline", targetId: answer.invitationId } as const;
  addPersonEntry(batch, context, session.user.id, entry, answers.isAnswered(answer));
  await batch.commitWithRetry();
  if (claimed.first === undefined) throw deadToken();
}

/** The pending invitation of the token. Throws 403 if it is for another address than the person's. */
async function openInvitation(
  { db, now, session, requestId }: SessionContext,
  token: string,
): Promise<{ accountId: number; answer: answers.Answer }> {
  const invitation = await answers.findOpenInvitation(db, await hashToken(token), now);
  if (invitation === null) throw deadToken();
  const { id, accountId, email } = invitation;
  if (emailKey(email) !== emailKey(session.user.email)) throw forbidden("other_address");
  return { accountId, answer: { invitationId: id, userId: session.user.id, requestId } };
}
