import { Batch } from "../../platform/database/batch.ts";
import type { Value } from "../../platform/database/parameters.ts";
import { DOMAIN_COLUMNS, type DomainRow } from "./row.ts";
import { CUSTOM_HOSTNAME_REMOVAL_DELAY_MS, CUSTOM_HOSTNAME_RETRY_MS, CUSTOM_HOSTNAMES_PER_RUN } from "../limits.ts";

/** Returns the domains whose custom hostname is due and postpones them, so that a failed sync is repeated later. */
export async function claimDueHostnames(db: D1Database, now: number): Promise<DomainRow[]> {
  const { results } = await db
    .prepare(
      `UPDATE domains SET hostname_at = ?2 WHERE id IN (SELECT id FROM domains INDEXED BY domains_to_register
         WHERE hostname_at IS NOT NULL AND hostname_at <= ?1 ORDER BY hostname_at LIMIT ?3) RETURNING ${DOMAIN_COLUMNS}`,
    )
    .bind(now, now + CUSTOM_HOSTNAME_RETRY_MS, CUSTOM_HOSTNAMES_PER_RUN)
    .all<DomainRow>();
  return results;
}

/** Stores the row's `hostname_` columns. Returns null if the domain is not verified any more. */
export async function updateHostname(db: D1Database, row: DomainRow): Promise<DomainRow | null> {
  return db
    .prepare(
      `UPDATE domains SET hostname_id = ?2, hostname_status = ?3, hostname_error = ?4, hostname_at = ?5
       WHERE id = ?1 AND status = 'verified' RETURNING ${DOMAIN_COLUMNS}`,
    )
    .bind(row.id, row.hostname_id, row.hostname_status, row.hostname_error, row.hostname_at)
    .first<DomainRow>();
}

/** Schedules the removal of a hostname for now. */
export async function addRemoval(db: D1Database, hostname: string, now: number): Promise<void> {
  await db
    .prepare("INSERT INTO removed_hostnames (hostname, due_at) VALUES (?1, ?2) ON CONFLICT DO NOTHING")
    .bind(hostname, now)
    .run();
}

/**
 * Schedules the removal of the custom hostname, if there is one, of the domain that `condition` selects. The delay lets
 * requests that are registering the hostname finish first.
 */
export function removeHostnameLater(
  batch: Batch,
  condition: { sql: string; values: readonly Value[] },
  now: number,
): void {
  const { sql, values } = condition;
  batch.add(
    `INSERT INTO removed_hostnames (hostname, due_at)
     SELECT domain, ?${values.length + 1} FROM domains WHERE hostname_status IS NOT NULL AND ${sql}
     ON CONFLICT (hostname) DO UPDATE SET due_at = excluded.due_at`,
    [...values, now + CUSTOM_HOSTNAME_REMOVAL_DELAY_MS],
  );
}

/** Returns the hostnames whose removal is due and postpones them, so that a failed removal is repeated later. */
export async function claimDueRemovals(db: D1Database, now: number): Promise<string[]> {
  const { results } = await db
    .prepare(
      `UPDATE removed_hostnames SET due_at = ?2 WHERE hostname IN (SELECT hostname FROM removed_hostnames
         WHERE due_at <= ?1 ORDER BY due_at LIMIT ?3) RETURNING hostname`,
    )
    .bind(now, now + CUSTOM_HOSTNAME_RETRY_MS, CUSTOM_HOSTNAMES_PER_RUN)
    .all<{ hostname: string }>();
  return results.map(({ hostname }) => hostname);
}

/** Whether an account has verified the hostname. Reads the primary: a replica may lag behind the verification. */
export async function isHostnameUsed(db: D1Database, hostname: string): Promise<boolean> {
  const verified = "SELECT 1 FROM domains WHERE domain = ?1 AND status = 'verified'";
  return (await db.prepare(verified).bind(hostname).first()) !== null;
}

const DELETE_REMOVAL = "DELETE FROM removed_hostnames WHERE hostname = ?1";

export async function deleteRemoval(db: D1Database, hostname: string): Promise<void> {
  await db.prepare(DELETE_REMOVAL).bind(hostname).run();
}

/** Records that a hostname was removed. If an account has verified the domain meanwhile, it is registered again. */
export async function completeRemoval(db: D1Database, hostname: string, now: number): Promise<void> {
  const batch = new Batch(db);
  batch.add(DELETE_REMOVAL, [hostname]);
  batch.add(
    `UPDATE domains SET hostname_id = NULL, hostname_status = 'initializing', hostname_at = ?2
     WHERE domain = ?1 AND status = 'verified'`,
    [hostname, now],
  );
  await batch.commit();
}
