import { z } from "@hono/zod-openapi";
import { sha256Hex } from "../lib/hash.ts";
import { CRON_BATCH_ROWS, IDEMPOTENCY_TTL_MS, MAX_IDEMPOTENCY_KEY_CHARS } from "../limits.ts";
import { conflict } from "./errors.ts";

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

/** The header of requests that may be repeated. */
export const idempotencyHeaders = z.object({
  "idempotency-key": z
    .string()
    .regex(
      new RegExp(`^[\\x21-\\x7e]{1,${MAX_IDEMPOTENCY_KEY_CHARS}}$`),
      `must be 1 to ${MAX_IDEMPOTENCY_KEY_CHARS} visible ASCII characters`,
    )
    .optional()
    .openapi({ description: "With it, repeating the request within 24 hours gives the first answer again." }),
});

/** Reads the header's value into what the store needs; `body` is the validated body, so spacing and order do not matter. */
export async function readIdempotency(
  accountId: number,
  key: string | undefined,
  operation: string,
  body: unknown,
): Promise<Idempotency | null> {
  if (key === undefined) return null;
  return { accountId, key, fingerprint: await sha256Hex(`${operation}\n${JSON.stringify(body)}`) };
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
export function keepAnswer(
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

/** Reads the kept answer after {@link keepAnswer}: this request's own, or that of an earlier one. */
export function readAnswer(db: D1Database, idempotency: Idempotency, now: number): D1PreparedStatement {
  return db
    .prepare(
      `SELECT fingerprint, resource_id, response FROM idempotency_keys WHERE account_id = ?1 AND key = ?2 AND created_at > ?3`,
    )
    .bind(idempotency.accountId, idempotency.key, oldestKept(now));
}

interface KeptAnswer {
  fingerprint: string;
  response: string;
}

/** The answer of an earlier request with this key, or null; for requests that fail before they would find it. */
export async function findAnswer(db: D1Database, idempotency: Idempotency, now: number): Promise<KeptAnswer | null> {
  return readAnswer(db, idempotency, now).first<KeptAnswer>();
}

/** The body of the first answer, or 409 where the key was used for another request. */
export function replay(answer: KeptAnswer, idempotency: Idempotency): string {
  if (answer.fingerprint !== idempotency.fingerprint) {
    throw conflict("This Idempotency-Key was used for another request. Use a new key for each new request.");
  }
  return answer.response;
}

/** Deletes answers past their time, some at once; answers how many. */
export async function forgetAnswers(db: D1Database, now: number): Promise<number> {
  const { meta } = await db
    .prepare(
      `DELETE FROM idempotency_keys WHERE (account_id, key) IN (
         SELECT account_id, key FROM idempotency_keys WHERE created_at <= ?1 ORDER BY created_at LIMIT ?2)`,
    )
    .bind(oldestKept(now), CRON_BATCH_ROWS)
    .run();
  return meta.changes;
}
