import { toScopes, type AppResource } from "../scopes.ts";
import { permissionsOf, type Role } from "../roles.ts";
import type { AppPrincipal, LinkDefaults } from "../principal.ts";
import { factorGiven, isDisabledPerson } from "./conditions.ts";
import { GRANT_IDLE_TTL_MS } from "../limits.ts";
import { isDeletedPerson } from "../../database/account-states.ts";

/** What authentication needs of an access token, with the state of all that it depends on. */
export interface AppCredential {
  principal: Omit<AppPrincipal, "origin">;
  lastUsedAt: number | null;
  /** Whether the token or the grant has expired. */
  isExpired: boolean;
  /** Whether the operator has disabled the account or the person. */
  isDisabled: boolean;
  /** Whether the account or the person is deleted. */
  isDeleted: boolean;
  /** Whether the account needs a second factor that the person did not give when the app was connected. */
  lacksFactor: boolean;
}

interface Row {
  grant_id: string;
  account_id: number;
  account_name: string;
  user_id: string;
  email: string;
  client_name: string;
  scopes: string;
  refused_scopes: string;
  role: Role;
  link_defaults: string | null;
  is_untrusted: number;
  confirmed_at: number;
  last_used_at: number | null;
  is_expired: number;
  is_disabled: number;
  is_deleted: number;
  lacks_factor: number;
}

/**
 * The app with this access token for the resource; null: the token is unknown or for another resource, or the grant or the membership has ended. One read of the primary,
 * so that every end takes effect at once.
 */
export async function findApp(
  db: D1Database,
  hash: string,
  resource: AppResource,
  now: number,
): Promise<AppCredential | null> {
  const row = await db
    .prepare(
      `SELECT g.id AS grant_id, g.account_id, a.name AS account_name, g.user_id, u.email, g.client_name, g.scopes, g.refused_scopes,
         m.role, a.link_defaults, a.trust_at IS NOT NULL AS is_untrusted, coalesce(g.confirmed_at, 0) AS confirmed_at, g.last_used_at, t.expires_at <= ?2 OR g.expires_at <= ?2 AS is_expired,
         a.disabled_at IS NOT NULL OR ${isDisabledPerson("g.user_id")} AS is_disabled,
         a.deleted_at IS NOT NULL OR ${isDeletedPerson("g.user_id")} AS is_deleted,
         a.require_mfa = 1 AND NOT ${factorGiven("g")} AS lacks_factor
       FROM oauth_tokens t CROSS JOIN oauth_grants g ON g.id = t.grant_id
         CROSS JOIN memberships m ON m.account_id = g.account_id AND m.user_id = g.user_id
         CROSS JOIN accounts a ON a.id = g.account_id CROSS JOIN users u ON u.id = g.user_id
       WHERE t.hash = ?1 AND t.kind = 'access' AND g.resource = ?3`,
    )
    .bind(hash, now, resource)
    .first<Row>();
  return row === null ? null : toCredential(row, resource);
}

/** Records that the app was used, and postpones the end of its grant. */
export async function recordAppUse(db: D1Database, grantId: string, now: number): Promise<void> {
  await db
    .prepare("UPDATE oauth_grants SET last_used_at = max(coalesce(last_used_at, 0), ?2), expires_at = ?3 WHERE id = ?1")
    .bind(grantId, now, now + GRANT_IDLE_TTL_MS)
    .run();
}

function toCredential(row: Row, resource: AppResource): AppCredential {
  const scopes = toScopes(row.scopes);
  return {
    principal: {
      type: "app",
      accountId: row.account_id,
      accountName: row.account_name,
      user: { id: row.user_id, email: row.email },
      grantId: row.grant_id,
      resource,
      confirmedAt: row.confirmed_at,
      appName: row.client_name,
      role: row.role,
      permissions: permissionsOf(row.role).filter((permission) => (scopes as string[]).includes(permission)),
      refused: toScopes(row.refused_scopes),
      linkDefaults: row.link_defaults === null ? null : (JSON.parse(row.link_defaults) as LinkDefaults),
      isUntrusted: row.is_untrusted === 1,
    },
    lastUsedAt: row.last_used_at,
    isExpired: row.is_expired === 1,
    isDisabled: row.is_disabled === 1,
    isDeleted: row.is_deleted === 1,
    lacksFactor: row.lacks_factor === 1,
  };
}
