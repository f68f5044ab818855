import { IDEMPOTENCY_TTL_MS } from "../limits.ts";
import type { Idempotency } from "./store.ts";

// Bridge for links/store/insert.ts, which does not use Batch yet. To be deleted with its last caller.

export function notAnsweredYet(account: string, key: string, oldest: string): string {
  return `NOT EXISTS (SELECT 1 FROM idempotency_keys WHERE account_id = ${account} AND key = ${key} AND created_at > ${oldest})`;
}

export function oldestKept(now: number): number {
  return now - IDEMPOTENCY_TTL_MS;
}

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

export function readResponse(db: D1Database, idempotency: Idempotency, now: number): D1PreparedStatement {
  return db
    .prepare(
      `SELECT fingerprint, resource_id, response FROM idempotency_keys WHERE account_id = ?1 AND key = ?2 AND created_at > ?3`,
    )
    .bind(idempotency.accountId, idempotency.key, oldestKept(now));
}
