import { toScopes, type AppResource, type Scope } from "../../../platform/auth/scopes.ts";
import { addCheck, type Batch, type Result } from "../../../platform/database/batch.ts";
import { holds, Parameters, type Condition } from "../../../platform/database/parameters.ts";
import { boundsOf, type Page } from "../../../platform/http/pagination.ts";
import { CODE_TTL_MS, MAX_GRANTS_PER_PERSON } from "../limits.ts";

export interface NewGrant {
  id: string;
  accountId: number;
  userId: string;
  clientHash: string;
  clientName: string;
  clientHost: string | null;
  redirectUri: string;
  resource: AppResource;
  scopes: readonly Scope[];
  refused: readonly Scope[];
}

/** The code with which the client fetches its first tokens. */
export interface NewCode {
  hash: string;
  challenge: string;
}

/**
 * Adds a grant with its code, if the condition holds and the person has fewer than {@link MAX_GRANTS_PER_PERSON}. It has the
 * second factor and the confirmation of the session. Idempotent. The result has a row if the person has room for it.
 */
export function addGrant(
  batch: Batch,
  grant: NewGrant,
  { hash, challenge }: NewCode,
  sessionId: string,
  now: number,
  condition: Condition,
): { hasRoom: Result<unknown>; stored: Result<unknown> } {
  const { id, accountId, userId, clientHash, clientName, clientHost, redirectUri, resource, scopes, refused } = grant;
  const [given, others] = [scopes, refused].map((list) => JSON.stringify(list)) as [string, string];
  const room: Condition = holds`(SELECT count(*) FROM oauth_grants WHERE user_id = ${userId} AND id <> ${id})
      < ${MAX_GRANTS_PER_PERSON}`;
  const hasRoom = addCheck(batch, room);
  const values = [id, accountId, userId, clientHash, clientName, clientHost, redirectUri, given, others];
  const expiresAt = now + CODE_TTL_MS;
  const parameters = new Parameters([...values, now, expiresAt, sessionId, resource]);
  batch.add(
    `INSERT INTO oauth_grants (id, account_id, user_id, client_hash, client_name, client_host, redirect_uri, scopes,
       refused_scopes, created_at, expires_at, factor_at, confirmed_at, resource)
     SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, s.factor_at, s.confirmed_at, ?13
     FROM sessions s WHERE s.id = ?12 AND ${room(parameters)} AND ${condition(parameters)} ON CONFLICT (id) DO NOTHING`,
    parameters.values,
  );
  batch.add(
    `INSERT INTO oauth_tokens (hash, grant_id, kind, expires_at, challenge)
     SELECT ?1, id, 'code', ?3, ?4 FROM oauth_grants WHERE id = ?2 ON CONFLICT (hash) DO NOTHING`,
    [hash, id, expiresAt, challenge],
  );
  return { hasRoom, stored: addCheck(batch, grantExists(id)) };
}

/** Holds while the grant has not ended. */
export function grantExists(id: string): Condition {
  return holds`EXISTS (SELECT 1 FROM oauth_grants WHERE id = ${id})`;
}

/** Whether the person has connected the client to the account and it goes on. */
export async function isConnected(
  db: D1Database,
  { accountId, userId, clientHash, resource }: Pick<NewGrant, "accountId" | "userId" | "clientHash" | "resource">,
  now: number,
): Promise<boolean> {
  const row = await db
    .prepare(
      `SELECT 1 FROM oauth_grants WHERE user_id = ?1 AND account_id = ?2 AND client_hash = ?3 AND resource = ?5 AND last_used_at IS NOT NULL
         AND expires_at > ?4 LIMIT 1`,
    )
    .bind(userId, accountId, clientHash, now, resource)
    .first();
  return row !== null;
}

/** An app that is connected to an account. */
export interface ConnectedApp {
  id: string;
  clientName: string;
  clientHost: string | null;
  /** What its tokens are for. */
  resource: AppResource;
  scopes: readonly Scope[];
  createdAt: number;
  lastUsedAt: number | null;
  person: { id: string; name: string; email: string };
}

interface AppRow {
  id: string;
  client_name: string;
  client_host: string | null;
  resource: AppResource;
  scopes: string;
  created_at: number;
  last_used_at: number | null;
  user_id: string;
  name: string;
  email: string;
}

const APPS = `SELECT g.id, g.client_name, g.client_host, coalesce(g.resource, '/mcp') AS resource, g.scopes, g.created_at, g.last_used_at, g.user_id, u.name, u.email
  FROM oauth_grants g JOIN users u ON u.id = g.user_id`;

function toApp(row: AppRow): ConnectedApp {
  return {
    id: row.id,
    clientName: row.client_name,
    clientHost: row.client_host,
    resource: row.resource,
    scopes: toScopes(row.scopes),
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    person: { id: row.user_id, name: row.name, email: row.email },
  };
}

/** Whose apps are meant: of all members of the account, or of one. */
export interface Owner {
  accountId: number;
  /** null: of all members. */
  userId: string | null;
}

/** The apps that are connected to the account, the newest first; one more than the page holds. */
export async function listApps(
  db: D1Database,
  { accountId, userId }: Owner,
  page: Page,
  now: number,
): Promise<ConnectedApp[]> {
  const parameters = new Parameters([...boundsOf(page), accountId, now]);
  const isOfMember = userId === null ? "" : `AND g.user_id = ${parameters.add(userId)}`;
  const { results } = await db
    .prepare(
      `${APPS} WHERE g.account_id = ?4 ${isOfMember} AND g.expires_at > ?5 AND g.id < ?1 ORDER BY g.id DESC LIMIT ?2 OFFSET ?3`,
    )
    .bind(...parameters.values)
    .all<AppRow>();
  return results.map(toApp);
}

/** The app of the account; null: there is none. */
export async function findConnectedApp(db: D1Database, accountId: number, id: string): Promise<ConnectedApp | null> {
  const row = await db.prepare(`${APPS} WHERE g.id = ?1 AND g.account_id = ?2`).bind(id, accountId).first<AppRow>();
  return row === null ? null : toApp(row);
}

/** Ends the grant, if the condition holds. */
export function endGrant(batch: Batch, id: string, condition: Condition): void {
  batch.sql`DELETE FROM oauth_grants WHERE id = ${id} AND ${condition}`;
}
