import type { Batch } from "../../../../platform/database/batch.ts";
import { holds, type Condition } from "../../../../platform/database/parameters.ts";
import { lacksFactor } from "./factors.ts";

/** Adds the codes, unless the user has others, if the condition holds. Idempotent. */
export function addRecoveryCodes(
  batch: Batch,
  userId: string,
  hashes: readonly string[],
  now: number,
  condition: Condition,
): void {
  batch.sql`INSERT INTO recovery_codes (hash, user_id, created_at)
    SELECT value, ${userId}, ${now} FROM json_each(${JSON.stringify(hashes)})
    WHERE NOT EXISTS (SELECT 1 FROM recovery_codes WHERE user_id = ${userId}) AND ${condition}
    ON CONFLICT (hash) DO NOTHING`;
}

/** Holds if the user has this code, used or not. */
export function hasRecoveryCode(userId: string, hash: string | undefined): Condition {
  return holds`EXISTS (SELECT 1 FROM recovery_codes WHERE hash = ${hash ?? ""} AND user_id = ${userId})`;
}

/** Deletes the codes but these, if the condition holds. */
export function deleteOtherRecoveryCodes(
  batch: Batch,
  userId: string,
  hashes: readonly string[],
  condition: Condition,
): void {
  batch.sql`DELETE FROM recovery_codes
    WHERE user_id = ${userId} AND hash NOT IN (SELECT value FROM json_each(${JSON.stringify(hashes)}))
      AND ${condition}`;
}

/** Deletes the codes of a user who has no factor left. */
export function deleteNeedlessRecoveryCodes(batch: Batch, userId: string): void {
  batch.sql`DELETE FROM recovery_codes WHERE user_id = ${userId} AND ${lacksFactor(userId)}`;
}

/** A code that a request uses. */
export interface RecoveryUse {
  userId: string;
  hash: string;
  /** The id of the request. */
  useId: string;
}

/** Uses the code, if the condition holds: of concurrent requests, one. Idempotent. */
export function takeRecoveryCode(batch: Batch, { userId, hash, useId }: RecoveryUse, condition: Condition): void {
  batch.sql`UPDATE recovery_codes SET used_by = ${useId}
    WHERE user_id = ${userId} AND hash = ${hash} AND used_by IS NULL AND ${condition}`;
}

/** Holds if this request used the code. */
export function recoveryCodeTaken({ userId, hash, useId }: RecoveryUse): Condition {
  return holds`EXISTS (SELECT 1 FROM recovery_codes WHERE hash = ${hash} AND user_id = ${userId}
    AND used_by = ${useId})`;
}

/** Returns how many codes can still be used. */
export async function countRecoveryCodes(db: D1Database, userId: string): Promise<number> {
  const row = await db
    .prepare("SELECT count(*) AS n FROM recovery_codes WHERE user_id = ?1 AND used_by IS NULL")
    .bind(userId)
    .first<{ n: number }>();
  return row?.n ?? 0;
}
