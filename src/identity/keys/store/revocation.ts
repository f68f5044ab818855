import { Batch, type Result, addCheck } from "../../../platform/database/batch.ts";
import { holds, Parameters, type Condition } from "../../../platform/database/parameters.ts";
import type { KeyChange } from "./keys.ts";

export type RevokeOutcome = "revoked" | "not_found" | "forbidden" | "demoted";

/** Revokes a key permanently. Idempotent. */
export async function revokeKey(
  db: D1Database,
  accountId: number,
  id: string,
  now: number,
  { isAllowed, record }: KeyChange,
): Promise<RevokeOutcome> {
  const batch = new Batch(db);
  const owner = readOwner(batch, id);
  const check = addCheck(batch, isAllowed);
  batch.sql`UPDATE api_keys SET revoked_at = ${now}
    WHERE id = ${id} AND account_id = ${accountId} AND revoked_at IS NULL AND ${isAllowed}`;
  record(batch, revokedAt(id, accountId, now));
  await batch.commitWithRetry();
  return toOutcome(owner, accountId, check);
}

/** Holds if the key was revoked at this time. */
function revokedAt(id: string, accountId: number, now: number): Condition {
  return holds`EXISTS (SELECT 1 FROM api_keys WHERE id = ${id} AND account_id = ${accountId}
    AND revoked_at = ${now})`;
}

/** The key ?1 of the account ?2 and its descendants: the keys that it created, those that these created, and so on. */
const FAMILY = `WITH RECURSIVE family (id) AS (
  SELECT id FROM api_keys WHERE id = ?1 AND account_id = ?2
  UNION SELECT k.id FROM family f JOIN api_keys k INDEXED BY api_keys_by_creator ON k.created_by_key = f.id)`;

/**
 * Revokes a key and its descendants permanently, in one statement. Idempotent. Revokes none of them if the calling key is
 * one of them; null: a person calls.
 */
export async function revokeFamily(
  db: D1Database,
  accountId: number,
  id: string,
  callingKeyId: string | null,
  now: number,
  { isAllowed, record }: KeyChange,
): Promise<RevokeOutcome | "includes_caller"> {
  const batch = new Batch(db);
  const owner = readOwner(batch, id);
  const caller = batch.add(`${FAMILY} SELECT 1 FROM family WHERE id = ?3`, [id, accountId, callingKeyId]);
  const check = addCheck(batch, isAllowed);
  const parameters = new Parameters([id, accountId, callingKeyId, now]);
  batch.add(
    `${FAMILY} UPDATE api_keys SET revoked_at = ?4
     WHERE id IN (SELECT id FROM family) AND revoked_at IS NULL AND coalesce(?3, '') NOT IN (SELECT id FROM family)
       AND ${isAllowed(parameters)}`,
    parameters.values,
  );
  record(batch, revokedAt(id, accountId, now));
  await batch.commitWithRetry();
  return caller.first === undefined ? toOutcome(owner, accountId, check) : "includes_caller";
}

function readOwner(batch: Batch, id: string): Result<{ account_id: number }> {
  return batch.add("SELECT account_id FROM api_keys WHERE id = ?1", [id]);
}

function toOutcome(
  { first }: Result<{ account_id: number }>,
  accountId: number,
  check: Result<unknown>,
): RevokeOutcome {
  if (first === undefined) return "not_found";
  if (first.account_id !== accountId) return "forbidden";
  return check.first === undefined ? "demoted" : "revoked";
}
