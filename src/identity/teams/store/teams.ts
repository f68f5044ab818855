import type { Role } from "../../../platform/auth/roles.ts";
import type { Batch, Result } from "../../../platform/database/batch.ts";
import type { Condition } from "../../../platform/database/parameters.ts";
import { boundsOf, type Page } from "../../../platform/http/pagination.ts";
import { DELETED_ACCOUNT_KEPT_MS } from "../../../limits.ts";
import type { TeamBody } from "../schemas.ts";
import { MAX_TEAMS_PER_OWNER } from "../limits.ts";

interface TeamRow {
  id: string;
  name: string;
  role: Role;
  require_mfa: number;
  created_at: number;
  deleted_at: number | null;
}

const TEAMS = `SELECT a.uuid AS id, a.name, m.role, a.require_mfa, a.created_at, a.deleted_at
  FROM memberships m JOIN accounts a ON a.id = m.account_id AND a.personal_user_id IS NULL`;

function toTeam({ id, name, role, require_mfa, created_at, deleted_at }: TeamRow): TeamBody {
  const deletesAt = deleted_at === null ? null : deleted_at + DELETED_ACCOUNT_KEPT_MS;
  return { id, name, role, requireMfa: require_mfa === 1, createdAt: created_at, deletesAt };
}

/** The team as the member sees it; null: the user is no member. */
export async function findTeam(db: D1Database, accountId: number, userId: string): Promise<TeamBody | null> {
  const row = await db
    .prepare(`${TEAMS} WHERE m.user_id = ?1 AND m.account_id = ?2`)
    .bind(userId, accountId)
    .first<TeamRow>();
  return row === null ? null : toTeam(row);
}

export async function findTeamName(db: D1Database, accountId: number): Promise<string> {
  const name = await db.prepare("SELECT name FROM accounts WHERE id = ?1").bind(accountId).first<string>("name");
  return name ?? "";
}

/** The user's teams, newest first; one more than the page holds. */
export async function listTeams(db: D1Database, userId: string, page: Page): Promise<TeamBody[]> {
  const { results } = await db
    .prepare(`${TEAMS} WHERE m.user_id = ?1 AND a.uuid < ?2 ORDER BY a.uuid DESC LIMIT ?3 OFFSET ?4`)
    .bind(userId, ...boundsOf(page))
    .all<TeamRow>();
  return results.map(toTeam);
}

export interface NewTeam {
  /** Its id in the API. */
  uuid: string;
  name: string;
  ownerId: string;
}

/** Adds a team, unless the owner has {@link MAX_TEAMS_PER_OWNER}. Idempotent. The result has a row if it was added. */
export function addTeam(batch: Batch, { uuid, name, ownerId }: NewTeam, now: number): Result<{ id: number }> {
  batch.add(
    `INSERT INTO accounts (uuid, name, created_at, trust_at)
     SELECT ?1, ?2, ?3, (SELECT trust_at FROM accounts WHERE personal_user_id = ?4)
     WHERE (SELECT count(*) FROM memberships m JOIN accounts a ON a.id = m.account_id
       WHERE m.user_id = ?4 AND m.role = 'owner' AND a.personal_user_id IS NULL AND a.deleted_at IS NULL) < ?5
     ON CONFLICT (uuid) DO NOTHING`,
    [uuid, name, now, ownerId, MAX_TEAMS_PER_OWNER],
  );
  batch.add(
    `INSERT INTO memberships (account_id, user_id, role, joined_at)
     SELECT id, ?2, 'owner', ?3 FROM accounts WHERE uuid = ?1 ON CONFLICT DO NOTHING`,
    [uuid, ownerId, now],
  );
  return batch.add<{ id: number }>("SELECT id FROM accounts WHERE uuid = ?1", [uuid]);
}

export interface TeamChanges {
  name?: string | undefined;
  requireMfa?: boolean | undefined;
}

/** Changes what is given, if the condition holds. Idempotent. */
export function updateTeam(
  batch: Batch,
  accountId: number,
  { name, requireMfa }: TeamChanges,
  condition: Condition,
): void {
  const flag = requireMfa === undefined ? null : Number(requireMfa);
  batch.sql`UPDATE accounts SET name = coalesce(${name ?? null}, name), require_mfa = coalesce(${flag}, require_mfa)
    WHERE id = ${accountId} AND ${condition}`;
}
