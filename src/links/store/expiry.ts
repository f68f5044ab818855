import type { ServiceContext } from "../../context.ts";
import type { Result } from "../../database/batch.ts";
import { Parameters } from "../../database/parameters.ts";
import { CRON_BATCH_ROWS } from "../../limits.ts";
import { OutboxBatch } from "../../outbox/batch.ts";
import { enqueueEvents, selectedLinks, type OwnLinks } from "./events.ts";
import { LISTED_LINKS, listedLinks } from "./sequence.ts";

/**
 * The transition of links from `active` to `expired`, past `expiresAt` or after the last visit. Only these functions
 * make it, so `link.expired` is emitted once.
 */

/** One row for each link that expired. The number of changes would include those of triggers. */
type ExpiredLinks = Result<{ expired: 1 }>;

/** Expires links of all accounts, up to {@link CRON_BATCH_ROWS} of each kind, the longest overdue first. Returns their number. */
export async function expireDueLinks(context: ServiceContext): Promise<number> {
  const batch = new OutboxBatch(context);
  const expired = expireSelected(batch, context, (parameters) => {
    const limit = parameters.add(CRON_BATCH_ROWS);
    return `SELECT seq FROM (SELECT seq FROM links INDEXED BY links_due WHERE ${OVERDUE}
        ORDER BY expires_at, seq LIMIT ${limit})
      UNION SELECT seq FROM (SELECT seq FROM links INDEXED BY links_used_up WHERE ${USED_UP}
        ORDER BY account_id, seq LIMIT ${limit})`;
  });
  await batch.commit();
  return expired.rows.length;
}

/** Expires links of one account, with the same limits. */
export function expireDueLinksOfAccount(batch: OutboxBatch, accountId: number, context: ServiceContext): ExpiredLinks {
  const select = (parameters: Parameters) => {
    const [account, limit] = [parameters.add(accountId), parameters.add(CRON_BATCH_ROWS)];
    return `SELECT seq FROM (SELECT seq FROM links INDEXED BY links_due_by_account WHERE account_id = ${account} AND ${OVERDUE}
        ORDER BY expires_at, seq LIMIT ${limit})
      UNION SELECT seq FROM (SELECT seq FROM links INDEXED BY links_used_up WHERE account_id = ${account} AND ${USED_UP}
        ORDER BY seq LIMIT ${limit})`;
  };
  return expireSelected(batch, context, select, accountId);
}

/** Expires those of the account's links that are due, before a change that may hide it. */
export function expireDueLinksOf(batch: OutboxBatch, { accountId, ids }: OwnLinks, context: ServiceContext): void {
  const isDue = `((${OVERDUE}) OR (${USED_UP}))`;
  enqueueEvents(batch, "link.expired", context, (parameters) => {
    const { condition, position } = listedLinks(ids, parameters);
    const account = parameters.add(accountId);
    // Links are rarely due, so they are read before the webhooks. Several links are only read if there are webhooks.
    const hasWebhooks = `(SELECT 1 FROM webhooks WHERE account_id = ${account} LIMIT 1) CROSS JOIN`;
    const links = `${ids.length === 1 ? "" : hasWebhooks} ${LISTED_LINKS}`;
    const isOwn = `${condition} AND l.account_id = ${account} AND ${isDue}`;
    return { from: `${links} WHERE ${isOwn}`, number: position, account, isRare: true, count: ids.length };
  });
  const parameters = new Parameters([context.now, accountId]);
  const { condition } = listedLinks(ids, parameters);
  batch.add(
    `UPDATE ${LISTED_LINKS} SET status = 'expired' WHERE ${condition} AND account_id = ?2 AND ${isDue}`,
    parameters.values,
  );
}

/** `select` gives the keys of the links, which may belong to one account. Within one transaction it must select the same links each time. */
function expireSelected(
  batch: OutboxBatch,
  context: ServiceContext,
  select: (parameters: Parameters) => string,
  accountId?: number,
): ExpiredLinks {
  enqueueEvents(batch, "link.expired", context, (parameters) => {
    const links = { ...selectedLinks(select(parameters)), isRare: true };
    return accountId === undefined ? links : { ...links, account: parameters.add(accountId) };
  });
  const parameters = new Parameters([context.now]);
  return batch.add(
    `UPDATE links SET status = 'expired' WHERE seq IN (${select(parameters)}) RETURNING 1 AS expired`,
    parameters.values,
  );
}

// Conditions on links at the time ?1. Each kind has an index.
const OVERDUE = "status = 'active' AND disabled = 0 AND expires_at IS NOT NULL AND expires_at <= ?1";
const USED_UP = "status = 'active' AND disabled = 0 AND max_clicks IS NOT NULL AND visits >= max_clicks";
