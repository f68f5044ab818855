import {
  DOMAIN_CHECK_INTERVAL_MS,
  DOMAIN_CHECK_SPREAD_MS,
  LOST_DOMAIN_CHECK_INTERVAL_MS,
  LOST_DOMAIN_GRACE_MS,
} from "../limits.ts";
import type { DomainRow } from "./row.ts";

/** What a look-up found of a domain's records. */
export interface DnsResult {
  /** The TXT record with the account's own token. */
  txt: boolean;
  /** Whether the domain leads to the service; null: that was not to be found out. */
  cname: boolean | null;
}

/** What a look-up means for a domain. */
export type Transition = "none" | "verified" | "lost" | "found_again" | "given_up";

export function transitionOf({ status, lost_at }: DomainRow, { txt }: DnsResult, now: number): Transition {
  if (status === "pending") return txt ? "verified" : "none";
  if (txt) return lost_at === null ? "none" : "found_again";
  if (lost_at === null) return "lost";
  return now - lost_at >= LOST_DOMAIN_GRACE_MS ? "given_up" : "none";
}

/** The time of a look-up, and chance (0 to 1), by which the next ones spread. */
export interface Moment {
  now: number;
  chance: number;
}

/**
 * The row after a look-up. `registers`: the operator wants a custom hostname for each verified domain. A domain
 * that is given up keeps `lost_at`, which says why it is pending.
 */
export function applyDnsResult(
  row: DomainRow,
  found: DnsResult,
  { now, chance }: Moment,
  registers: boolean,
): DomainRow {
  const transition = transitionOf(row, found, now);
  const after = {
    ...row,
    txt_found: Number(found.txt),
    cname_found: found.cname === null ? row.cname_found : Number(found.cname),
    checked_at: now,
    updated_at: transition === "none" ? row.updated_at : Math.max(now, row.updated_at + 1),
    ...changesOf(transition, now),
  };
  return after.status === "pending" ? after : planned(after, { now, chance }, registers);
}

function changesOf(transition: Transition, now: number): Partial<DomainRow> {
  if (transition === "verified") return { status: "verified", verified_at: now, lost_at: null };
  if (transition === "lost") return { lost_at: now };
  if (transition === "found_again") return { lost_at: null };
  if (transition === "given_up") return { ...UNREGISTERED, status: "pending", verified_at: null, check_at: null };
  return {};
}

const UNREGISTERED = { hostname_id: null, hostname_status: null, hostname_error: null, hostname_at: null };

function planned(row: DomainRow, { now, chance }: Moment, registers: boolean): DomainRow {
  const wait =
    row.lost_at === null
      ? DOMAIN_CHECK_INTERVAL_MS - Math.floor(chance * DOMAIN_CHECK_SPREAD_MS)
      : LOST_DOMAIN_CHECK_INTERVAL_MS;
  const planned = { ...row, check_at: now + wait };
  return registers && row.hostname_status === null
    ? { ...planned, hostname_status: "initializing", hostname_at: now }
    : planned;
}
