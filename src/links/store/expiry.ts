import type { ServiceContext } from "../../context.ts";
import type { Result } from "../../database/batch.ts";
import { Parameters, type Value } from "../../database/parameters.ts";
import { CRON_BATCH_ROWS } from "../../limits.ts";
import { OutboxBatch } from "../../outbox/batch.ts";
import { changeValues, enqueueEvents, selectedLinks, type OwnLinks } from "./events.ts";
import { LISTED_LINKS, listedLinks } from "./sequence.ts";

/**
 * The transition of links from `active` to `expired`, past `expiresAt` or after the last visit, disabled ones included. Only
 * these functions make it, so `link.expired` is emitted once.
 */

/** One row for each link that expired. The number of changes would include those of triggers. */
type ExpiredLinks = Result<{ expired: 1 }>;

/** Expires links of all accounts, up to {@link CRON_BATCH_ROWS} of each kind, the longest overdue first. Returns their number. */
export async function expireDueLinks(context: ServiceContext): Promise<number> {
  const batch = new OutboxBatch(context);
  const expired = expireSelected(batch, context, DUE_LINKS, changeValues(context, CRON_BATCH_ROWS));
  await batch.commit();
  return expired.rows.length;
}

/** Expires links of one account, with the same limits. */
export function expireDueLinksOfAccount(batch: OutboxBatch, accountId: number, context: ServiceContext): ExpiredLinks {
  return expireSelected(batch, context, DUE_LINKS_OF_ACCOUNT, changeValues(context, CRON_BATCH_ROWS, accountId), "?5");
}

/** Expires those of the account's links that are due, before a change that may hide it. */
export function expireDueLinksOf(batch: OutboxBatch, { accountId, ids }: OwnLinks, context: ServiceContext): void {
  const parameters = new Parameters(changeValues(context, accountId));
  const { condition, position } = listedLinks(ids, parameters);
  const { values } = parameters;
  const isDue = `${condition} AND l.account_id = ?4 AND ((${OVERDUE}) OR (${USED_UP}))`;
  // Links are rarely due, so they are read before the webhooks. Several links are only read if there are webhooks.
  const hasWebhooks = ids.length === 1 ? "" : "(SELECT 1 FROM webhooks WHERE account_id = ?4 LIMIT 1) CROSS JOIN";
  const from = `${hasWebhooks} ${LISTED_LINKS} WHERE ${isDue}`;
  enqueueEvents(batch, "link.expired", context.now, values, {
    from,
    number: position,
    account: "?4",
    isRare: true,
    count: ids.length,
  });
  batch.add(`UPDATE ${LISTED_LINKS} SET status = 'expired' WHERE ${isDue}`, values);
}

/**
 * `select` gives the keys of the links, and `account` SQL for the one account that they belong to, if there is one. Within one
 * transaction it must select the same links each time.
 */
function expireSelected(
  batch: OutboxBatch,
  { now }: ServiceContext,
  select: string,
  values: Value[],
  account?: string,
): ExpiredLinks {
  const links = { ...selectedLinks(select), isRare: true, ...(account !== undefined && { account }) };
  enqueueEvents(batch, "link.expired", now, values, links);
  // Not with IN, which would read all links where the table was small at the last ANALYZE.
  const update = `UPDATE links SET status = 'expired' FROM (${select}) k WHERE links.seq = k.seq RETURNING 1 AS expired`;
  return batch.add(update, values);
}

// Conditions on links at the time ?1. Each kind has an index.
const OVERDUE = "status = 'active' AND expires_at IS NOT NULL AND expires_at <= ?1";
const USED_UP = "status = 'active' AND max_clicks IS NOT NULL AND visits >= max_clicks";

/** Up to ?4 links of each kind, the longest overdue first. */
const DUE_LINKS = `
  SELECT seq FROM (SELECT seq FROM links INDEXED BY links_due WHERE ${OVERDUE}
    ORDER BY expires_at, seq LIMIT ?4)
  UNION
  SELECT seq FROM (SELECT seq FROM links INDEXED BY links_used_up WHERE ${USED_UP}
    ORDER BY account_id, seq LIMIT ?4)`;

/** The same of the account ?5. */
const DUE_LINKS_OF_ACCOUNT = `
  SELECT seq FROM (SELECT seq FROM links INDEXED BY links_due_by_account WHERE account_id = ?5 AND ${OVERDUE}
    ORDER BY expires_at, seq LIMIT ?4)
  UNION
  SELECT seq FROM (SELECT seq FROM links INDEXED BY links_used_up WHERE account_id = ?5 AND ${USED_UP}
    ORDER BY seq LIMIT ?4)`;
