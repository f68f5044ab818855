import type { Role } from "../../auth/roles.ts";
import type { Batch } from "../../database/batch.ts";
import type { Condition } from "../../database/parameters.ts";

/** Accounts in other databases in which something of a person has to end (the table `access_to_end` of the core). */
export interface AccessToEnd {
  account_id: number;
  user_id: string;
  /** The present role, whose rights stay; null: none. */
  role: Role | null;
  actor_id: string;
  country: string | null;
  created_at: number;
}

/**
 * Notes in the batch of a change that the account's database has to end what the person's role may not have, if the condition
 * holds. The role counts that the person has when that is done.
 */
export function addAccessToEnd(
  batch: Batch,
  { accountId, userId }: { accountId: number; userId: string },
  { actorId, country, now }: { actorId: string; country: string | null; now: number },
  condition: Condition,
): void {
  batch.sql`INSERT INTO access_to_end (account_id, user_id, actor_id, country, created_at)
    SELECT account_id, ${userId}, ${actorId}, ${country}, ${now} FROM account_copies
    WHERE account_id = ${accountId} AND copied IS NOT NULL AND ${condition}
    ON CONFLICT (account_id, user_id) DO UPDATE SET actor_id = excluded.actor_id, country = excluded.country, created_at = excluded.created_at`;
}

/** Returns what has to end: of the account, or up to `limit` of all. */
export async function findAccessToEnd(
  core: D1Database,
  accountId: number | null,
  limit: number,
): Promise<AccessToEnd[]> {
  const { results } = await core
    .prepare(
      `SELECT account_id, user_id, actor_id, country, created_at,
         (SELECT role FROM memberships m WHERE m.account_id = e.account_id AND m.user_id = e.user_id) AS role
       FROM access_to_end e WHERE ?1 IS NULL OR account_id = ?1 LIMIT ?2`,
    )
    .bind(accountId, limit)
    .all<AccessToEnd>();
  return results;
}

/** Deletes the note if it is still the same. */
export async function deleteAccessToEnd(
  core: D1Database,
  { account_id, user_id, created_at }: AccessToEnd,
): Promise<void> {
  await core
    .prepare("DELETE FROM access_to_end WHERE account_id = ?1 AND user_id = ?2 AND created_at = ?3")
    .bind(account_id, user_id, created_at)
    .run();
}

/** The ids of the keys of the account in the lines that the person began. */
export async function findLineKeys(core: D1Database, accountId: number, userId: string): Promise<string[]> {
  const { results } = await core
    .prepare("SELECT id FROM api_keys WHERE account_id = ?1 AND descends_from = ?2")
    .bind(accountId, userId)
    .all<{ id: string }>();
  return results.map(({ id }) => id);
}
