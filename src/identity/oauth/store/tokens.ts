import { toScopes, type AppResource, type Scope } from "../../../platform/auth/scopes.ts";
import { Batch } from "../../../platform/database/batch.ts";
import { holds, Parameters, type Condition } from "../../../platform/database/parameters.ts";
import { GRANT_IDLE_TTL_MS } from "../../../platform/auth/limits.ts";
import { ACCESS_TOKEN_TTL_MS, REFRESH_REPEAT_MS } from "../limits.ts";

// Codes, access tokens and refresh tokens, by their hashes.

/** A code or a refresh token, with its grant. */
export interface StoredToken {
  grantId: string;
  accountId: number;
  /** As responses have it. */
  account: { id: string; name: string };
  userId: string;
  clientHash: string;
  clientName: string;
  redirectUri: string;
  resource: AppResource;
  scopes: readonly Scope[];
  isExpired: boolean;
  /** Of a code: the challenge of PKCE. */
  challenge: string | null;
  /** Of a code: the id of the request that redeemed it. */
  usedBy: string | null;
  /** Of a refresh token: the hash of the one that replaced it. */
  successor: string | null;
  /** Of a refresh token: when it was replaced; null: not yet. */
  usedAt: number | null;
}

interface Row {
  grant_id: string;
  account_id: number;
  account_uuid: string;
  account_name: string;
  user_id: string;
  client_hash: string;
  client_name: string;
  redirect_uri: string;
  resource: AppResource;
  scopes: string;
  is_expired: number;
  challenge: string | null;
  used_by: string | null;
  successor: string | null;
  used_at: number | null;
}

type Kind = "code" | "access" | "refresh";

/** Returns null if there is no such token, or its grant has ended or is for no resource. Read from the primary. */
export async function findToken(db: D1Database, kind: Kind, hash: string, now: number): Promise<StoredToken | null> {
  const row = await db
    .prepare(
      `SELECT t.grant_id, g.account_id, a.uuid AS account_uuid, a.name AS account_name, g.user_id, g.client_hash,
         g.client_name, g.redirect_uri, g.resource, g.scopes,
         t.expires_at <= ?3 OR g.expires_at <= ?3 AS is_expired, t.challenge, t.used_by, t.successor, t.used_at
       FROM oauth_tokens t JOIN oauth_grants g ON g.id = t.grant_id JOIN accounts a ON a.id = g.account_id
       WHERE t.hash = ?1 AND t.kind = ?2 AND g.resource IS NOT NULL`,
    )
    .bind(hash, kind, now)
    .first<Row>();
  if (row === null) return null;
  return {
    grantId: row.grant_id,
    accountId: row.account_id,
    account: { id: row.account_uuid, name: row.account_name },
    userId: row.user_id,
    clientHash: row.client_hash,
    clientName: row.client_name,
    redirectUri: row.redirect_uri,
    resource: row.resource,
    scopes: toScopes(row.scopes),
    isExpired: row.is_expired === 1,
    challenge: row.challenge,
    usedBy: row.used_by,
    successor: row.successor,
    usedAt: row.used_at,
  };
}

/** The hashes of the tokens that a grant gets. */
export interface NewTokens {
  access: string;
  refresh: string;
}

/** Redeems the code by one conditional update: of concurrent requests, one. Returns whether it was this one. Idempotent. */
export async function redeemCode(
  db: D1Database,
  { hash, grantId, useId }: { hash: string; grantId: string; useId: string },
  tokens: NewTokens,
  now: number,
): Promise<boolean> {
  const batch = new Batch(db);
  const claimed = batch.add(
    `UPDATE oauth_tokens SET used_by = ?2 WHERE hash = ?1 AND kind = 'code' AND expires_at > ?3
       AND (used_by IS NULL OR used_by = ?2) RETURNING hash`,
    [hash, useId, now],
  );
  const isClaimed: Condition = holds`EXISTS (SELECT 1 FROM oauth_tokens WHERE hash = ${hash} AND used_by = ${useId})`;
  addTokens(batch, grantId, tokens, now, isClaimed);
  await batch.commitWithRetry();
  return claimed.first !== undefined;
}

/**
 * Replaces the refresh token, or finds it replaced by the same one: a client that lost the response asks again. Returns
 * whether the grant has these tokens now. Idempotent.
 */
export async function rotateRefreshToken(
  db: D1Database,
  { hash, grantId }: { hash: string; grantId: string },
  tokens: NewTokens,
  now: number,
): Promise<boolean> {
  const batch = new Batch(db);
  batch.add(
    `UPDATE oauth_tokens SET successor = ?2, used_at = ?3 WHERE hash = ?1 AND kind = 'refresh' AND expires_at > ?3
       AND successor IS NULL`,
    [hash, tokens.refresh, now],
  );
  const isReplaced: Condition = holds`EXISTS (SELECT 1 FROM oauth_tokens WHERE hash = ${hash}
       AND successor = ${tokens.refresh} AND used_at > ${now - REFRESH_REPEAT_MS})`;
  addTokens(batch, grantId, tokens, now, isReplaced);
  const replaced = batch.sql`SELECT 1 WHERE ${isReplaced}`;
  await batch.commitWithRetry();
  return replaced.first !== undefined;
}

/** Adds the tokens, and postpones the end of the grant, if the condition holds and the grant goes on. */
function addTokens(batch: Batch, grantId: string, tokens: NewTokens, now: number, condition: Condition): void {
  const idleEnd = now + GRANT_IDLE_TTL_MS;
  const use = new Parameters([grantId, now, idleEnd]);
  batch.add(
    `UPDATE oauth_grants SET last_used_at = max(coalesce(last_used_at, 0), ?2), expires_at = ?3
     WHERE id = ?1 AND ${condition(use)}`,
    use.values,
  );
  for (const [kind, hash, expiresAt] of [
    ["access", tokens.access, now + ACCESS_TOKEN_TTL_MS],
    ["refresh", tokens.refresh, idleEnd],
  ] as const) {
    const parameters = new Parameters([hash, grantId, kind, expiresAt]);
    // A client that asks again is told the whole lifetime of the access token.
    const again = kind === "access" ? "UPDATE SET expires_at = excluded.expires_at" : "NOTHING";
    batch.add(
      `INSERT INTO oauth_tokens (hash, grant_id, kind, expires_at) SELECT ?1, id, ?3, ?4 FROM oauth_grants
       WHERE id = ?2 AND ${condition(parameters)} ON CONFLICT (hash) DO ${again}`,
      parameters.values,
    );
  }
}

/** Deletes one access token. The grant goes on. */
export async function deleteToken(db: D1Database, hash: string): Promise<void> {
  await db.prepare("DELETE FROM oauth_tokens WHERE hash = ?1").bind(hash).run();
}
