import type { Role } from "../../../platform/auth/roles.ts";
import { DELETED_ACCOUNT_KEPT_MS } from "../../../limits.ts";
import type { AccountOfUser, ActingAccount, Session } from "../session.ts";
import { ALIVE, SESSION_COLUMNS, type SessionRow, SESSIONS, toSession } from "./row.ts";
import { ends } from "../../../platform/auth/store/conditions.ts";
import type { LinkDefaults } from "../../../platform/auth/principal.ts";

/** The accounts that a user is a member of, and the one that a session acts for. */

interface ActingAccountRow {
  account_id: number | null;
  role: Role;
  require_mfa: number;
  disabled_at: number | null;
  deleted_at: number | null;
  link_defaults: string | null;
  is_untrusted: number;
}

const SETTINGS = "a.require_mfa, a.disabled_at, a.deleted_at, a.link_defaults, a.trust_at IS NOT NULL AS is_untrusted";

const ACTING_COLUMNS = `a.id AS account_id, m.role, ${SETTINGS}`;

function toActingAccount(row: ActingAccountRow | null): ActingAccount | null {
  if (row?.account_id == null) return null;
  return {
    id: row.account_id,
    role: row.role,
    requiresMfa: row.require_mfa === 1,
    isDisabled: row.disabled_at !== null,
    isDeleted: row.deleted_at !== null,
    linkDefaults: row.link_defaults === null ? null : (JSON.parse(row.link_defaults) as LinkDefaults),
    isUntrusted: row.is_untrusted === 1,
  };
}

/** A session with the account that it acts for; null: the user is no member of it. */
export interface ActingSession {
  session: Session;
  account: ActingAccount | null;
}

/** The session with this hash, unless it has ended, and an account: that of `accountUuid`, or the user's personal one for null. */
export async function findActingSession(
  db: D1Database,
  hash: string,
  accountUuid: string | null,
  now: number,
): Promise<ActingSession | null> {
  const row = await db
    .prepare(
      `SELECT ${SESSION_COLUMNS}, ${ACTING_COLUMNS} ${SESSIONS}
       LEFT JOIN memberships m ON m.user_id = s.user_id AND m.account_id = CASE WHEN ?4 IS NULL
         THEN (SELECT id FROM accounts WHERE personal_user_id = s.user_id)
         ELSE (SELECT id FROM accounts WHERE uuid = ?4) END
       LEFT JOIN accounts a ON a.id = m.account_id
       WHERE ${ALIVE} AND s.hash = ?3`,
    )
    .bind(...ends(now), hash, accountUuid)
    .first<SessionRow & ActingAccountRow>();
  return row === null ? null : { session: toSession(row), account: toActingAccount(row) };
}

/** A team, and what the user is there; `account` is null if the user is no member. */
export interface TeamAccess {
  account: ActingAccount | null;
}

/** Returns null if there is no such team. */
export async function findTeamAccess(db: D1Database, teamUuid: string, userId: string): Promise<TeamAccess | null> {
  const row = await db
    .prepare(
      `SELECT iif(m.role IS NULL, NULL, a.id) AS account_id, m.role, ${SETTINGS}
       FROM accounts a LEFT JOIN memberships m ON m.account_id = a.id AND m.user_id = ?2
       WHERE a.uuid = ?1 AND a.personal_user_id IS NULL`,
    )
    .bind(teamUuid, userId)
    .first<ActingAccountRow>();
  return row === null ? null : { account: toActingAccount(row) };
}

/** The accounts of the user: the personal one first, then the teams by name. */
export async function listAccounts(db: D1Database, userId: string): Promise<AccountOfUser[]> {
  const { results } = await db
    .prepare(
      `SELECT a.uuid AS id, a.name, iif(a.personal_user_id IS NULL, 'team', 'personal') AS kind, m.role, a.deleted_at + ?2 AS deletesAt
       FROM memberships m JOIN accounts a ON a.id = m.account_id WHERE m.user_id = ?1
       ORDER BY a.personal_user_id IS NULL, a.name, a.id`,
    )
    .bind(userId, DELETED_ACCOUNT_KEPT_MS)
    .all<AccountOfUser>();
  return results;
}
