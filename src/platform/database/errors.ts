import { DAY_MS, SECOND_MS } from "../../limits.ts";

// Messages of transient failures: https://developers.cloudflare.com/d1/observability/debug-d1/. A local database is locked while another
// process writes to it.
const TRANSIENT =
  /Network connection lost|storage caused object to be reset|reset because its code was updated|D1 DB is overloaded|D1 DB storage operation exceeded timeout|Cannot resolve D1 DB due to transient issue|internal error|isolate exceeded its memory limit|database (?:\w+ )?is locked/i;

/** Whether the database failed transiently. The outcome of the statement is then unknown. */
export function isTransient(error: unknown): boolean {
  return error instanceof Error && TRANSIENT.test(error.message);
}

/** The columns of the unique index that a write violated, such as `links.slug_key`; null for another error. */
export function violatedColumns(error: unknown): string[] | null {
  const match = error instanceof Error ? /UNIQUE constraint failed: ([^:]+)/.exec(error.message) : null;
  return match?.[1] === undefined ? null : match[1].trim().split(", ");
}

/** The column that a write would have set to NULL although it is NOT NULL, such as `account_usage.links`; null for another error. */
export function nullColumn(error: unknown): string | null {
  return (error instanceof Error && /NOT NULL constraint failed: ([\w.]+)/.exec(error.message)?.[1]) || null;
}

/**
 * What D1, Durable Objects and Queues say when a Cloudflare account without Workers Paid has used up a limit of the day. Documented for
 * D1 (https://developers.cloudflare.com/changelog/post/2026-09-01-d1-free-tier-limit-enforcement/) and Queues
 * (https://developers.cloudflare.com/queues/reference/error-codes/, whose code ends the message); of objects, others have reported it.
 */
const USED_UP =
  /D1's free tier daily row (?:read|write) limit|in Durable Objects free tier|Free tier limit exceeded|10253\W*$/i;

export function isFreePlanUsedUp(error: unknown): boolean {
  return error instanceof Error && USED_UP.test(error.message);
}

/** Seconds until the limits of a day begin anew: at 00:00 UTC. `now` is in Unix milliseconds. */
export function secondsUntilReset(now: number): number {
  return Math.ceil((DAY_MS - (now % DAY_MS)) / SECOND_MS);
}
