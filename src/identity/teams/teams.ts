import { addPersonEntry } from "../../access/audit/person-entry.ts";
import { requireConfirmedFor } from "../../platform/auth/confirmed-operations.ts";
import { addConfirmation } from "../../platform/auth/require-confirmed.ts";
import { Batch, addCheck } from "../../platform/database/batch.ts";
import { conflict, limitReached, mfaRequired, notFound, invalidField } from "../../platform/http/errors.ts";
import { newId } from "../../platform/lib/uuid.ts";
import { addNotice, deliverMails } from "../../platform/mail/send.ts";
import type { MemberContext, SessionContext } from "../../access/sessions/session.ts";
import { teamNotFound } from "../../access/guards/session-guards.ts";
import { changedMeanwhile, INVITERS, OWNER_INVITERS } from "./access.ts";
import type { TeamBody } from "./schemas.ts";
import { deleteUnbackedInvitations } from "./store/invitations.ts";
import { findMember, setRole } from "./store/members.ts";
import * as store from "./store/teams.ts";
import { allOf, ALWAYS } from "../../platform/database/parameters.ts";
import { hasRole, isLivePerson } from "../../platform/auth/store/conditions.ts";
import { MAX_TEAMS_PER_OWNER } from "./limits.ts";

/** Creates a team that the person owns. */
export async function createTeam(context: SessionContext, name: string): Promise<TeamBody> {
  const { db, now, session } = context;
  const batch = new Batch(db);
  const uuid = newId(now);
  const ownerId = session.user.id;
  const added = store.addTeam(batch, { uuid, name, ownerId }, now);
  addPersonEntry(batch, context, ownerId, { account: { uuid }, action: "team.create", targetId: uuid });
  await batch.commitWithRetry();
  if (added.first === undefined) throw limitReached("limit_reached", { resource: "team", max: MAX_TEAMS_PER_OWNER });
  return readTeam(db, added.first.id, ownerId);
}

/** The team as its member sees it. Throws 404 once the membership has ended. */
export async function readTeam(db: D1Database, accountId: number, userId: string): Promise<TeamBody> {
  const team = await store.findTeam(db, accountId, userId);
  if (team === null) throw teamNotFound();
  return team;
}

/** Changes the name and whether a second factor is required. */
export async function updateTeam(context: MemberContext, changes: store.TeamChanges): Promise<TeamBody> {
  const { db, now, principal, session } = context;
  const { accountId, user } = principal;
  // It opens the team to sessions that gave only a password.
  if (changes.requireMfa === false) requireConfirmedFor("PATCH /api/teams/:id", context);
  // Otherwise the owner could not take it back.
  if (changes.requireMfa === true && !principal.gaveFactor) throw mfaRequired("own_factor_first");
  const batch = new Batch(db);
  const confirmation = changes.requireMfa === false ? addConfirmation(batch, session, now) : null;
  const allowed = allOf(hasRole(accountId, user.id, OWNER_INVITERS), confirmation?.holds ?? ALWAYS);
  const check = addCheck(batch, allowed);
  store.updateTeam(batch, accountId, changes, allowed);
  addPersonEntry(
    batch,
    context,
    user.id,
    { account: { id: accountId }, action: "account.update", targetId: null },
    allowed,
  );
  await batch.commitWithRetry();
  confirmation?.require();
  if (check.first === undefined) throw changedMeanwhile();
  return readTeam(db, accountId, user.id);
}

/** Makes another member the owner and the caller an admin. Both are told by mail. */
export async function transferTeam(context: MemberContext, userId: string): Promise<TeamBody> {
  const { db, now, principal, session } = context;
  const { accountId, user } = principal;
  if (userId === user.id) throw invalidField("userId", "yourself");
  const member = await findMember(db, accountId, userId);
  if (member === null) throw notFound("not_found", { resource: "member" });

  const batch = new Batch(db);
  const confirmation = addConfirmation(batch, session, now);
  const isPresent = addCheck(batch, isLivePerson(userId));
  const isOwner = allOf(hasRole(accountId, user.id, OWNER_INVITERS), isLivePerson(userId), confirmation.holds);
  // The order matters: the team always has an owner.
  setRole(batch, accountId, userId, "owner", isOwner);
  const handedOver = allOf(isOwner, hasRole(accountId, userId, ["owner"]));
  addPersonEntry(
    batch,
    context,
    user.id,
    {
      account: { id: accountId },
      action: "team.transfer",
      targetId: userId,
      before: { role: member.role },
      after: { role: "owner" },
    },
    handedOver,
  );
  const mails = [
    await addNotice(batch, context, "role_changed", member.email, handedOver),
    await addNotice(batch, context, "role_changed", user.email, handedOver),
  ];
  setRole(batch, accountId, user.id, "admin", handedOver);
  deleteUnbackedInvitations(batch, accountId, user.id, { inviters: INVITERS, ownerInviters: OWNER_INVITERS });
  await batch.commitWithRetry();
  confirmation.require();
  if (isPresent.first === undefined) throw conflict("person_deleted");
  deliverMails(context, ...mails);
  const team = await readTeam(db, accountId, user.id);
  if (team.role === "owner") throw changedMeanwhile();
  return team;
}
