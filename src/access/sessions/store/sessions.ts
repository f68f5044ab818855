import type { Batch, Result } from "../../../platform/database/batch.ts";
import { ALWAYS, holds, Parameters, type Condition, type Value } from "../../../platform/database/parameters.ts";
import { boundsOf, type Page } from "../../../platform/http/pagination.ts";
import { firstIdAt } from "../../../platform/lib/uuid.ts";
import { SESSION_IDLE_TTL_MS, SESSION_TTL_MS } from "../../../limits.ts";
import type { Session } from "../session.ts";
import { ALIVE, SESSION_COLUMNS, type SessionRow, SESSIONS, toSession } from "./row.ts";
import { ends } from "../../../platform/auth/store/conditions.ts";

/** The session with this hash, unless it has ended. Read from the primary, so that a revocation takes effect at once. */
export async function findSession(db: D1Database, hash: string, now: number): Promise<Session | null> {
  const row = await db
    .prepare(`SELECT ${SESSION_COLUMNS} ${SESSIONS} WHERE ${ALIVE} AND s.hash = ?3`)
    .bind(...ends(now), hash)
    .first<SessionRow>();
  return row === null ? null : toSession(row);
}

export type NewSession = Omit<
  Session,
  "createdAt" | "lastSeenAt" | "confirmedAt" | "hasFactor" | "gaveFactor" | "isDeleted" | "user"
> & {
  userId: string;
};

/** How a person proved who they are. `factor`: by a second factor; `other`: by anything else. */
export type SessionProof = "factor" | "other";

/** Adds a session that was confirmed just now, if the condition holds and the person is not disabled. Idempotent. */
export function addSession(
  batch: Batch,
  session: NewSession,
  proof: SessionProof,
  now: number,
  condition: Condition,
): Result<{ id: string }> {
  const { id, hash, userId, device, browser, os, country, browserVersion, osVersion } = session;
  const values: Value[] = [id, hash, userId, now, device, browser, os, country, browserVersion, osVersion];
  values.push(proof === "factor" ? now : null);
  const parameters = new Parameters(values);
  batch.add(
    `INSERT INTO sessions (id, hash, user_id, created_at, last_seen_at, confirmed_at, device, browser, os, country,
       browser_version, os_version, factor_at)
     SELECT ?1, ?2, ?3, ?4, ?4, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11 WHERE ${condition(parameters)} AND ${isEnabled(userId)(parameters)}
     ON CONFLICT (id) DO NOTHING`,
    parameters.values,
  );
  return batch.add<{ id: string }>("SELECT id FROM sessions WHERE id = ?1", [id]);
}

/** Gives the session a new cookie, if the condition holds. Idempotent. */
export function renewSession(
  batch: Batch,
  { id, hash }: Session,
  newHash: string,
  condition: Condition = ALWAYS,
): void {
  batch.sql`UPDATE sessions SET hash = ${newHash} WHERE id = ${id} AND hash = ${hash} AND ${condition}`;
}

/** Records that the person has just proved who they are, if the condition holds. */
export function confirmSession(batch: Batch, id: string, proof: SessionProof, now: number, condition: Condition): void {
  const factorAt = proof === "factor" ? now : null;
  batch.sql`UPDATE sessions SET confirmed_at = ${now}, factor_at = coalesce(${factorAt}, factor_at)
    WHERE id = ${id} AND ${condition}`;
}

/** Records that a second factor was given in the session, which was confirmed before, if the condition holds. */
export function recordFactor(batch: Batch, id: string, now: number, condition: Condition): void {
  batch.sql`UPDATE sessions SET factor_at = ${now} WHERE id = ${id} AND ${condition}`;
}

/** Makes the identity unconfirmed in the user's sessions but `exceptId`, if the condition holds. */
export function forgetOtherConfirmations(batch: Batch, userId: string, exceptId: string, condition: Condition): void {
  batch.sql`UPDATE sessions SET confirmed_at = 0 WHERE user_id = ${userId} AND id <> ${exceptId} AND ${condition}`;
}

/** Forgets the second factors that were given in the user's sessions but `exceptId`, if the condition holds. */
export function forgetOtherFactors(batch: Batch, userId: string, exceptId: string, condition: Condition): void {
  batch.sql`UPDATE sessions SET factor_at = NULL WHERE user_id = ${userId} AND id <> ${exceptId} AND ${condition}`;
}

/** Ends the user's sessions but `exceptId`, if the condition holds. */
export function endSessions(
  batch: Batch,
  userId: string,
  exceptId: string | null,
  condition: Condition = ALWAYS,
): Result<{ id: string }> {
  return batch.sql`DELETE FROM sessions
    WHERE user_id = ${userId} AND id IS NOT ${exceptId} AND ${condition} RETURNING id`;
}

/** Ends the session with this hash, if the condition holds. */
export function endFormerSession(batch: Batch, hash: string, condition: Condition): void {
  batch.sql`DELETE FROM sessions WHERE hash = ${hash} AND ${condition}`;
}

/** Ends one session of the user, if the condition holds. The result has a row if there was one. */
export function endSession(batch: Batch, userId: string, id: string, condition: Condition): Result<{ id: string }> {
  return batch.sql`DELETE FROM sessions WHERE user_id = ${userId} AND id = ${id} AND ${condition} RETURNING id`;
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
      `SELECT ${SESSION_COLUMNS} ${SESSIONS} WHERE ${ALIVE} AND s.user_id = ?3 AND s.id < ?4
       ORDER BY s.id DESC LIMIT ?5 OFFSET ?6`,
    )
    .bind(...ends(now), userId, ...boundsOf(page))
    .all<SessionRow>();
  return results.map(toSession);
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
  return holds`EXISTS (SELECT 1 FROM sessions WHERE id = ${id} AND user_id = ${userId})`;
}

/** Holds unless the operator has disabled the person, which is to disable the personal account. */
export function isEnabled(userId: string): Condition {
  return holds`NOT EXISTS (SELECT 1 FROM accounts WHERE personal_user_id = ${userId} AND disabled_at IS NOT NULL)`;
}
