import type { RedirectRow } from "../../redirect/lookup/entry.ts";
import { isStateAtSql, verdictAt } from "../../safety/verdict.ts";
import type { Visitors } from "../verdict-contract.ts";

export function isExpired({ expires_at, max_clicks, visits }: RedirectRow, now: number): boolean {
  return (expires_at !== null && expires_at <= now) || (max_clicks !== null && visits >= max_clicks);
}

/** What visitors of a link get, as redirects decide it (src/redirect/link-response.ts). */
export function whatVisitorsGet(row: RedirectRow, now: number): Visitors {
  const { state } = verdictAt(row.verdict, now);
  const hasEnded = row.disabled === 1 || isExpired(row, now);
  const isClosed = hasEnded
    ? row.expired_url === null
    : row.password_hash !== null || (row.starts_at !== null && row.starts_at > now);
  if (state === "blocked" || isClosed) return "page";
  return state === "allowed" ? "redirect" : "preview";
}

const IS_CLOSED = `iif(l.disabled OR coalesce(l.expires_at <= ?1, 0) OR coalesce(l.max_clicks <= l.visits, 0),
  l.expired_url IS NULL, l.password_hash IS NOT NULL OR coalesce(l.starts_at > ?1, 0))`;

/** SQL for the JSON text of {@link whatVisitorsGet} of the link `l`. ?1 is the current time. */
export const VISITORS_JSON = `CASE WHEN ${isStateAtSql("blocked", "l.verdict", "?1")} OR ${IS_CLOSED} THEN '"page"'
  WHEN ${isStateAtSql("allowed", "l.verdict", "?1")} THEN '"redirect"' ELSE '"preview"' END`;
