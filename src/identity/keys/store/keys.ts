import type { Permission } from "../../../platform/auth/permissions.ts";
import { Batch, addCheck } from "../../../platform/database/batch.ts";
import { ALWAYS, holds, Parameters, type Condition } from "../../../platform/database/parameters.ts";
import { boundsOf, type Page } from "../../../platform/http/pagination.ts";
import { MAX_ACTIVE_KEYS_PER_ACCOUNT } from "../../../limits.ts";
import type { ApiKey, Creator } from "../contract.ts";
import { KEYS, toApiKey, type KeyRow } from "./row.ts";

export interface NewKey {
  id: string;
  accountId: number;
  name: string;
  hash: string;
  lastFour: string;
  permissions: readonly Permission[];
  expiresAt: number | null;
  /** null: the operator creates it. */
  createdBy: Omit<Creator, "name"> | null;
}

/** A change of a key by a caller, as its batch guards and records it. */
export interface KeyChange {
  /** Holds while the caller may make it. */
  isAllowed: Condition;
  /** Adds to the batch what records it. The condition holds if the change was made by this batch. */
  record: (batch: Batch, condition: Condition) => void;
}

/** A change by the operator. */
const BY_OPERATOR: KeyChange = { isAllowed: ALWAYS, record: () => undefined };

export type InsertOutcome =
  | { outcome: "created"; key: ApiKey }
  | { outcome: "limit_reached" }
  | { outcome: "creator_revoked" }
  | { outcome: "creator_demoted" };

/**
 * Stores a key, unless the account already has {@link MAX_ACTIVE_KEYS_PER_ACCOUNT}, the creating key was revoked, or the
 * creating person lost the role. All are conditions of the insert: concurrent requests cannot exceed the limit, and no key is
 * created by one that is being revoked with its descendants.
 */
export async function insertKey(
  db: D1Database,
  key: NewKey,
  now: number,
  { isAllowed, record }: KeyChange = BY_OPERATOR,
): Promise<InsertOutcome> {
  const active = "FROM api_keys WHERE account_id = ?2 AND revoked_at IS NULL AND expires_at";
  const creatingKey = key.createdBy?.type === "key" ? key.createdBy.id : null;
  const creatingUser = key.createdBy?.type === "user" ? key.createdBy.id : null;
  const parameters = new Parameters([
    key.id,
    key.accountId,
    key.name,
    key.hash,
    key.lastFour,
    JSON.stringify(key.permissions),
    now,
    key.expiresAt,
    MAX_ACTIVE_KEYS_PER_ACCOUNT,
    creatingKey,
    creatingUser,
  ]);
  const batch = new Batch(db);
  const permitted = addCheck(batch, isAllowed);
  batch.add(
    `INSERT INTO api_keys (id, account_id, name, hash, last_four, permissions, created_at, expires_at, created_by_key,
       created_by_user, descends_from)
     SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?10, ?11,
       coalesce(?11, (SELECT descends_from FROM api_keys WHERE id = ?10))
     WHERE (SELECT count(*) ${active} IS NULL) + (SELECT count(*) ${active} > ?7) < ?9
       AND NOT EXISTS (SELECT 1 FROM api_keys WHERE id = ?10 AND revoked_at IS NOT NULL) AND ${isAllowed(parameters)}
     ON CONFLICT (id) DO NOTHING`,
    parameters.values,
  );
  record(batch, holds`EXISTS (SELECT 1 FROM api_keys WHERE id = ${key.id})`);
  const stored = batch.add<KeyRow>(`${KEYS} WHERE k.id = ?1`, [key.id]);
  const revoked = batch.add("SELECT 1 FROM api_keys WHERE id = ?1 AND revoked_at IS NOT NULL", [creatingKey]);
  await batch.commitWithRetry();
  if (stored.first !== undefined) return { outcome: "created", key: toApiKey(stored.first, now) };
  if (revoked.first !== undefined) return { outcome: "creator_revoked" };
  return { outcome: permitted.first === undefined ? "creator_demoted" : "limit_reached" };
}

/** The account's keys including revoked ones, newest first; one more than the page holds. */
export async function listKeys(db: D1Database, accountId: number, page: Page, now: number): Promise<ApiKey[]> {
  const { results } = await db
    .prepare(`${KEYS} WHERE k.account_id = ?1 AND k.id < ?2 ORDER BY k.id DESC LIMIT ?3 OFFSET ?4`)
    .bind(accountId, ...boundsOf(page))
    .all<KeyRow>();
  return results.map((row) => toApiKey(row, now));
}

/** A key with the account that it belongs to. */
export interface FoundKey {
  key: ApiKey;
  /** JSON, as they are stored. */
  permissions: string;
  accountId: number;
  account: { id: string; name: string };
}

export async function findKey(db: D1Database, id: string, now: number): Promise<FoundKey | null> {
  const batch = new Batch(db);
  const keys = batch.add<KeyRow>(`${KEYS} WHERE k.id = ?1`, [id]);
  const accounts = batch.add<{ id: number; uuid: string; name: string }>(
    "SELECT a.id, a.uuid, a.name FROM api_keys k JOIN accounts a ON a.id = k.account_id WHERE k.id = ?1",
    [id],
  );
  await batch.commit();
  const [row, account] = [keys.first, accounts.first];
  if (row === undefined || account === undefined) return null;
  const { permissions } = row;
  return {
    key: toApiKey(row, now),
    permissions,
    accountId: account.id,
    account: { id: account.uuid, name: account.name },
  };
}

/** A change of a key that had these permissions when it was read. */
export interface KeyUpdate {
  id: string;
  former: string;
  name?: string | undefined;
  permissions?: readonly Permission[] | undefined;
}

/** Changes a key, unless it is revoked, its permissions are not the former ones or the person lost the role. Returns the key; null: not changed. */
export async function updateKey(
  db: D1Database,
  { id, former, name, permissions }: KeyUpdate,
  now: number,
  { isAllowed, record }: KeyChange,
): Promise<ApiKey | null> {
  const batch = new Batch(db);
  const isFormer: Condition = holds`EXISTS (SELECT 1 FROM api_keys WHERE id = ${id} AND revoked_at IS NULL
    AND permissions = ${former}) AND ${isAllowed}`;
  record(batch, isFormer);
  const isUnchanged = addCheck(batch, isFormer);
  const list = permissions === undefined ? null : JSON.stringify(permissions);
  batch.sql`UPDATE api_keys SET name = coalesce(${name ?? null}, name), permissions = coalesce(${list}, permissions)
    WHERE id = ${id} AND ${isFormer}`;
  const stored = batch.add<KeyRow>(`${KEYS} WHERE k.id = ?1`, [id]);
  await batch.commit();
  return isUnchanged.first === undefined || stored.first === undefined ? null : toApiKey(stored.first, now);
}
