import type { Role } from "../../auth/roles.ts";
import { isDeletedPerson } from "../../database/deleted-accounts.ts";
import type { Batch, Result } from "../../database/batch.ts";
import { ALWAYS, Parameters, type Condition } from "../../database/parameters.ts";
import type { Page } from "../../http/pagination.ts";
import { firstIdAt } from "../../lib/uuid.ts";
import { DELETED_ACCOUNT_KEPT_MS, SESSION_IDLE_TTL_MS, SESSION_TTL_MS } from "../../limits.ts";
import type { LinkDefaults } from "../../context.ts";
import { factorExists } from "../factors/store/factors.ts";
import type { AccountOfUser, ActingAccount, Session } from "./session.ts";

interface SessionRow {
  id: string;
  hash: string;
  user_id: string;
  email: string;
  name: string;
  user_created_at: number;
  created_at: number;
  last_seen_at: number;
  confirmed_at: number;
  device: string;
  browser: string;
  os: string;
  country: string | null;
  has_factor: number;
  is_deleted: number;
}

const COLUMNS = `s.id, s.hash, s.user_id, u.email, u.name, u.created_at AS user_created_at, s.created_at, s.last_seen_at,
  s.confirmed_at, s.device, s.browser, s.os, s.country, ${factorExists("s.user_id")} AS has_factor,
  ${isDeletedPerson("s.user_id")} AS is_deleted`;
const SESSIONS = "FROM sessions s JOIN users u ON u.id = s.user_id";
/** Needs the times of {@link ends} as the first two values. */
const ALIVE = "s.created_at > ?1 AND s.last_seen_at > ?2";

function ends(now: number): [number, number] {
  return [now - SESSION_TTL_MS, now - SESSION_IDLE_TTL_MS];
}

function toSession(row: SessionRow): Session {
  return {
    id: row.id,
    hash: row.hash,
    user: { id: row.user_id, email: row.email, name: row.name, createdAt: row.user_created_at },
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    confirmedAt: row.confirmed_at,
    device: row.device,
    browser: row.browser,
    os: row.os,
    country: row.country,
    hasFactor: row.has_factor === 1,
    isDeleted: row.is_deleted === 1,
  };
}

/** The session with this hash, unless it has ended. Read from the primary, so that a revocation takes effect at once. */
export async function findSession(db: D1Database, hash: string, now: number): Promise<Session | null> {
  const row = await db
    .prepare(`SELECT ${COLUMNS} ${SESSIONS} WHERE ${ALIVE} AND s.hash = ?3`)
    .bind(...ends(now), hash)
    .first<SessionRow>();
  return row === null ? null : toSession(row);
}

interface ActingAccountRow {
  account_id: number | null;
  role: Role;
  require_mfa: number;
  disabled_at: number | null;
  deleted_at: number | null;
  link_defaults: string | null;
}

const ACTING_COLUMNS = "a.id AS account_id, m.role, a.require_mfa, a.disabled_at, a.deleted_at, a.link_defaults";

function toActingAccount(row: ActingAccountRow | null): ActingAccount | null {
  if (row?.account_id == null) return null;
  return {
    id: row.account_id,
    role: row.role,
    requiresMfa: row.require_mfa === 1,
    isDisabled: row.disabled_at !== null,
    isDeleted: row.deleted_at !== null,
    linkDefaults: row.link_defaults === null ? null : (JSON.parse(row.link_defaults) as LinkDefaults),
  };
}

/** A session with the account that it acts for; null: the user is no member of it. */
export interface ActingSession {
  session: Session;
  account: ActingAccount | null;
}

/** As {@link findSession}, with an account: that of `accountUuid`, or the user's personal one for null. */
export async function findActingSession(
  db: D1Database,
  hash: string,
  accountUuid: string | null,
  now: number,
): Promise<ActingSession | null> {
  const row = await db
    .prepare(
      `SELECT ${COLUMNS}, ${ACTING_COLUMNS} ${SESSIONS}
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
      `SELECT iif(m.role IS NULL, NULL, a.id) AS account_id, m.role, a.require_mfa, a.disabled_at, a.deleted_at, a.link_defaults
       FROM accounts a LEFT JOIN memberships m ON m.account_id = a.id AND m.user_id = ?2
       WHERE a.uuid = ?1 AND a.personal_user_id IS NULL`,
    )
    .bind(teamUuid, userId)
    .first<ActingAccountRow>();
  return row === null ? null : { account: toActingAccount(row) };
}

export type NewSession = Omit<
  Session,
  "createdAt" | "lastSeenAt" | "confirmedAt" | "hasFactor" | "isDeleted" | "user"
> & {
  userId: string;
};

/** Adds a session that was confirmed just now, if the condition holds and the person is not disabled. Idempotent. */
export function addSession(
  batch: Batch,
  session: NewSession,
  now: number,
  condition: Condition,
): Result<{ id: string }> {
  const { id, hash, userId, device, browser, os, country } = session;
  const parameters = new Parameters([id, hash, userId, now, device, browser, os, country]);
  batch.add(
    `INSERT INTO sessions (id, hash, user_id, created_at, last_seen_at, confirmed_at, device, browser, os, country)
     SELECT ?1, ?2, ?3, ?4, ?4, ?4, ?5, ?6, ?7, ?8 WHERE ${condition(parameters)} AND ${isEnabled(userId)(parameters)}
     ON CONFLICT (id) DO NOTHING`,
    parameters.values,
  );
  return batch.add<{ id: string }>("SELECT id FROM sessions WHERE id = ?1", [id]);
}

/** Gives the session a new cookie, if the condition holds. `confirmedAt` is when the person last proved who they are. Idempotent. */
export function renewSession(
  batch: Batch,
  { id, hash }: Session,
  newHash: string,
  confirmedAt: number,
  condition: Condition = ALWAYS,
): void {
  const parameters = new Parameters([id, hash, newHash, confirmedAt]);
  batch.add(
    `UPDATE sessions SET hash = ?3, confirmed_at = ?4 WHERE id = ?1 AND hash = ?2 AND ${condition(parameters)}`,
    parameters.values,
  );
}

/** Records that the person has just proved who they are, if the condition holds. */
export function confirmSession(batch: Batch, id: string, now: number, condition: Condition): void {
  const parameters = new Parameters([id, now]);
  batch.add(`UPDATE sessions SET confirmed_at = ?2 WHERE id = ?1 AND ${condition(parameters)}`, parameters.values);
}

/** Makes the identity unconfirmed in the user's sessions but `exceptId`, if the condition holds. */
export function forgetOtherConfirmations(batch: Batch, userId: string, exceptId: string, condition: Condition): void {
  const parameters = new Parameters([userId, exceptId]);
  batch.add(
    `UPDATE sessions SET confirmed_at = 0 WHERE user_id = ?1 AND id <> ?2 AND ${condition(parameters)}`,
    parameters.values,
  );
}

/** Ends the user's sessions but `exceptId`, if the condition holds. */
export function endSessions(
  batch: Batch,
  userId: string,
  exceptId: string | null,
  condition: Condition = ALWAYS,
): Result<{ id: string }> {
  const parameters = new Parameters([userId, exceptId]);
  return batch.add(
    `DELETE FROM sessions WHERE user_id = ?1 AND id IS NOT ?2 AND ${condition(parameters)} RETURNING id`,
    parameters.values,
  );
}

/** Ends the session with this hash, if the condition holds. */
export function endFormerSession(batch: Batch, hash: string, condition: Condition): void {
  const parameters = new Parameters([hash]);
  batch.add(`DELETE FROM sessions WHERE hash = ?1 AND ${condition(parameters)}`, parameters.values);
}

/** Ends one session of the user. The result has a row if there was one. */
export function endSession(batch: Batch, userId: string, id: string): Result<{ id: string }> {
  return batch.add("DELETE FROM sessions WHERE user_id = ?1 AND id = ?2 RETURNING id", [userId, id]);
}

export async function recordSession(db: D1Database, hash: string, now: number, country: string | null): Promise<void> {
  await db
    .prepare("UPDATE sessions SET last_seen_at = max(last_seen_at, ?2), country = ?3 WHERE hash = ?1")
    .bind(hash, now, country)
    .run();
}

/** The user's sessions that have not ended, newest first; one more than the page holds. */
export async function listSessions(db: D1Database, userId: string, page: Page, now: number): Promise<Session[]> {
  const { results } = await db
    .prepare(
      `SELECT ${COLUMNS} ${SESSIONS} WHERE ${ALIVE} AND s.user_id = ?3 AND s.id < ?4
       ORDER BY s.id DESC LIMIT ?5 OFFSET ?6`,
    )
    .bind(...ends(now), userId, page.after ?? "~", page.limit + 1, page.offset)
    .all<SessionRow>();
  return results.map(toSession);
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

/** Deletes up to `limit` sessions that have ended, and returns their number. */
export async function deleteEndedSessions(db: D1Database, now: number, limit: number): Promise<number> {
  const { meta } = await db
    .prepare(
      `DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE last_seen_at <= ?1
         UNION SELECT id FROM sessions WHERE id < ?2 LIMIT ?3)`,
    )
    .bind(now - SESSION_IDLE_TTL_MS, firstIdAt(now - SESSION_TTL_MS), limit)
    .run();
  return meta.changes;
}

/** Holds if the user has this session. */
export function hasSession(userId: string, id: string): Condition {
  return (parameters) =>
    `EXISTS (SELECT 1 FROM sessions WHERE id = ${parameters.add(id)} AND user_id = ${parameters.add(userId)})`;
}

/** Holds unless the operator has disabled the person, which is to disable the personal account. */
export function isEnabled(userId: string): Condition {
  return (parameters) =>
    `NOT EXISTS (SELECT 1 FROM accounts WHERE personal_user_id = ${parameters.add(userId)} AND disabled_at IS NOT NULL)`;
}
