import type { Batch } from "../../../database/batch.ts";
import { holds, Parameters, type Condition } from "../../../database/parameters.ts";
import { lacksFactor } from "./factors.ts";

/** Adds the codes, unless the user has others, if the condition holds. Idempotent. */
export function addRecoveryCodes(
  batch: Batch,
  userId: string,
  hashes: readonly string[],
  now: number,
  condition: Condition,
): void {
  const parameters = new Parameters([userId, JSON.stringify(hashes), now]);
  batch.add(
    `INSERT INTO recovery_codes (hash, user_id, created_at) SELECT value, ?1, ?3 FROM json_each(?2)
     WHERE NOT EXISTS (SELECT 1 FROM recovery_codes WHERE user_id = ?1) AND ${condition(parameters)}
     ON CONFLICT (hash) DO NOTHING`,
    parameters.values,
  );
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
  const parameters = new Parameters([userId, JSON.stringify(hashes)]);
  batch.add(
    `DELETE FROM recovery_codes WHERE user_id = ?1 AND hash NOT IN (SELECT value FROM json_each(?2))
       AND ${condition(parameters)}`,
    parameters.values,
  );
}

/** Deletes the codes of a user who has no factor left. */
export function deleteNeedlessRecoveryCodes(batch: Batch, userId: string): void {
  const parameters = new Parameters([userId]);
  batch.add(`DELETE FROM recovery_codes WHERE user_id = ?1 AND ${lacksFactor(userId)(parameters)}`, parameters.values);
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
  const parameters = new Parameters([userId, hash, useId]);
  batch.add(
    `UPDATE recovery_codes SET used_by = ?3 WHERE user_id = ?1 AND hash = ?2 AND used_by IS NULL AND ${condition(parameters)}`,
    parameters.values,
  );
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
