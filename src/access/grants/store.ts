import type { Batch } from "../../platform/database/batch.ts";
import type { Condition } from "../../platform/database/parameters.ts";

import { EXPIRED_APP_TOKEN_KEPT_MS } from "./limits.ts";

// The end of grants, which are what apps act with (src/identity/oauth). A trigger deletes their codes and tokens.

/** Ends all grants of the person, if the condition holds. */
export function endGrantsOfPerson(batch: Batch, userId: string, condition: Condition): void {
  batch.sql`DELETE FROM oauth_grants WHERE user_id = ${userId} AND ${condition}`;
}

/** Ends the grants of a member for the account, if the condition holds. */
export function endGrantsOfMember(batch: Batch, accountId: number, userId: string, condition: Condition): void {
  batch.sql`DELETE FROM oauth_grants WHERE user_id = ${userId} AND account_id = ${accountId} AND ${condition}`;
}

/** Forgets the second factors with which the person connected apps, if the condition holds. */
export function forgetFactorsOfGrants(batch: Batch, userId: string, condition: Condition): void {
  batch.sql`UPDATE oauth_grants SET factor_at = NULL WHERE user_id = ${userId} AND ${condition}`;
}

/** Deletes up to `limit` grants that were not used for too long, and returns their number. */
export async function deleteUnusedGrants(db: D1Database, now: number, limit: number): Promise<number> {
  const { results } = await db
    .prepare(
      `DELETE FROM oauth_grants WHERE id IN (SELECT id FROM oauth_grants WHERE expires_at <= ?1 LIMIT ?2) RETURNING id`,
    )
    .bind(now, limit)
    .all();
  return results.length;
}

/** Deletes up to `limit` codes and tokens that expired {@link EXPIRED_APP_TOKEN_KEPT_MS} ago, and returns their number. */
export async function deleteOldAppTokens(db: D1Database, now: number, limit: number): Promise<number> {
  const { meta } = await db
    .prepare("DELETE FROM oauth_tokens WHERE hash IN (SELECT hash FROM oauth_tokens WHERE expires_at <= ?1 LIMIT ?2)")
    .bind(now - EXPIRED_APP_TOKEN_KEPT_MS, limit)
    .run();
  return meta.changes;
}
