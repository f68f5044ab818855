import type { ServiceContext } from "../context.ts";
import { describeError, log } from "../lib/log.ts";
import {
  ACTIVE_CERTIFICATE_CHECK_INTERVAL_MS,
  CERTIFICATE_CHECK_INTERVAL_MS,
  CUSTOM_HOSTNAME_RETRY_MS,
  CUSTOM_HOSTNAMES_PER_RUN,
  DOMAINS_AT_ONCE,
} from "../limits.ts";
import { mapLimit } from "../lib/map-limit.ts";
import { register, registryOf, remove, type Registration, type Registry } from "./custom-hostnames.ts";
import { DOMAIN_COLUMNS, type DomainRow } from "./row.ts";

/**
 * Custom hostnames of verified domains. What is to be done stands in the database (`hostname_at`, and the table
 * `removed_hostnames`), so whatever fails is done again by the cron, and no failure touches the domain.
 */

/** Registers a verified domain, or asks how its certificate stands; answers the row as it then is. */
export async function syncCustomHostname(env: Env, row: DomainRow, now: number, restart: boolean): Promise<DomainRow> {
  const registry = registryOf(env);
  if (registry === null || row.status !== "verified" || row.hostname_status === null) return row;
  try {
    const answer = await register(registry, { name: row.domain, id: row.hostname_id, restart });
    if (answer.outcome === "failed")
      log("warn", "custom_hostname_failed", { domain: row.domain, reason: answer.reason });
    const stored = await store(env.DB, { ...row, ...learnedFrom(answer, row, now) });
    // The domain may be gone, and its hostname have been removed before this made it.
    if (stored === null) await noteRemoval(env.DB, row.domain, now);
    return stored ?? row;
  } catch (error) {
    log("warn", "custom_hostname_failed", { domain: row.domain, ...describeError(error) });
    return row;
  }
}

type Learned = Pick<DomainRow, "hostname_id" | "hostname_status" | "hostname_error" | "hostname_at">;

function learnedFrom(answer: Registration, row: DomainRow, now: number): Learned {
  if (answer.outcome === "failed") {
    return {
      hostname_id: row.hostname_id,
      hostname_status: row.hostname_status,
      // What else fails is for the operator's log.
      hostname_error: answer.refused ? answer.reason : row.hostname_error,
      hostname_at: now + answer.retryAfterMs,
    };
  }
  const { id, status, error } = answer.hostname;
  const wait = status === "active" ? ACTIVE_CERTIFICATE_CHECK_INTERVAL_MS : CERTIFICATE_CHECK_INTERVAL_MS;
  return { hostname_id: id, hostname_status: status, hostname_error: error, hostname_at: now + wait };
}

async function store(db: D1Database, row: DomainRow): Promise<DomainRow | null> {
  return db
    .prepare(
      `UPDATE domains SET hostname_id = ?2, hostname_status = ?3, hostname_error = ?4, hostname_at = ?5
       WHERE id = ?1 AND status = 'verified' RETURNING ${DOMAIN_COLUMNS}`,
    )
    .bind(row.id, row.hostname_id, row.hostname_status, row.hostname_error, row.hostname_at)
    .first<DomainRow>();
}

/** Where somebody else has the domain by then, {@link removeHostname} leaves the hostname to them. */
async function noteRemoval(db: D1Database, hostname: string, now: number): Promise<void> {
  await db
    .prepare("INSERT INTO removed_hostnames (hostname, due_at) VALUES (?1, ?2) ON CONFLICT DO NOTHING")
    .bind(hostname, now)
    .run();
}

/** Asks about the certificates that it is time for; answers how many. */
export async function syncCustomHostnames({ env, now }: ServiceContext): Promise<number> {
  if (registryOf(env) === null) return 0;
  const { results } = await env.DB.prepare(
    `UPDATE domains SET hostname_at = ?2 WHERE id IN (SELECT id FROM domains INDEXED BY domains_to_register
       WHERE hostname_at IS NOT NULL AND hostname_at <= ?1 ORDER BY hostname_at LIMIT ?3) RETURNING ${DOMAIN_COLUMNS}`,
  )
    .bind(now, now + CUSTOM_HOSTNAME_RETRY_MS, CUSTOM_HOSTNAMES_PER_RUN)
    .all<DomainRow>();
  await mapLimit(results, DOMAINS_AT_ONCE, async (row) => {
    await syncCustomHostname(env, row, now, hasTimedOut(row));
  });
  return results.length;
}

/** Cloudflare has given up, and begins anew only when told to. */
function hasTimedOut({ hostname_status }: DomainRow): boolean {
  return hostname_status?.endsWith("timed_out") ?? false;
}

/** Removes the custom hostnames of domains that are gone; answers how many were tried. */
export async function removeCustomHostnames({ env, now }: ServiceContext): Promise<number> {
  const registry = registryOf(env);
  if (registry === null) return 0;
  const { results } = await env.DB.prepare(
    `UPDATE removed_hostnames SET due_at = ?2 WHERE hostname IN (SELECT hostname FROM removed_hostnames
       WHERE due_at <= ?1 ORDER BY due_at LIMIT ?3) RETURNING hostname`,
  )
    .bind(now, now + CUSTOM_HOSTNAME_RETRY_MS, CUSTOM_HOSTNAMES_PER_RUN)
    .all<{ hostname: string }>();
  await mapLimit(results, DOMAINS_AT_ONCE, ({ hostname }) => removeHostname(env.DB, registry, hostname, now));
  return results.length;
}

async function removeHostname(db: D1Database, registry: Registry, hostname: string, now: number): Promise<void> {
  const verified = await db
    .prepare("SELECT 1 FROM domains WHERE domain = ?1 AND status = 'verified'")
    .bind(hostname)
    .first();
  const removal = verified === null ? await remove(registry, hostname) : ({ outcome: "removed" } as const);
  if (removal.outcome === "failed") {
    log("warn", "custom_hostname_not_removed", { hostname, reason: removal.reason });
    return;
  }
  await db.batch([
    db.prepare("DELETE FROM removed_hostnames WHERE hostname = ?1").bind(hostname),
    // Somebody may have verified the domain while its hostname was being removed.
    db
      .prepare(
        `UPDATE domains SET hostname_id = NULL, hostname_status = 'initializing', hostname_at = ?2
         WHERE domain = ?1 AND status = 'verified' AND ?3 = 1`,
      )
      .bind(hostname, now, Number(verified === null)),
  ]);
}
