import { addPersonEntry } from "../../access/audit/person-entry.ts";
import { accessChanged } from "../../platform/auth/require-permissions.ts";
import { addConfirmation } from "../../platform/auth/require-confirmed.ts";
import { rolesWith } from "../../platform/auth/roles.ts";
import { Batch } from "../../platform/database/batch.ts";
import { isLive, isRestorable } from "../../platform/database/account-states.ts";
import { allOf, holds, not, type Condition } from "../../platform/database/parameters.ts";
import { endGrantsOfPerson } from "../../access/grants/store.ts";
import { accountDeleted, conflict, invalidField } from "../../platform/http/errors.ts";
import { DELETED_ACCOUNT_KEPT_MS } from "../../limits.ts";
import { findOwners } from "../../platform/mail/store.ts";
import { addNotice, deliverMails } from "../../platform/mail/send.ts";
import type { MailKind } from "../../platform/mail/messages.ts";
import type { MemberContext } from "../../access/sessions/session.ts";
import { endSessions } from "../../access/sessions/store/sessions.ts";
import { publishAccounts } from "../../redirect/lookup/publish.ts";
import { readAccount } from "./account.ts";
import type { Account } from "./contract.ts";
import * as store from "./store/deletion.ts";
import { hasRole } from "../../platform/auth/store/conditions.ts";

/**
 * Deleting and restoring accounts: teams, and personal ones, with which the person is deleted. One row of the table `accounts`
 * says that an account is deleted. Everything that works for an account looks there, so a deletion and a restoration take
 * one transaction, however large the account is. After a week, the cron deletes everything (purge.ts).
 */

const DELETERS = rolesWith("account:write");

interface Deletion {
  /** When everything is deleted for good, Unix milliseconds. */
  deletesAt: number;
  kind: Account["kind"];
}

/** Deletes the account that the person acts for. `confirm` must be its name. */
export async function deleteAccount(context: MemberContext, confirm: string): Promise<Deletion> {
  const { db, now, principal, session } = context;
  const { accountId, user } = principal;
  const { name, kind } = await readAccount(context);
  if (confirm !== name) throw invalidField("confirm", "not_the_name", { value: name });

  const batch = new Batch(db);
  const isPersonal = kind === "personal";
  const confirmation = addConfirmation(batch, session, now);
  const mayDelete = allOf(hasRole(accountId, user.id, DELETERS), isLive(accountId), confirmation.holds);
  const condition = isPersonal ? allOf(mayDelete, store.leavesNoTeam(user.id)) : mayDelete;
  const blocking = isPersonal ? store.readBlockingTeams(batch, user.id) : null;
  const teams = isPersonal ? await store.findTeamsAlone(db, user.id) : [];
  const entry = { action: isPersonal ? "account.delete" : "team.delete", targetId: null } as const;
  const entryOfTeam = { action: "team.delete", targetId: null } as const;
  for (const id of teams)
    addPersonEntry(batch, context, user.id, { account: { id }, ...entryOfTeam }, allOf(condition, isLive(id)));
  addPersonEntry(batch, context, user.id, { account: { id: accountId }, ...entry }, condition);
  const mails = await addNotices(batch, context, isPersonal ? "account_deleted" : "team_deleted", condition);
  if (isPersonal) store.markTeamsDeleted(batch, user.id, now, condition);
  store.markDeleted(batch, accountId, now, condition);
  // Last, because the conditions before need the session.
  if (isPersonal) {
    const isDeleted = allOf(not(isLive(accountId)), confirmation.holds);
    endGrantsOfPerson(batch, user.id, isDeleted);
    endSessions(batch, user.id, null, isDeleted);
  }
  const deleted = store.readDeletedAt(batch, accountId);
  const deletedTeams = store.readDeletedWith(batch, user.id);
  await batch.commitWithRetry();

  const deletedAt = deleted.first?.deleted_at ?? null;
  if (deletedAt === null && blocking?.first !== undefined) throw soleOwner(blocking.rows);
  if (deletedAt === null) confirmation.require();
  if (deletedAt === null) throw accessChanged(principal);
  const stopped = isPersonal ? deletedTeams.rows.map(({ id }) => id) : [];
  publishAccounts(context, [accountId, ...stopped], true);
  deliverMails(context, ...mails);
  return { deletesAt: deletedAt + DELETED_ACCOUNT_KEPT_MS, kind };
}

/** Restores the account that the person acts for. An account that is not deleted stays as it is. */
export async function restoreAccount(context: MemberContext): Promise<Account> {
  const { db, now, principal, session } = context;
  const { accountId, user } = principal;
  const { kind } = await readAccount(context);
  const isPersonal = kind === "personal";
  // The person comes first: a team cannot have an owner who is deleted.
  if (session.isDeleted && !isPersonal) throw accountDeleted();

  const batch = new Batch(db);
  const condition = allOf(hasRole(accountId, user.id, DELETERS), isRestorable(accountId, now));
  const teams = store.readDeletedWith(batch, user.id);
  const entry = { action: isPersonal ? "account.restore" : "team.restore", targetId: null } as const;
  const entryOfTeam = { action: "team.restore", targetId: null } as const;
  for (const id of isPersonal ? await store.findDeletedWith(db, user.id) : [])
    addPersonEntry(batch, context, user.id, { account: { id }, ...entryOfTeam }, condition);
  addPersonEntry(batch, context, user.id, { account: { id: accountId }, ...entry }, condition);
  const mails = await addNotices(batch, context, isPersonal ? "account_restored" : "team_restored", condition);
  store.restore(batch, accountId, isPersonal ? user.id : null, condition);
  const deleted = store.readDeletedAt(batch, accountId);
  await batch.commitWithRetry();

  if (deleted.first?.deleted_at != null) throw conflict("deletion_has_begun");
  const restored = [accountId, ...teams.rows.map((team) => team.id)];
  publishAccounts(context, restored, false);
  deliverMails(context, ...mails);
  return readAccount(context);
}

/** Tells the person, and the other owners of a team. */
async function addNotices(
  batch: Batch,
  context: MemberContext,
  kind: MailKind,
  condition: Condition,
): Promise<string[]> {
  const { db, principal } = context;
  const { accountId, user } = principal;
  const others = await findOwners(db, accountId, holds`m.user_id <> ${user.id}`);
  const ids: string[] = [];
  for (const email of [user.email, ...(others?.owners ?? [])])
    ids.push(await addNotice(batch, context, kind, email, condition));
  return ids;
}

function soleOwner(teams: readonly { name: string }[]): Error {
  const names = teams.map(({ name }) => `"${name}"`).join(", ");
  return conflict("only_owner", { value: names });
}
