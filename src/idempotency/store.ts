import type { ServiceContext } from "../context.ts";
import { CRON_BATCH_ROWS, IDEMPOTENCY_TTL_MS } from "../limits.ts";

/**
 * Repeating a POST safely. The record of the first answer is written in the same transaction as what
 * the request made, so there is no moment at which one exists without the other.
 */
export interface Idempotency {
  accountId: number;
  key: string;
  /** Tells the same request from another one with the same key. */
  fingerprint: string;
}

/** SQL that is true while no answer is kept for (`account`, `key`), given as the numbers of two parameters and of the oldest age kept. */
export function notAnsweredYet(account: string, key: string, oldest: string): string {
  return `NOT EXISTS (SELECT 1 FROM idempotency_keys WHERE account_id = ${account} AND key = ${key} AND created_at > ${oldest})`;
}

/** Before this time, answers are forgotten. */
export function oldestKept(now: number): number {
  return now - IDEMPOTENCY_TTL_MS;
}

/**
 * Keeps `response` if the statements before it in the batch made the resource: `made` is a SELECT that
 * finds it by its id (`?4`) and `key` (`?7`).
 */
export function storeResponse(
  db: D1Database,
  idempotency: Idempotency,
  resource: { id: string; key: string; made: string },
  response: unknown,
  now: number,
): D1PreparedStatement {
  return db
    .prepare(
      `INSERT INTO idempotency_keys (account_id, key, fingerprint, resource_id, response, created_at)
       SELECT ?1, ?2, ?3, ?4, ?5, ?6 WHERE EXISTS (${resource.made})
       ON CONFLICT (account_id, key) DO UPDATE SET
         fingerprint = excluded.fingerprint, resource_id = excluded.resource_id,
         response = excluded.response, created_at = excluded.created_at`,
    )
    .bind(
      idempotency.accountId,
      idempotency.key,
      idempotency.fingerprint,
      resource.id,
      JSON.stringify(response),
      now,
      resource.key,
    );
}

/** Reads the kept answer after {@link storeResponse}: this request's own, or that of an earlier one. */
export function readResponse(db: D1Database, idempotency: Idempotency, now: number): D1PreparedStatement {
  return db
    .prepare(
      `SELECT fingerprint, resource_id, response FROM idempotency_keys WHERE account_id = ?1 AND key = ?2 AND created_at > ?3`,
    )
    .bind(idempotency.accountId, idempotency.key, oldestKept(now));
}

export interface StoredResponse {
  fingerprint: string;
  response: string;
}

/** The answer of an earlier request with this key, or null; for requests that fail before they would find it. */
export async function findResponse(
  db: D1Database,
  idempotency: Idempotency,
  now: number,
): Promise<StoredResponse | null> {
  return readResponse(db, idempotency, now).first<StoredResponse>();
}

/** Deletes answers past their time, some at once; answers how many. */
export async function deleteOldResponses({ env, now }: ServiceContext): Promise<number> {
  const { meta } = await env.DB.prepare(
    `DELETE FROM idempotency_keys WHERE (account_id, key) IN (
         SELECT account_id, key FROM idempotency_keys WHERE created_at <= ?1 ORDER BY created_at LIMIT ?2)`,
  )
    .bind(oldestKept(now), CRON_BATCH_ROWS)
    .run();
  return meta.changes;
}
