import { KEY_PREFIX } from "../auth/key.ts";
import type { Permission } from "../auth/permissions.ts";
import { toPermissions } from "../auth/store.ts";
import { Batch } from "../database/batch.ts";
import type { Page } from "../http/pagination.ts";
import { MAX_ACTIVE_KEYS_PER_ACCOUNT } from "../limits.ts";
import type { ApiKey } from "./contract.ts";

interface KeyRow {
  id: string;
  name: string;
  last_four: string;
  permissions: string;
  created_at: number;
  last_used_at: number | null;
  expires_at: number | null;
  revoked_at: number | null;
}

const COLUMNS = "id, name, last_four, permissions, created_at, last_used_at, expires_at, revoked_at";

function toApiKey(row: KeyRow, now: number): ApiKey {
  return {
    id: row.id,
    name: row.name,
    prefix: KEY_PREFIX,
    lastFour: row.last_four,
    status: row.revoked_at === null ? "active" : "revoked",
    permissions: toPermissions(row.permissions),
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    expiresAt: row.expires_at,
    expired: row.expires_at !== null && row.expires_at <= now,
  };
}

export interface NewKey {
  id: string;
  accountId: number;
  name: string;
  hash: string;
  lastFour: string;
  permissions: readonly Permission[];
  expiresAt: number | null;
}

/**
 * Stores a key. Returns null if the account already has {@link MAX_ACTIVE_KEYS_PER_ACCOUNT}. The count is a condition of
 * the insert, so concurrent requests cannot exceed the limit.
 */
export async function insertKey(db: D1Database, key: NewKey, now: number): Promise<ApiKey | null> {
  const active = "FROM api_keys WHERE account_id = ?2 AND revoked_at IS NULL AND expires_at";
  const batch = new Batch(db);
  batch.add(
    `INSERT INTO api_keys (id, account_id, name, hash, last_four, permissions, created_at, expires_at)
     SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8
     WHERE (SELECT count(*) ${active} IS NULL) + (SELECT count(*) ${active} > ?7) < ?9
     ON CONFLICT (id) DO NOTHING`,
    [
      key.id,
      key.accountId,
      key.name,
      key.hash,
      key.lastFour,
      JSON.stringify(key.permissions),
      now,
      key.expiresAt,
      MAX_ACTIVE_KEYS_PER_ACCOUNT,
    ],
  );
  const stored = batch.add<KeyRow>(`SELECT ${COLUMNS} FROM api_keys WHERE id = ?1`, [key.id]);
  await batch.commitWithRetry();
  return stored.first === undefined ? null : toApiKey(stored.first, now);
}

/** The account's keys including revoked ones, newest first; one more than the page holds. */
export async function listKeys(db: D1Database, accountId: number, page: Page, now: number): Promise<ApiKey[]> {
  const { results } = await db
    .prepare(
      `SELECT ${COLUMNS} FROM api_keys WHERE account_id = ?1 AND id < ?2
       ORDER BY id DESC LIMIT ?3 OFFSET ?4`,
    )
    .bind(accountId, page.after ?? "~", page.limit + 1, page.offset)
    .all<KeyRow>();
  return results.map((row) => toApiKey(row, now));
}

export type RevokeOutcome = "revoked" | "not_found" | "forbidden";

/** Revokes a key permanently (3.2). Idempotent. */
export async function revokeKey(db: D1Database, accountId: number, id: string, now: number): Promise<RevokeOutcome> {
  const batch = new Batch(db);
  const key = batch.add<{ account_id: number }>("SELECT account_id FROM api_keys WHERE id = ?1", [id]);
  batch.add("UPDATE api_keys SET revoked_at = ?3 WHERE id = ?1 AND account_id = ?2 AND revoked_at IS NULL", [
    id,
    accountId,
    now,
  ]);
  await batch.commitWithRetry();
  if (key.first === undefined) return "not_found";
  return key.first.account_id === accountId ? "revoked" : "forbidden";
}
