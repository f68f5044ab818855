import { requireRole } from "../auth/require-permissions.ts";
import type { Role } from "../auth/roles.ts";
import { Batch } from "../database/batch.ts";
import type { Condition } from "../database/parameters.ts";
import { accountDeleted, conflict, forbidden, notFound } from "../http/errors.ts";
import { toPrincipal } from "../guards/authenticate-person.ts";
import { addNotice, deliverMails } from "../people/mail/send.ts";
import type { MemberContext, SessionContext } from "../sessions/session.ts";
import { findTeamAccess } from "../sessions/store/accounts.ts";
import { teamNotFound } from "../guards/team-not-found.ts";
import {
  addEntry,
  all,
  changedMeanwhile,
  INVITERS,
  mayChange,
  mayGive,
  OWNER_INVITERS,
  requireChangeOfRoles,
} from "./access.ts";
import type { MemberBody } from "./schemas.ts";
import { deleteUnbackedInvitations } from "./store/invitations.ts";
import * as store from "./store/members.ts";
import { hasRole } from "../auth/store/conditions.ts";

/** Gives a member another role. The member is told by mail. */
export async function updateMember(context: MemberContext, userId: string, role: Role): Promise<MemberBody> {
  const { env, now, principal } = context;
  const { accountId } = principal;
  const member = await findMember(env.DB, accountId, userId);
  requireChangeOfRoles(principal, now, member.role, role);
  const allowed = all(mayChange(principal, userId), mayGive(principal, role));
  const batch = new Batch(env.DB);
  if (member.role !== role)
    addEntry(batch, context, { id: accountId }, { action: "member.update", targetId: userId }, allowed);
  const mailId = member.role === role ? null : await addNotice(batch, context, "role_changed", member.email, allowed);
  store.setRole(batch, accountId, userId, role, allowed);
  deleteUnbackedInvitations(batch, accountId, userId, { inviters: INVITERS, ownerInviters: OWNER_INVITERS });
  await commitWithOwner(batch);
  const changed = await findMember(env.DB, accountId, userId);
  if (changed.role !== role) throw changedMeanwhile();
  if (mailId !== null) deliverMails(context, mailId);
  return changed;
}

/** An active key that a former member created. */
interface RemainingKey {
  id: string;
  name: string;
}

/**
 * Ends a membership: the own one, or another one with the permission to do so. Returns the keys of the person that go on
 * working. A member who lacks a second factor can leave too.
 */
export async function removeMember(context: SessionContext, team: string, userId: string): Promise<RemainingKey[]> {
  const { env, now, session } = context;
  const access = await findTeamAccess(env.DB, team, session.user.id);
  if (access === null) throw teamNotFound();
  const { account } = access;
  if (account === null) throw forbidden("You are not a member of this account.");
  if (account.isDeleted) throw accountDeleted();
  if (userId === session.user.id)
    return endMembership(context, account.id, userId, hasRole(account.id, userId, [account.role]));
  const principal = toPrincipal(session, account);
  requireRole(principal, "members:write");
  const member = await findMember(env.DB, account.id, userId);
  requireChangeOfRoles(principal, now, member.role);
  return endMembership(context, account.id, userId, mayChange(principal, userId));
}

async function endMembership(
  context: SessionContext,
  accountId: number,
  userId: string,
  allowed: Condition,
): Promise<RemainingKey[]> {
  const { env, now } = context;
  const { email } = await findMember(env.DB, accountId, userId);
  const batch = new Batch(env.DB);
  addEntry(batch, context, { id: accountId }, { action: "member.remove", targetId: userId }, allowed);
  const mailId = await addNotice(batch, context, "membership_ended", email, allowed);
  store.deleteMember(batch, accountId, userId, allowed);
  deleteUnbackedInvitations(batch, accountId, userId, { inviters: INVITERS, ownerInviters: OWNER_INVITERS });
  const keys = store.readKeysOf(batch, accountId, userId, now);
  await commitWithOwner(batch);
  if ((await store.findMember(env.DB, accountId, userId)) !== null) throw changedMeanwhile();
  deliverMails(context, mailId);
  return keys.rows;
}

async function findMember(db: D1Database, accountId: number, userId: string): Promise<MemberBody> {
  const member = await store.findMember(db, accountId, userId);
  if (member === null) throw notFound("There is no such member.");
  return member;
}

/** Commits the batch, unless the account would have no owner then. */
async function commitWithOwner(batch: Batch): Promise<void> {
  try {
    await batch.commitWithRetry();
  } catch (error) {
    if (!store.isOwnerless(error)) throw error;
    throw conflict("A team needs an owner. Make another member the owner first. Nothing was changed.");
  }
}
