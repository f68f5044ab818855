import type { Batch, Result } from "../../../../platform/database/batch.ts";
import { holds, type Condition } from "../../../../platform/database/parameters.ts";

export interface TotpFactor {
  /** Encrypted. */
  secret: string;
  createdAt: number;
  isConfirmed: boolean;
}

export async function findTotp(db: D1Database, userId: string): Promise<TotpFactor | null> {
  const row = await db
    .prepare("SELECT secret, created_at, confirmed_at FROM totp_factors WHERE user_id = ?1")
    .bind(userId)
    .first<{ secret: string; created_at: number; confirmed_at: number | null }>();
  return row === null
    ? null
    : { secret: row.secret, createdAt: row.created_at, isConfirmed: row.confirmed_at !== null };
}

/** Stores an encrypted secret that waits for its first code. Returns false if the user has a confirmed one. Idempotent. */
export async function enrolTotp(db: D1Database, userId: string, secret: string, now: number): Promise<boolean> {
  const row = await db
    .prepare(
      `INSERT INTO totp_factors (user_id, secret, created_at, last_step) VALUES (?1, ?2, ?3, 0)
       ON CONFLICT (user_id) DO UPDATE SET secret = ?2, created_at = ?3 WHERE confirmed_at IS NULL RETURNING user_id`,
    )
    .bind(userId, secret, now)
    .first();
  return row !== null;
}

/** A code that a request uses, by its secret and time step. */
export interface CodeUse {
  userId: string;
  /** Encrypted. */
  secret: string;
  step: number;
  /** The id of the request. */
  useId: string;
}

/** Confirms the factor with its first code, if the condition holds. Idempotent. */
export function confirmTotp(batch: Batch, use: CodeUse, now: number, condition: Condition): void {
  batch.sql`UPDATE totp_factors SET confirmed_at = ${now}, last_step = ${use.step}, used_by = ${use.useId}
    WHERE user_id = ${use.userId} AND secret = ${use.secret} AND confirmed_at IS NULL AND ${condition}`;
}

/**
 * Uses the code, if the condition holds: of concurrent requests, one. Codes of this and of earlier time steps then no
 * longer work. Idempotent.
 */
export function takeCode(batch: Batch, use: CodeUse, condition: Condition): void {
  batch.sql`UPDATE totp_factors SET last_step = ${use.step}, used_by = ${use.useId}
    WHERE user_id = ${use.userId} AND secret = ${use.secret} AND confirmed_at IS NOT NULL AND last_step < ${use.step}
      AND ${condition}`;
}

/** Holds if this request used the code. */
export function codeTaken({ userId, step, useId }: CodeUse): Condition {
  return holds`EXISTS (SELECT 1 FROM totp_factors WHERE user_id = ${userId} AND confirmed_at IS NOT NULL
    AND last_step = ${step} AND used_by = ${useId})`;
}

/** Deletes the confirmed factor, if the condition holds. The result has a row if there was one. */
export function deleteTotp(batch: Batch, userId: string, condition: Condition): Result<{ user_id: string }> {
  return batch.sql`DELETE FROM totp_factors
    WHERE user_id = ${userId} AND confirmed_at IS NOT NULL AND ${condition} RETURNING user_id`;
}

/** Holds if the user has a confirmed factor. */
export function hasTotp(userId: string): Condition {
  return holds`EXISTS (SELECT 1 FROM totp_factors WHERE user_id = ${userId} AND confirmed_at IS NOT NULL)`;
}
