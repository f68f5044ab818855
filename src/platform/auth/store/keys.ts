import { isDeletedAccount, isUntrustedAccount } from "../../database/account-states.ts";
import { PERMISSIONS, type Permission } from "../permissions.ts";
import type { LinkDefaults } from "../principal.ts";

/** The columns of a key that authentication needs. */
export interface Credential {
  id: string;
  accountId: number;
  permissions: Permission[];
  lastUsedAt: number | null;
  expiresAt: number | null;
  revokedAt: number | null;
  /** Whether the operator has disabled the account. */
  isDisabled: boolean;
  /** Whether the account is deleted. */
  isDeleted: boolean;
  linkDefaults: LinkDefaults | null;
  /** Whether the account is not trusted yet. */
  isUntrusted: boolean;
  /** With limits by key: how many times the rate limits each key of the account has. Null: limits by address. */
  rateLimitFactor: number | null;
}

interface CredentialRow {
  id: string;
  account_id: number;
  permissions: string;
  last_used_at: number | null;
  expires_at: number | null;
  revoked_at: number | null;
  account_disabled_at: number | null;
  is_deleted: number;
  link_defaults: string | null;
  rate_limit_factor: number | null;
  is_untrusted: number;
}

/** The key with this hash. Reads one row by a unique index, from the primary, so that a revocation takes effect at once. */
export async function findCredential(db: D1Database, hash: string): Promise<Credential | null> {
  const row = await db
    .prepare(
      `SELECT id, account_id, permissions, last_used_at, expires_at, revoked_at, account_disabled_at, link_defaults,
         rate_limit_factor, ${isUntrustedAccount("api_keys.account_id")} AS is_untrusted, ${isDeletedAccount("api_keys.account_id")} AS is_deleted
       FROM api_keys WHERE hash = ?1`,
    )
    .bind(hash)
    .first<CredentialRow>();
  if (row === null) return null;
  return {
    id: row.id,
    accountId: row.account_id,
    permissions: toPermissions(row.permissions),
    lastUsedAt: row.last_used_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    isDisabled: row.account_disabled_at !== null,
    isDeleted: row.is_deleted === 1,
    linkDefaults: row.link_defaults === null ? null : (JSON.parse(row.link_defaults) as LinkDefaults),
    isUntrusted: row.is_untrusted === 1,
    rateLimitFactor: row.rate_limit_factor,
  };
}

interface Use {
  now: number;
  country: string | null;
  /** Unix milliseconds. A key that was used later than this is left as it is, and no row is written. */
  before: number;
}

export async function recordUse(db: D1Database, id: string, { now, country, before }: Use): Promise<void> {
  await db
    .prepare(
      `UPDATE api_keys SET last_used_at = ?2, last_used_country = ?3
       WHERE id = ?1 AND (last_used_at IS NULL OR last_used_at <= ?4)`,
    )
    .bind(id, now, country, before)
    .run();
}

/** The permissions of a stored key. Permissions that no longer exist are left out. */
export function toPermissions(json: string): Permission[] {
  const stored = JSON.parse(json) as string[];
  return PERMISSIONS.filter((permission) => stored.includes(permission));
}
