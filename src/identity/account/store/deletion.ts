import type { Batch, Result } from "../../../platform/database/batch.ts";
import { isDeletedPerson } from "../../../platform/database/account-states.ts";
import { Parameters, type Condition } from "../../../platform/database/parameters.ts";

/** Deleting and restoring accounts. `accounts.deleted_at` is all that changes, and everything of the account depends on it. */

/** SQL for the others in the team `t` who are not deleted. All functions get SQL for the id of the user. */
const others = (user: string) =>
  `SELECT 1 FROM memberships o WHERE o.account_id = t.id AND o.user_id <> ${user} AND NOT ${isDeletedPerson("o.user_id")}`;
/** A FROM clause with the teams `t` that this person alone owns. */
const solelyOwned = (user: string) => `FROM memberships m JOIN accounts t ON t.id = m.account_id
  WHERE m.user_id = ${user} AND m.role = 'owner' AND t.personal_user_id IS NULL AND t.deleted_at IS NULL
    AND NOT EXISTS (${others(user)} AND o.role = 'owner')`;
const teamsWithOthers = (user: string) => `${solelyOwned(user)} AND EXISTS (${others(user)})`;
/** Nobody else would be left in these. */
const TEAMS_ALONE = `SELECT t.id ${solelyOwned("?1")} AND NOT EXISTS (${others("?1")})`;

/** Holds unless the person is the only owner of a team with other members. */
export function leavesNoTeam(userId: string): Condition {
  return (parameters) => `NOT EXISTS (SELECT 1 ${teamsWithOthers(parameters.add(userId))})`;
}

/** Selects the names of the teams that keep the person from being deleted. */
export function readBlockingTeams(batch: Batch, userId: string): Result<{ name: string }> {
  return batch.add(`SELECT t.name ${teamsWithOthers("?1")} ORDER BY t.name, t.id`, [userId]);
}

/** Returns the ids of the teams that are deleted together with the person. */
export async function findTeamsAlone(db: D1Database, userId: string): Promise<number[]> {
  const { results } = await db.prepare(TEAMS_ALONE).bind(userId).all<{ id: number }>();
  return results.map(({ id }) => id);
}

/** Deletes the person's teams that nobody else is a member of, if the condition holds. Before {@link markDeleted}. Idempotent. */
export function markTeamsDeleted(batch: Batch, userId: string, now: number, condition: Condition): void {
  const parameters = new Parameters([userId, now]);
  batch.add(
    `UPDATE accounts SET deleted_at = ?2, deleted_with = ?1
     WHERE id IN (${TEAMS_ALONE}) AND ${condition(parameters)}`,
    parameters.values,
  );
}

/** Deletes the account, if the condition holds. Idempotent. */
export function markDeleted(batch: Batch, accountId: number, now: number, condition: Condition): void {
  batch.sql`UPDATE accounts SET deleted_at = ${now}, deleted_with = NULL
    WHERE id = ${accountId} AND deleted_at IS NULL AND ${condition}`;
}

/** Selects when the account was deleted. */
export function readDeletedAt(batch: Batch, accountId: number): Result<{ deleted_at: number | null }> {
  return batch.add("SELECT deleted_at FROM accounts WHERE id = ?1", [accountId]);
}

const DELETED_WITH =
  "SELECT id FROM accounts INDEXED BY accounts_deleted WHERE deleted_at IS NOT NULL AND deleted_with = ?1";

/** Selects the teams that were deleted together with the person. */
export function readDeletedWith(batch: Batch, userId: string): Result<{ id: number }> {
  return batch.add(DELETED_WITH, [userId]);
}

/** As {@link readDeletedWith}. */
export async function findDeletedWith(db: D1Database, userId: string): Promise<number[]> {
  const { results } = await db.prepare(DELETED_WITH).bind(userId).all<{ id: number }>();
  return results.map(({ id }) => id);
}

/** Restores the account and, for a person, the teams that were deleted together, if the condition holds. */
export function restore(batch: Batch, accountId: number, userId: string | null, condition: Condition): void {
  batch.sql`UPDATE accounts SET deleted_at = NULL, deleted_with = NULL WHERE id IN (
      SELECT id FROM accounts INDEXED BY accounts_deleted
      WHERE deleted_at IS NOT NULL AND (id = ${accountId} OR deleted_with = ${userId}))
    AND ${condition}`;
}
