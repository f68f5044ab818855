import type { DomainRow } from "./store/row.ts";
import {
  DOMAIN_CHECK_INTERVAL_MS,
  DOMAIN_CHECK_JITTER_MS,
  LOST_DOMAIN_CHECK_INTERVAL_MS,
  LOST_DOMAIN_GRACE_MS,
} from "./limits.ts";

// No I/O, no clock and no randomness: what a DNS check changes about a domain.

export interface DnsResult {
  /** Whether the TXT record with the account's token exists. */
  txt: boolean;
  /** Whether the domain points to the service; null: unknown, because the lookup failed. */
  cname: boolean | null;
}

export type StatusChange = "none" | "verified" | "lost" | "recovered" | "unverified";

/** The change that a DNS check causes. A verified domain without its record is first lost, then unverified. */
export function statusChangeOf({ status, lost_at }: DomainRow, { txt }: DnsResult, now: number): StatusChange {
  if (status === "pending") return txt ? "verified" : "none";
  if (txt) return lost_at === null ? "none" : "recovered";
  if (lost_at === null) return "lost";
  return now - lost_at >= LOST_DOMAIN_GRACE_MS ? "unverified" : "none";
}

export interface CheckOptions {
  /** Unix milliseconds. */
  now: number;
  /** A random number from 0 to 1 that spreads the next checks. */
  jitter: number;
  /** Whether each verified domain gets a custom hostname at Cloudflare. */
  usesCustomHostnames: boolean;
}

/** The row after a DNS check. An unverified domain keeps `lost_at`, which tells its owner why it is pending. */
export function applyDnsResult(row: DomainRow, found: DnsResult, options: CheckOptions): DomainRow {
  const { now } = options;
  const change = statusChangeOf(row, found, now);
  const after = {
    ...row,
    txt_found: Number(found.txt),
    cname_found: found.cname === null ? row.cname_found : Number(found.cname),
    checked_at: now,
    updated_at: change === "none" ? row.updated_at : Math.max(now, row.updated_at + 1),
    ...columnsOf(change, now),
  };
  return after.status === "pending" ? after : scheduleNext(after, options);
}

const NO_HOSTNAME = { hostname_id: null, hostname_status: null, hostname_error: null, hostname_at: null };

function columnsOf(change: StatusChange, now: number): Partial<DomainRow> {
  if (change === "verified") return { status: "verified", verified_at: now, lost_at: null };
  if (change === "lost") return { lost_at: now };
  if (change === "recovered") return { lost_at: null };
  if (change === "unverified") return { ...NO_HOSTNAME, status: "pending", verified_at: null, check_at: null };
  return {};
}

function scheduleNext(row: DomainRow, { now, jitter, usesCustomHostnames }: CheckOptions): DomainRow {
  const wait =
    row.lost_at === null
      ? DOMAIN_CHECK_INTERVAL_MS - Math.floor(jitter * DOMAIN_CHECK_JITTER_MS)
      : LOST_DOMAIN_CHECK_INTERVAL_MS;
  const scheduled = { ...row, check_at: now + wait };
  return usesCustomHostnames && row.hostname_status === null
    ? { ...scheduled, hostname_status: "initializing", hostname_at: now }
    : scheduled;
}
