import type { ServiceContext } from "../../context.ts";
import { Batch, type Result } from "../../database/batch.ts";
import { holds, Parameters, type Condition } from "../../database/parameters.ts";
import { RESPONSES_PER_BATCH } from "../../../limits.ts";
import { IDEMPOTENCY_TTL_MS } from "../limits.ts";

/** What identifies a request that a client may repeat. */
export interface Idempotency {
  accountId: number;
  key: string;
  /** A hash of the request, which tells it from another request with the same key. */
  fingerprint: string;
}

/** A request with an Idempotency-Key. */
export interface KeyedRequest {
  idempotency: Idempotency;
  /** Tells it from others with the same key: the id of what it creates, or a new id. */
  requestId: string;
}

/** The response to a request that creates something, if it does. */
export interface ResponseToStore {
  idempotency: Idempotency;
  response: unknown;
}

export interface StoredResponse {
  fingerprint: string;
  /** The HTTP status. */
  status: number;
  /** The JSON body; null if it is in pieces (store/journal.ts). */
  response: string | null;
  created_at: number;
}

/** Holds unless another request with the key has stored its response. */
export function isFirst({ idempotency, requestId }: KeyedRequest, now: number): Condition {
  return holds`NOT EXISTS (SELECT 1 FROM idempotency_keys
    WHERE account_id = ${idempotency.accountId} AND key = ${idempotency.key}
      AND created_at > ${now - IDEMPOTENCY_TTL_MS} AND request_id <> ${requestId})`;
}

/**
 * Stores the response in the transaction of the change that it reports, so neither exists without the other. `response` is
 * a SELECT of the status and the body; it has no row if the preceding statements did not make the change. The result is
 * the response of another request with the key, if there is one.
 */
export function storeResponse(
  batch: Batch,
  { idempotency, requestId }: KeyedRequest,
  response: { select: string; parameters: Parameters },
  now: number,
): Result<StoredResponse> {
  const { accountId, key, fingerprint } = idempotency;
  const parameters = new Parameters(response.parameters.values);
  const request = [accountId, key, fingerprint, requestId, now].map((value) => parameters.add(value)).join(", ");
  // What is in conflict has expired.
  batch.add(
    `INSERT INTO idempotency_keys (account_id, key, fingerprint, request_id, created_at, status, response)
     SELECT ${request}, * FROM (${response.select}) WHERE true
     ON CONFLICT (account_id, key) DO UPDATE SET
       fingerprint = excluded.fingerprint, request_id = excluded.request_id, status = excluded.status,
       response = excluded.response, created_at = excluded.created_at`,
    parameters.values,
  );
  return batch.add(`${SELECT} AND request_id <> ?4`, [accountId, key, now - IDEMPOTENCY_TTL_MS, requestId]);
}

const SELECT = `SELECT fingerprint, status, response, created_at FROM idempotency_keys
  WHERE account_id = ?1 AND key = ?2 AND created_at > ?3`;

/** Reads in a batch what is stored for the key, if it was stored after `after`. */
export function readResponse(batch: Batch, { accountId, key }: Idempotency, after: number): Result<StoredResponse> {
  return batch.add(SELECT, [accountId, key, after]);
}

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

/** Deletes up to {@link RESPONSES_PER_BATCH} expired responses. Returns their number. */
export async function deleteOldResponses({ db, now }: ServiceContext): Promise<number> {
  const old = "SELECT account_id, key FROM idempotency_keys WHERE created_at <= ?1 ORDER BY created_at LIMIT ?2";
  const values = [now - IDEMPOTENCY_TTL_MS, RESPONSES_PER_BATCH];
  const batch = new Batch(db);
  batch.add(`DELETE FROM idempotency_pieces WHERE (account_id, key) IN (${old})`, values);
  const deleted = batch.add(`DELETE FROM idempotency_keys WHERE (account_id, key) IN (${old})`, values);
  await batch.commit();
  return deleted.changes;
}
