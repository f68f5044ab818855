import type { Batch, Result } from "../../../../platform/database/batch.ts";
import { holds, Parameters, type Condition } from "../../../../platform/database/parameters.ts";
import { MAX_PASSKEYS_PER_USER } from "../../limits.ts";

/** A passkey of a person. Binary values are in base64url. */
export interface Passkey {
  id: string;
  userId: string;
  name: string;
  credentialId: string;
  userHandle: string;
  publicKey: string;
  counter: number;
  transports: string[];
  isSynced: boolean;
  createdAt: number;
  lastUsedAt: number | null;
}

interface PasskeyRow {
  id: string;
  user_id: string;
  name: string;
  credential_id: string;
  user_handle: string;
  public_key: string;
  counter: number;
  transports: string;
  is_synced: number;
  created_at: number;
  last_used_at: number | null;
}

const COLUMNS =
  "id, user_id, name, credential_id, user_handle, public_key, counter, transports, is_synced, created_at, last_used_at";

function toPasskey(row: PasskeyRow): Passkey {
  return {
    id: row.id,
    userId: row.user_id,
    name: row.name,
    credentialId: row.credential_id,
    userHandle: row.user_handle,
    publicKey: row.public_key,
    counter: row.counter,
    transports: JSON.parse(row.transports) as string[],
    isSynced: row.is_synced === 1,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  };
}

/** The passkeys of a user, oldest first. */
export async function listPasskeys(db: D1Database, userId: string): Promise<Passkey[]> {
  const { results } = await db
    .prepare(`SELECT ${COLUMNS} FROM passkeys WHERE user_id = ?1 ORDER BY id`)
    .bind(userId)
    .all<PasskeyRow>();
  return results.map(toPasskey);
}

export async function findPasskey(db: D1Database, credentialId: string): Promise<Passkey | null> {
  const row = await db
    .prepare(`SELECT ${COLUMNS} FROM passkeys WHERE credential_id = ?1`)
    .bind(credentialId)
    .first<PasskeyRow>();
  return row === null ? null : toPasskey(row);
}

export type NewPasskey = Omit<Passkey, "createdAt" | "lastUsedAt">;

/**
 * Adds a passkey, if the condition holds, nobody has the credential and the user has fewer than
 * {@link MAX_PASSKEYS_PER_USER}. Idempotent.
 */
export function addPasskey(batch: Batch, passkey: NewPasskey, now: number, condition: Condition): void {
  const { id, userId, name, credentialId, userHandle, publicKey, counter, transports, isSynced } = passkey;
  const values = [id, userId, name, credentialId, userHandle, publicKey, counter, JSON.stringify(transports)];
  const parameters = new Parameters([...values, isSynced ? 1 : 0, now, MAX_PASSKEYS_PER_USER]);
  batch.add(
    `INSERT INTO passkeys (id, user_id, name, credential_id, user_handle, public_key, counter, transports, is_synced, created_at)
     SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10
     WHERE (SELECT count(*) FROM passkeys WHERE user_id = ?2) < ?11 AND ${condition(parameters)} ON CONFLICT DO NOTHING`,
    parameters.values,
  );
}

/** Holds if the user has this passkey. */
export function hasPasskey(userId: string, id: string): Condition {
  return holds`EXISTS (SELECT 1 FROM passkeys WHERE id = ${id} AND user_id = ${userId})`;
}

/** Records a use, if the condition holds. `counter` is that of the authenticator. */
export function recordPasskeyUse(batch: Batch, id: string, counter: number, now: number, condition: Condition): void {
  batch.sql`UPDATE passkeys SET counter = max(counter, ${counter}), last_used_at = ${now}
    WHERE id = ${id} AND ${condition}`;
}

/** Renames a passkey of the user. The result has a row if there was one. */
export function renamePasskey(batch: Batch, userId: string, id: string, name: string): Result<PasskeyRow> {
  return batch.add<PasskeyRow>(`UPDATE passkeys SET name = ?3 WHERE user_id = ?1 AND id = ?2 RETURNING ${COLUMNS}`, [
    userId,
    id,
    name,
  ]);
}

export function passkeyOf(result: Result<PasskeyRow>): Passkey | null {
  return result.first === undefined ? null : toPasskey(result.first);
}

/** Deletes a passkey of the user, if the condition holds. The result has a row if there was one. */
export function deletePasskey(batch: Batch, userId: string, id: string, condition: Condition): Result<{ id: string }> {
  return batch.sql`DELETE FROM passkeys WHERE user_id = ${userId} AND id = ${id} AND ${condition} RETURNING id`;
}
