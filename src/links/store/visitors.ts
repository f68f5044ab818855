import type { RedirectRow } from "../../redirect/lookup/entry.ts";
import { verdictAt } from "../../redirect/verdict.ts";
import type { Visitors } from "../verdict-contract.ts";

export function isExpired(row: RedirectRow, now: number): boolean {
  return (row.expires_at !== null && row.expires_at <= now) || isUsedUp(row);
}

/** Whether the link has had its last visit. */
export function isUsedUp({ max_clicks, visits }: Pick<RedirectRow, "max_clicks" | "visits">): boolean {
  return max_clicks !== null && visits >= max_clicks;
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
