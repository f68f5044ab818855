import type { ServiceContext } from "../../../platform/context.ts";
import {
  BROKEN_MAIL_INTERVAL_MS,
  BROKEN_MAIL_LEASE_MS,
  MAX_COUNTED_BROKEN_LINKS,
  MAX_NAMED_BROKEN_LINKS,
  TOLD_ACCOUNTS_PER_RUN,
} from "../limits.ts";

/** An account whose owners are told of destinations that broke after `toldUntil`, Unix milliseconds. */
export interface DueAccount {
  accountId: number;
  toldUntil: number;
}

/** Returns accounts that are due, and leases them for {@link BROKEN_MAIL_LEASE_MS}. */
export async function claimDueAccounts({ db, now }: ServiceContext): Promise<DueAccount[]> {
  const { results } = await db
    .prepare(
      `UPDATE broken_destination_mails SET due_at = ?2 WHERE account_id IN
         (SELECT account_id FROM broken_destination_mails WHERE due_at <= ?1 ORDER BY due_at LIMIT ${TOLD_ACCOUNTS_PER_RUN})
       RETURNING account_id AS accountId, told_until AS toldUntil`,
    )
    .bind(now, now + BROKEN_MAIL_LEASE_MS)
    .all<DueAccount>();
  return results;
}

/** Records that the owners know of all that broke before `now`. What broke at this moment, or since then, is told in the next mail. */
export async function recordTold({ db, now }: ServiceContext, accountId: number): Promise<void> {
  await db
    .prepare(
      `UPDATE broken_destination_mails SET told_until = ?2 - 1,
         due_at = (SELECT ?2 + ${BROKEN_MAIL_INTERVAL_MS} FROM destinations INDEXED BY destinations_broken
           WHERE account_id = ?1 AND broken_since >= ?2 LIMIT 1)
       WHERE account_id = ?1`,
    )
    .bind(accountId, now)
    .run();
}

export interface BrokenLinks {
  /** At most {@link MAX_COUNTED_BROKEN_LINKS}. */
  count: number;
  /** Short URLs of the first {@link MAX_NAMED_BROKEN_LINKS}, the newest link first. */
  shortUrls: string[];
}

/** Returns the links of the account in its lists whose destination broke after `toldUntil` and before `now`, and is still broken. */
export async function findBrokenLinks(
  { db, baseUrl, now }: ServiceContext,
  { accountId, toldUntil }: DueAccount,
): Promise<BrokenLinks> {
  const { results } = await db
    .prepare(
      `SELECT iif(l.domain = '', ?3, 'https://' || l.domain) || '/' || l.slug AS shortUrl
       FROM destinations b INDEXED BY destinations_broken CROSS JOIN links l ON l.seq = b.link_seq AND l.id = b.link_id
       WHERE b.account_id = ?1 AND b.broken_since > ?2 AND b.visited_hash = l.url_hash AND l.account_id = ?1
         AND b.broken_since < ?4 AND l.archived = 0 AND l.disabled = 0
       ORDER BY b.link_seq DESC LIMIT ${MAX_COUNTED_BROKEN_LINKS}`,
    )
    .bind(accountId, toldUntil, baseUrl, now)
    .all<{ shortUrl: string }>();
  const shortUrls = results.slice(0, MAX_NAMED_BROKEN_LINKS).map(({ shortUrl }) => shortUrl);
  return { count: results.length, shortUrls };
}
