import type { Batch, Result } from "../../../platform/database/batch.ts";
import { ALWAYS, holds, type Condition } from "../../../platform/database/parameters.ts";

export type Purpose =
  | "verify_email"
  | "reset_password"
  | "confirm_email"
  | "undo_email"
  | "undo_factor"
  | "sign_in_link"
  | "second_step"
  | ChallengePurpose;

/** What a WebAuthn challenge is for. */
export type ChallengePurpose = "passkey_add" | "passkey_sign_in" | "passkey_second_step" | "passkey_confirm";

export interface NewToken {
  hash: string;
  purpose: Purpose;
  /** The id of the user; for `verify_email`, the key of the address; for `passkey_sign_in`, ''. */
  subject: string;
  payload: object;
  expiresAt: number;
}

/** A token that is being used. Statements of the same batch depend on {@link claimed}. */
export interface Claim {
  hash: string;
  /** The id of the request. */
  useId: string;
}

/** Stores a token if the condition holds. Idempotent. */
export function addToken(batch: Batch, token: NewToken, now: number, condition: Condition): void {
  const { hash, purpose, subject, payload, expiresAt } = token;
  batch.sql`INSERT INTO tokens (hash, purpose, subject, payload, created_at, expires_at)
    SELECT ${hash}, ${purpose}, ${subject}, ${JSON.stringify(payload)}, ${now}, ${expiresAt}
    WHERE ${condition} ON CONFLICT (hash) DO NOTHING`;
}

/** A token that can still be used. */
export interface StoredToken<Payload> {
  subject: string;
  payload: Payload;
  createdAt: number;
}

/** Returns the token, or null if it is unknown, used or expired. Does not use it. */
export async function findToken<Payload>(
  db: D1Database,
  hash: string,
  purpose: Purpose,
  now: number,
): Promise<StoredToken<Payload> | null> {
  const row = await db
    .prepare(
      `SELECT subject, payload, created_at FROM tokens
       WHERE hash = ?1 AND purpose = ?2 AND expires_at > ?3 AND used_by IS NULL`,
    )
    .bind(hash, purpose, now)
    .first<{ subject: string; payload: string; created_at: number }>();
  if (row === null) return null;
  return { subject: row.subject, payload: JSON.parse(row.payload) as Payload, createdAt: row.created_at };
}

/**
 * Uses the token, if the condition holds: of concurrent requests, one. The result has a row if it is this one. Idempotent:
 * a repeated batch finds the token used by itself.
 */
export function claimToken(
  batch: Batch,
  { hash, useId }: Claim,
  now: number,
  condition: Condition = ALWAYS,
): Result<{ hash: string }> {
  return batch.sql`UPDATE tokens SET used_by = ${useId}
    WHERE hash = ${hash} AND expires_at > ${now} AND (used_by IS NULL OR used_by = ${useId})
      AND ${condition} RETURNING hash`;
}

/** Holds if {@link claimToken} would succeed. */
export function claimable({ hash, useId }: Claim, now: number): Condition {
  return (parameters) => {
    const use = parameters.add(useId);
    return `EXISTS (SELECT 1 FROM tokens WHERE hash = ${parameters.add(hash)} AND expires_at > ${parameters.add(now)}
      AND (used_by IS NULL OR used_by = ${use}))`;
  };
}

/** Holds if the claim succeeded. */
export function claimed({ hash, useId }: Claim): Condition {
  return holds`EXISTS (SELECT 1 FROM tokens WHERE hash = ${hash} AND used_by = ${useId})`;
}

/** Holds if there is a token with this hash. */
export function tokenStored(hash: string): Condition {
  return holds`EXISTS (SELECT 1 FROM tokens WHERE hash = ${hash})`;
}

/** Deletes the unused tokens of the subject for these purposes, if the condition holds. */
export function voidTokens(batch: Batch, subject: string, purposes: readonly Purpose[], condition: Condition): void {
  batch.sql`DELETE FROM tokens
    WHERE subject = ${subject} AND purpose IN (SELECT value FROM json_each(${JSON.stringify(purposes)})) AND used_by IS NULL
      AND ${condition}`;
}

/** Deletes the unused tokens of the subject for these purposes that were made at or after `since`, if the condition holds. */
export function voidTokensSince(
  batch: Batch,
  subject: string,
  purposes: readonly Purpose[],
  since: number,
  condition: Condition,
): void {
  batch.sql`DELETE FROM tokens
    WHERE subject = ${subject} AND purpose IN (SELECT value FROM json_each(${JSON.stringify(purposes)}))
      AND created_at >= ${since} AND used_by IS NULL
      AND ${condition}`;
}

/** Deletes up to `limit` expired tokens, and returns their number. */
export async function deleteExpiredTokens(db: D1Database, now: number, limit: number): Promise<number> {
  const { meta } = await db
    .prepare("DELETE FROM tokens WHERE hash IN (SELECT hash FROM tokens WHERE expires_at <= ?1 LIMIT ?2)")
    .bind(now, limit)
    .run();
  return meta.changes;
}
