import { DEAD_RETRY_MS, LIVELY_CHECK_MS, LIVELY_MS, MIN_UNREACHABLE_AT_OUTAGE, QUIET_CHECK_MS } from "./limits.ts";
import type { Visit } from "./visit.ts";

/** What is known of a destination, and what follows from a visit. No I/O. */

export interface Findings {
  outcome: "working" | "failing" | "unknown";
  /** Visits in a row that found it dead. */
  failures: number;
  /** Unix milliseconds; null: it is not broken. */
  brokenSince: number | null;
  title: string | null;
  icon: string | null;
  host: string;
  status: number | null;
}

/** `found` of the visits before is null if there were none, or if they were of another URL. */
export function nextFindings(found: Findings | null, visit: Visit, now: number): Findings {
  const host = new URL(visit.finalUrl).host;
  const judgement = judge(visit);
  const { status } = visit;
  if (judgement === "unknown") return { ...(found ?? UNKNOWN), host: found?.host ?? host, status };
  if (judgement === "working")
    return { outcome: "working", failures: 0, brokenSince: null, title: visit.title, icon: visit.icon, host, status };
  const failures = (found?.failures ?? 0) + 1;
  const brokenSince = found?.brokenSince ?? (failures > DEAD_RETRY_MS.length ? now : null);
  // The former title still tells a person which page it was.
  const { title = null, icon = null } = found ?? {};
  return { outcome: "failing", failures, brokenSince, title, icon, host, status };
}

const UNKNOWN = { outcome: "unknown", failures: 0, brokenSince: null, title: null, icon: null } as const;

/**
 * Dead are pages that are missing (404, 410) or fail (5xx), and names and servers that do not answer. A server that refuses
 * the service (401, 403) has the page for others. Too many requests (429), robots.txt, slow answers and numbers that are no
 * status of HTTP (LinkedIn refuses robots with 999) say nothing.
 */
function judge({ failure, status }: Visit): "working" | "dead" | "unknown" {
  if (status !== null && status > 599) return "unknown";
  if (status !== null && status >= 500 && (failure === null || failure === "robots")) return "dead";
  if (failure !== null) return failure === "unreachable" ? "dead" : "unknown";
  if (status === 404 || status === 410) return "dead";
  return status === 429 ? "unknown" : "working";
}

/** The time until the next visit. `jitter`, from 0 to 1, spreads the visits of links that were made at once. */
export function nextDelay(
  { outcome, failures }: Findings,
  link: { created_at: number; last_clicked_at: number },
  now: number,
  jitter: number,
): number {
  const retry = outcome === "failing" ? DEAD_RETRY_MS[failures - 1] : undefined;
  const isLively = Math.max(link.created_at, link.last_clicked_at) > now - LIVELY_MS;
  const delay = retry ?? (isLively ? LIVELY_CHECK_MS : QUIET_CHECK_MS);
  return Math.round(delay * (0.9 + 0.2 * jitter));
}

/** Whether so many visits of a run reached no server that the network or the resolver of the service must be at fault. */
export function isOutage(visits: readonly Visit[]): boolean {
  const unreachable = visits.filter(({ failure }) => failure === "unreachable").length;
  return unreachable >= MIN_UNREACHABLE_AT_OUTAGE && unreachable > visits.length / 2;
}
