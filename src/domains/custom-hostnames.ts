import type { ServiceContext } from "../platform/context.ts";
import { describeError, log } from "../platform/lib/log.ts";
import { mapLimit } from "../platform/lib/map-limit.ts";
import {
  customHostnameApiOf,
  registerHostname,
  removeHostname,
  type CustomHostnameApi,
  type RegisterResult,
} from "./custom-hostname-api.ts";
import * as store from "./store/custom-hostnames.ts";
import type { DomainRow } from "./store/row.ts";
import {
  ACTIVE_CERTIFICATE_CHECK_INTERVAL_MS,
  CERTIFICATE_CHECK_INTERVAL_MS,
  MAX_CONCURRENT_DOMAINS,
} from "./limits.ts";

/**
 * Custom hostnames of verified domains. The database holds what is due (`domains.hostname_at` and the table
 * `removed_hostnames`), so the cron repeats whatever failed. No failure affects the domain itself.
 */

/** Registers the hostname of a verified domain, or reads the state of its certificate. Returns the updated row. */
export async function syncCustomHostname(
  { env, db, now }: ServiceContext,
  row: DomainRow,
  restart: boolean,
): Promise<DomainRow> {
  const api = customHostnameApiOf(env);
  if (api === null || row.status !== "verified" || row.hostname_status === null) return row;
  try {
    const result = await registerHostname(api, { hostname: row.domain, id: row.hostname_id, restart });
    if (result.outcome === "failed")
      log("warn", "custom_hostname_sync_failed", { domain: row.domain, reason: result.reason });
    const updated = await store.updateHostname(db, { ...row, ...columnsOf(result, row, now) });
    // The domain was deleted meanwhile, perhaps before this call created its hostname.
    if (updated === null) await store.addRemoval(db, row.domain, now);
    return updated ?? row;
  } catch (error) {
    log("warn", "custom_hostname_sync_failed", { domain: row.domain, ...describeError(error) });
    return row;
  }
}

type HostnameColumns = Pick<DomainRow, "hostname_id" | "hostname_status" | "hostname_error" | "hostname_at">;

function columnsOf(result: RegisterResult, row: DomainRow, now: number): HostnameColumns {
  if (result.outcome === "failed") {
    const { hostname_id, hostname_status } = row;
    const hostname_error = result.refused ? result.reason : row.hostname_error;
    return { hostname_id, hostname_status, hostname_error, hostname_at: now + result.retryAfterMs };
  }
  const { id, status, error } = result.hostname;
  const wait = status === "active" ? ACTIVE_CERTIFICATE_CHECK_INTERVAL_MS : CERTIFICATE_CHECK_INTERVAL_MS;
  return { hostname_id: id, hostname_status: status, hostname_error: error, hostname_at: now + wait };
}

/** Syncs the custom hostnames that are due. Returns their number. */
export async function syncDueCustomHostnames(context: ServiceContext): Promise<number> {
  const { env, db, now } = context;
  if (customHostnameApiOf(env) === null) return 0;
  const due = await store.claimDueHostnames(db, now);
  await mapLimit(due, MAX_CONCURRENT_DOMAINS, async (row) => {
    await syncCustomHostname(context, row, hasTimedOut(row));
  });
  return due.length;
}

/** After a timed-out validation, Cloudflare validates again only on request. */
function hasTimedOut({ hostname_status }: DomainRow): boolean {
  return hostname_status?.endsWith("timed_out") ?? false;
}

/** Removes the custom hostnames of deleted and lost domains. Returns the number of attempts. */
export async function removeDueCustomHostnames({ env, db, now }: ServiceContext): Promise<number> {
  const api = customHostnameApiOf(env);
  if (api === null) return 0;
  const due = await store.claimDueRemovals(db, now);
  await mapLimit(due, MAX_CONCURRENT_DOMAINS, (hostname) => removeUnused(db, api, hostname, now));
  return due.length;
}

async function removeUnused(db: D1Database, api: CustomHostnameApi, hostname: string, now: number): Promise<void> {
  if (await store.isHostnameUsed(db, hostname)) return store.deleteRemoval(db, hostname);
  const result = await removeHostname(api, hostname);
  if (result.outcome === "removed") return store.completeRemoval(db, hostname, now);
  log("warn", "custom_hostname_removal_failed", { hostname, reason: result.reason });
}
