import type { ServiceContext } from "../context.ts";
import type { Batch, Result } from "../database/batch.ts";
import type { Parameters, Value } from "../database/parameters.ts";
import { CRON_BATCH_ROWS, IDEMPOTENCY_TTL_MS } from "../limits.ts";

/** What identifies a request that a client may repeat. */
export interface Idempotency {
  accountId: number;
  key: string;
  /** A hash of the request, which tells it from another request with the same key. */
  fingerprint: string;
}

export interface ResponseToStore {
  idempotency: Idempotency;
  response: unknown;
}

export interface StoredResponse {
  fingerprint: string;
  /** The JSON body. */
  response: string;
}

/** An SQL condition: no response is stored for the key. Adds its values to `parameters`. */
export function isNewRequest(parameters: Parameters, { accountId, key }: Idempotency, now: number): string {
  return `NOT EXISTS (SELECT 1 FROM idempotency_keys WHERE account_id = ${parameters.add(accountId)}
    AND key = ${parameters.add(key)} AND created_at > ${parameters.add(now - IDEMPOTENCY_TTL_MS)})`;
}

/** The resource that a request creates. */
export interface CreatedResource {
  id: string;
  /** A SELECT that finds the resource. Its parameters are `?4` (the id) and `values` from `?7` on. */
  sql: string;
  values?: Value[];
}

/**
 * Stores the response in the transaction that creates the resource, if the preceding statements of the batch created it:
 * so neither exists without the other. The result is the response of an earlier request with the same key, if there is
 * one.
 */
export function storeResponse(
  batch: Batch,
  { idempotency, response }: ResponseToStore,
  { id, sql, values = [] }: CreatedResource,
  now: number,
): Result<StoredResponse> {
  const { accountId, key, fingerprint } = idempotency;
  batch.add(
    `INSERT INTO idempotency_keys (account_id, key, fingerprint, resource_id, response, created_at)
     SELECT ?1, ?2, ?3, ?4, ?5, ?6 WHERE EXISTS (${sql})
     ON CONFLICT (account_id, key) DO UPDATE SET
       fingerprint = excluded.fingerprint, resource_id = excluded.resource_id,
       response = excluded.response, created_at = excluded.created_at`,
    [accountId, key, fingerprint, id, JSON.stringify(response), now, ...values],
  );
  return batch.add<StoredResponse>(`${SELECT} AND resource_id <> ?4`, [accountId, key, now - IDEMPOTENCY_TTL_MS, id]);
}

const SELECT = `SELECT fingerprint, response FROM idempotency_keys WHERE account_id = ?1 AND key = ?2 AND created_at > ?3`;

/** The stored response of an earlier request, for a request that fails before it reaches {@link storeResponse}. */
export async function findResponse(
  db: D1Database,
  { accountId, key }: Idempotency,
  now: number,
): Promise<StoredResponse | null> {
  return db
    .prepare(SELECT)
    .bind(accountId, key, now - IDEMPOTENCY_TTL_MS)
    .first<StoredResponse>();
}

/** Deletes up to {@link CRON_BATCH_ROWS} expired responses. Returns their number. */
export async function deleteOldResponses({ env, now }: ServiceContext): Promise<number> {
  const { meta } = await env.DB.prepare(
    `DELETE FROM idempotency_keys WHERE (account_id, key) IN (
         SELECT account_id, key FROM idempotency_keys WHERE created_at <= ?1 ORDER BY created_at LIMIT ?2)`,
  )
    .bind(now - IDEMPOTENCY_TTL_MS, CRON_BATCH_ROWS)
    .run();
  return meta.changes;
}
