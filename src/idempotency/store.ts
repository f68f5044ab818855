import type { ServiceContext } from "../context.ts";
import { Batch, type Result } from "../database/batch.ts";
import type { Parameters, Value } from "../database/parameters.ts";
import { RESPONSES_PER_BATCH } from "../limits.ts";
import { IDEMPOTENCY_TTL_MS } from "./limits.ts";

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
  /** The HTTP status. */
  status: number;
  /** The JSON body; null if it is in pieces (store/journal.ts). */
  response: string | null;
  created_at: number;
}

/** An SQL condition: no response is stored for the key. Adds its values to `parameters`. */
export function isNewRequest(parameters: Parameters, { accountId, key }: Idempotency, now: number): string {
  return `NOT EXISTS (SELECT 1 FROM idempotency_keys WHERE account_id = ${parameters.add(accountId)}
    AND key = ${parameters.add(key)} AND created_at > ${parameters.add(now - IDEMPOTENCY_TTL_MS)})`;
}

/** An SQL condition: a response of another request is stored for the key. `now` is SQL for the current time. */
export function isRepeated(parameters: Parameters, { idempotency, requestId }: SelectedResponse, now: string): string {
  return `EXISTS (SELECT 1 FROM idempotency_keys WHERE account_id = ${parameters.add(idempotency.accountId)}
    AND key = ${parameters.add(idempotency.key)} AND created_at > ${now} - ${IDEMPOTENCY_TTL_MS}
    AND request_id <> ${parameters.add(requestId)})`;
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
  batch.add(`${INSERT} SELECT ?1, ?2, ?3, ?4, 201, ?5, ?6 WHERE EXISTS (${sql}) ${REPLACE_EXPIRED}`, [
    accountId,
    key,
    fingerprint,
    id,
    JSON.stringify(response),
    now,
    ...values,
  ]);
  return readEarlier(batch, idempotency, id, now);
}

/** A response that the database makes from the changed resource. */
export interface SelectedResponse {
  idempotency: Idempotency;
  /** Tells this request from others with the same key. */
  requestId: string;
}

/**
 * Stores the response with status 200 that `body` makes, SQL with a FROM clause that finds the resource only if the batch
 * changes it. The result is as that of {@link storeResponse}.
 */
export function storeSelectedResponse(
  batch: Batch,
  { idempotency, requestId }: SelectedResponse,
  body: { sql: string; from: string; parameters: Parameters },
  now: number,
): Result<StoredResponse> {
  const { accountId, key, fingerprint } = idempotency;
  const { sql, from, parameters } = body;
  const [first, time] = [[accountId, key, fingerprint, requestId].map((value) => parameters.add(value)), now];
  batch.add(
    `${INSERT} SELECT ${first.join(", ")}, 200, ${sql}, ${parameters.add(time)} FROM ${from} WHERE true ${REPLACE_EXPIRED}`,
    parameters.values,
  );
  return readEarlier(batch, idempotency, requestId, now);
}

const INSERT = "INSERT INTO idempotency_keys (account_id, key, fingerprint, request_id, status, response, created_at)";

const REPLACE_EXPIRED = `ON CONFLICT (account_id, key) DO UPDATE SET
  fingerprint = excluded.fingerprint, request_id = excluded.request_id, status = excluded.status,
  response = excluded.response, created_at = excluded.created_at`;

const SELECT = `SELECT fingerprint, status, response, created_at FROM idempotency_keys
  WHERE account_id = ?1 AND key = ?2 AND created_at > ?3`;

function readEarlier(
  batch: Batch,
  { accountId, key }: Idempotency,
  requestId: string,
  now: number,
): Result<StoredResponse> {
  return batch.add(`${SELECT} AND request_id <> ?4`, [accountId, key, now - IDEMPOTENCY_TTL_MS, requestId]);
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
export async function deleteOldResponses({ env, now }: ServiceContext): Promise<number> {
  const old = "SELECT account_id, key FROM idempotency_keys WHERE created_at <= ?1 ORDER BY created_at LIMIT ?2";
  const values = [now - IDEMPOTENCY_TTL_MS, RESPONSES_PER_BATCH];
  const batch = new Batch(env.DB);
  batch.add(`DELETE FROM idempotency_pieces WHERE (account_id, key) IN (${old})`, values);
  const deleted = batch.add(`DELETE FROM idempotency_keys WHERE (account_id, key) IN (${old})`, values);
  await batch.commit();
  return deleted.changes;
}
