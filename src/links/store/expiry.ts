import type { ServiceContext } from "../../platform/context.ts";
import type { Batch, Result } from "../../platform/database/batch.ts";
import { CRON_BATCH_ROWS } from "../../limits.ts";
import { OutboxBatch } from "../../platform/outbox/batch.ts";
import { LINKS_PER_TRANSACTION } from "../limits.ts";
import { and, areAsRead } from "./as-read.ts";
import { enqueueLinkEvents } from "./events.ts";
import { findLinks } from "./links.ts";
import type { LinkRow } from "./row.ts";
import { LISTED_LINKS } from "./sequence.ts";
import { isExpired } from "./visitors.ts";

/**
 * The transition of links from `active` to `expired`, past `expiresAt` or after the last visit, disabled ones included. Only
 * these functions make it, so `link.expired` is emitted once.
 */

/** A link whose expiry nobody has noticed yet. */
export interface DueLink {
  id: string;
}

/** Expires links of all accounts, up to {@link CRON_BATCH_ROWS} of each kind, the longest overdue first. Returns their number. */
export async function expireDueLinks(context: ServiceContext): Promise<number> {
  const statement = context.db.prepare(DUE_LINKS).bind(context.now, CRON_BATCH_ROWS);
  const { results } = await statement.all<DueLink>();
  await expireLinks(context, results);
  return results.length;
}

/** Reads which links of one account are due, with the same limits. */
export function readDueLinks(batch: Batch, accountId: number, now: number): Result<DueLink> {
  return batch.add(DUE_LINKS_OF_ACCOUNT, [now, CRON_BATCH_ROWS, accountId]);
}

/** Expires links that are due. One that is changed meanwhile may stay due. */
export async function expireLinks(context: ServiceContext, due: readonly DueLink[]): Promise<void> {
  const ids = due.map(({ id }) => id);
  for (let start = 0; start < ids.length; start += LINKS_PER_TRANSACTION) {
    const batch = new OutboxBatch(context);
    addExpiries(batch, await findLinks(context.db, ids.slice(start, start + LINKS_PER_TRANSACTION)), context);
    if (!batch.isEmpty) await batch.commit();
  }
}

/** Expires those of the links that are due, and still as they were read. Call it before a change that may hide it. */
export function addExpiries(batch: OutboxBatch, rows: readonly LinkRow[], context: ServiceContext): void {
  const { now } = context;
  const due = rows.filter((row) => row.status === "active" && isExpired(row, now));
  if (due.length === 0) return;
  const areDue = and(areAsRead(due), "l.status = 'active'");
  enqueueLinkEvents(batch, "link.expired", due, areDue, context);
  batch.add(`UPDATE ${LISTED_LINKS} SET status = 'expired' WHERE ${areDue.condition}`, areDue.values);
}

// Conditions on links at the time ?1. Each kind has an index.
const OVERDUE = "status = 'active' AND expires_at IS NOT NULL AND expires_at <= ?1";
const USED_UP = "status = 'active' AND max_clicks IS NOT NULL AND visits >= max_clicks";

/** Up to ?2 links of each kind, the longest overdue first. */
const DUE_LINKS = `
  SELECT id FROM (SELECT id FROM links INDEXED BY links_due WHERE ${OVERDUE} ORDER BY expires_at, seq LIMIT ?2)
  UNION
  SELECT id FROM (SELECT id FROM links INDEXED BY links_used_up WHERE ${USED_UP} ORDER BY account_id, seq LIMIT ?2)`;

/** The same of the account ?3. */
const DUE_LINKS_OF_ACCOUNT = `
  SELECT id FROM (SELECT id FROM links INDEXED BY links_due_by_account WHERE account_id = ?3 AND ${OVERDUE}
    ORDER BY expires_at, seq LIMIT ?2)
  UNION
  SELECT id FROM (SELECT id FROM links INDEXED BY links_used_up WHERE account_id = ?3 AND ${USED_UP}
    ORDER BY seq LIMIT ?2)`;
