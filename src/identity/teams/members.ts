import { addPersonEntry } from "../../access/audit/person-entry.ts";
import { addConfirmation } from "../../platform/auth/require-confirmed.ts";
import { requireRole } from "../../platform/auth/require-permissions.ts";
import type { Role } from "../../platform/auth/roles.ts";
import { Batch } from "../../platform/database/batch.ts";
import { allOf, type Condition } from "../../platform/database/parameters.ts";
import { accountDeleted, conflict, forbidden, notFound } from "../../platform/http/errors.ts";
import { endGrantsOfMember } from "../../access/grants/store.ts";
import { toPrincipal } from "../../access/guards/authenticate-person.ts";
import { addNotice, deliverMails } from "../../platform/mail/send.ts";
import type { ActingAccount, MemberContext, SessionContext } from "../../access/sessions/session.ts";
import { findTeamAccess } from "../../access/sessions/store/accounts.ts";
import { teamNotFound } from "../../access/guards/session-guards.ts";
import { changedMeanwhile, INVITERS, mayChange, mayGive, OWNER_INVITERS, requireChangeOfRoles } from "./access.ts";
import { sendWakeUps } from "../../platform/outbox/messages.ts";
import type { LastingAccess, MemberBody } from "./schemas.ts";
import { endLastingAccess, readLastingAccess } from "./store/lasting-access.ts";
import { deleteUnbackedInvitations } from "./store/invitations.ts";
import * as store from "./store/members.ts";
import { hasRole } from "../../platform/auth/store/conditions.ts";

/** What a change of a member ended, and what goes on. */
type EndedAccess = LastingAccess & { remaining: LastingAccess };

/** Gives a member another role. The member is told by mail. */
export async function updateMember(
  context: MemberContext,
  userId: string,
  role: Role,
  endAccess: boolean,
): Promise<{ member: MemberBody } & EndedAccess> {
  const { db, now, principal, session } = context;
  const { accountId } = principal;
  requireEnd(endAccess, userId === principal.user.id);
  const member = await findMember(db, accountId, userId);
  requireChangeOfRoles(principal, member.role, role);
  const batch = new Batch(db);
  const confirmation = addConfirmation(batch, session, now);
  const allowed = allOf(mayChange(principal, userId), mayGive(principal, role), confirmation.holds);
  const access = changeAccess(batch, context, { accountId, userId }, role, endAccess ? allowed : NEVER);
  if (member.role !== role)
    addPersonEntry(
      batch,
      context,
      session.user.id,
      { account: { id: accountId }, action: "member.update", targetId: userId, after: { role } },
      allowed,
    );
  const mailId = member.role === role ? null : await addNotice(batch, context, "role_changed", member.email, allowed);
  store.setRole(batch, accountId, userId, role, allowed);
  deleteUnbackedInvitations(batch, accountId, userId, { inviters: INVITERS, ownerInviters: OWNER_INVITERS });
  await commitWithOwner(batch);
  confirmation.require();
  const changed = await findMember(db, accountId, userId);
  if (changed.role !== role) throw changedMeanwhile();
  if (mailId !== null) deliverMails(context, mailId);
  return { member: changed, ...access.report() };
}

/**
 * Ends a membership: the own one, or another one with the permission to do so. A member who lacks a second factor can leave
 * too.
 */
export async function removeMember(
  context: SessionContext,
  team: string,
  userId: string,
  endAccess: boolean,
): Promise<EndedAccess> {
  const { db, session } = context;
  const account = await requireMembership(context, team);
  const isMyself = userId === session.user.id;
  requireEnd(endAccess, isMyself);
  const end = (allowed: Condition) => endMembership(context, account.id, userId, endAccess, allowed);
  if (isMyself) return end(hasRole(account.id, userId, [account.role]));
  const principal = toPrincipal(session, account);
  requireRole(principal, "members:write");
  const member = await findMember(db, account.id, userId);
  requireChangeOfRoles(principal, member.role);
  return end(mayChange(principal, userId));
}

/** What keeps working without the member. Another member's list needs `members:write`. */
export async function readMemberAccess(context: SessionContext, team: string, userId: string): Promise<LastingAccess> {
  const { db, now, session } = context;
  const account = await requireMembership(context, team);
  if (userId !== session.user.id) requireRole(toPrincipal(session, account), "members:write");
  await findMember(db, account.id, userId);
  const batch = new Batch(db);
  const read = readLastingAccess(batch, { accountId: account.id, userId }, now);
  await batch.commit();
  return read();
}

/** The team in which the person is a member, with or without the second factor that it needs. */
async function requireMembership({ db, session }: SessionContext, team: string): Promise<ActingAccount> {
  const access = await findTeamAccess(db, team, session.user.id);
  if (access === null) throw teamNotFound();
  const { account } = access;
  if (account === null) throw forbidden("not_a_member");
  if (account.isDeleted) throw accountDeleted();
  return account;
}

/** Members who change their own membership must end what they made. */
function requireEnd(endAccess: boolean, isMyself: boolean): void {
  if (!endAccess && isMyself) throw forbidden("ends_own_access");
}

const NEVER: Condition = () => "false";

/** Ends what the person made and the new role does not allow, if the condition holds. Its place in the batch is before the change of the role. */
function changeAccess(
  batch: Batch,
  context: SessionContext,
  subject: { accountId: number; userId: string },
  role: Role | null,
  condition: Condition,
) {
  const { env, now, country, session, waitUntil } = context;
  const ender = { actor: { type: "user", id: session.user.id }, country, now } as const;
  const { ended, webhooksLeft } = endLastingAccess(batch, subject, role, ender, condition);
  const remaining = readLastingAccess(batch, subject, now);
  return {
    /** After the commit. */
    report(): EndedAccess {
      const lists = ended();
      // Webhooks at the host of one that has ended may have waited for its connections.
      if (lists.webhooks.length > 0)
        waitUntil(
          sendWakeUps(
            env,
            webhooksLeft.rows.map(({ id }) => id),
          ),
        );
      return { ...lists, remaining: remaining() };
    },
  };
}

async function endMembership(
  context: SessionContext,
  accountId: number,
  userId: string,
  endAccess: boolean,
  mayEnd: Condition,
): Promise<EndedAccess> {
  const { db, now, session } = context;
  const { email } = await findMember(db, accountId, userId);
  const batch = new Batch(db);
  const confirmation = addConfirmation(batch, session, now);
  const allowed = allOf(mayEnd, confirmation.holds);
  const access = changeAccess(batch, context, { accountId, userId }, null, endAccess ? allowed : NEVER);
  addPersonEntry(
    batch,
    context,
    session.user.id,
    { account: { id: accountId }, action: "member.remove", targetId: userId },
    allowed,
  );
  const mailId = await addNotice(batch, context, "membership_ended", email, allowed);
  endGrantsOfMember(batch, accountId, userId, allowed);
  store.deleteMember(batch, accountId, userId, allowed);
  deleteUnbackedInvitations(batch, accountId, userId, { inviters: INVITERS, ownerInviters: OWNER_INVITERS });
  await commitWithOwner(batch);
  confirmation.require();
  if ((await store.findMember(db, accountId, userId)) !== null) throw changedMeanwhile();
  deliverMails(context, mailId);
  return access.report();
}

async function findMember(db: D1Database, accountId: number, userId: string): Promise<MemberBody> {
  const member = await store.findMember(db, accountId, userId);
  if (member === null) throw notFound("not_found", { resource: "member" });
  return member;
}

/** Commits the batch, unless the account would have no owner then. */
async function commitWithOwner(batch: Batch): Promise<void> {
  try {
    await batch.commitWithRetry();
  } catch (error) {
    if (!store.isOwnerless(error)) throw error;
    throw conflict("last_owner");
  }
}
