import type { LinkDefaults } from "../context.ts";
import { PERMISSIONS, type Permission } from "./permissions.ts";

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
  linkDefaults: LinkDefaults | null;
}

interface CredentialRow {
  id: string;
  account_id: number;
  permissions: string;
  last_used_at: number | null;
  expires_at: number | null;
  revoked_at: number | null;
  disabled_at: number | null;
  link_defaults: string | null;
}

/** The key with this hash. Reads two rows, of the key and of its account, from the primary, so that a revocation takes effect at once. */
export async function findCredential(db: D1Database, hash: string): Promise<Credential | null> {
  const row = await db
    .prepare(
      `SELECT k.id, k.account_id, k.permissions, k.last_used_at, k.expires_at, k.revoked_at, a.disabled_at, a.link_defaults
       FROM api_keys k JOIN accounts a ON a.id = k.account_id WHERE k.hash = ?1`,
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
    isDisabled: row.disabled_at !== null,
    linkDefaults: row.link_defaults === null ? null : (JSON.parse(row.link_defaults) as LinkDefaults),
  };
}

export async function recordUse(db: D1Database, id: string, now: number, country: string | null): Promise<void> {
  await db
    .prepare(
      "UPDATE api_keys SET last_used_at = max(coalesce(last_used_at, 0), ?2), last_used_country = ?3 WHERE id = ?1",
    )
    .bind(id, now, country)
    .run();
}

/** The permissions of a stored key. Permissions that no longer exist are left out. */
export function toPermissions(json: string): Permission[] {
  const stored = JSON.parse(json) as string[];
  return PERMISSIONS.filter((permission) => stored.includes(permission));
}
