import { KEY_PREFIX } from "../../../platform/auth/key.ts";
import { toPermissions } from "../../../platform/auth/store/keys.ts";
import type { ApiKey, Creator } from "../contract.ts";

export interface KeyRow {
  id: string;
  name: string;
  last_four: string;
  permissions: string;
  created_at: number;
  last_used_at: number | null;
  expires_at: number | null;
  revoked_at: number | null;
  created_by_key: string | null;
  created_by_user: string | null;
  creator_name: string | null;
  last_used_country: string | null;
}

export const KEYS = `SELECT k.id, k.name, k.last_four, k.permissions, k.created_at, k.last_used_at, k.expires_at, k.revoked_at,
    k.created_by_key, k.created_by_user, coalesce(c.name, u.name) AS creator_name, k.last_used_country
  FROM api_keys k LEFT JOIN api_keys c ON c.id = k.created_by_key LEFT JOIN users u ON u.id = k.created_by_user`;

export function toApiKey(row: KeyRow, now: number): ApiKey {
  return {
    id: row.id,
    name: row.name,
    prefix: KEY_PREFIX,
    lastFour: row.last_four,
    status: row.revoked_at === null ? "active" : "revoked",
    permissions: toPermissions(row.permissions),
    createdBy: toCreator(row),
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    lastUsedCountry: row.last_used_country,
    expiresAt: row.expires_at,
    expired: row.expires_at !== null && row.expires_at <= now,
  };
}

function toCreator(row: KeyRow): Creator | null {
  const name = row.creator_name;
  if (row.created_by_key !== null) return { type: "key", id: row.created_by_key, name };
  return row.created_by_user === null ? null : { type: "user", id: row.created_by_user, name };
}
