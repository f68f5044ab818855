import type { ServiceContext } from "../../context.ts";
import { originWithoutRequest } from "../../lib/hosts.ts";
import { newId } from "../../lib/uuid.ts";
import { CRON_BATCH_ROWS } from "../../limits.ts";
import { notifyWebhooks } from "../../outbox/messages.ts";
import { outboxStatements, wokenBy } from "../../outbox/legacy.ts";
import { commonParameters, selectEvent } from "./events.ts";
import { expireDueOfAccount } from "./expiry.ts";

/** The links of domains that were deleted. They answer nowhere any more; here they go, some at a time. */

interface DeletedDomain {
  account_id: number;
  domain: string;
}

/**
 * Goes on with the deletion of one domain's links, whichever comes: one with very many, or one that fails, must not
 * keep the others waiting. Answers 1 while there was one.
 */
export async function deleteNextDomainLinks(context: ServiceContext): Promise<number> {
  const next = await context.env.DB.prepare(
    "SELECT account_id, domain FROM deleted_domains ORDER BY random() LIMIT 1",
  ).first<DeletedDomain>();
  if (next === null) return 0;
  await deleteDomainLinks(context, next.account_id, next.domain);
  return 1;
}

/**
 * Deletes up to {@link CRON_BATCH_ROWS} of the account's links at a domain that it deleted, with their events and the
 * notes that their clicks are to be forgotten, and with the last of them the note of the deletion.
 */
export async function deleteDomainLinks(
  { env, now }: ServiceContext,
  accountId: number,
  domain: string,
): Promise<void> {
  const { DB: db } = env;
  const baseUrl = originWithoutRequest(env.BASE_URL);
  // The event of an end that nobody has noticed yet comes before that of the deletion.
  const expiry = expireDueOfAccount(db, accountId, now, baseUrl);
  // The last 12 bits of the ids count the events of this batch.
  const ids = newId(now).slice(0, -3);
  const numbered = `(SELECT *, row_number() OVER () AS n FROM links WHERE seq IN (${chosen("?4", "?5", "?6")})) l`;
  const source = {
    select: selectEvent("link.delete", `'${ids}' || printf('%03x', l.n)`, numbered),
    parameters: [...commonParameters({ now, baseUrl }), accountId, domain, CRON_BATCH_ROWS],
  };
  const links = `SELECT seq, id, account_id FROM links WHERE seq IN (${chosen("?1", "?2", "?3")})`;
  const results = await db.batch([
    ...expiry.statements,
    ...outboxStatements(db, source, { first: `${ids}000`, last: `${ids}fff` }),
    db
      .prepare(`INSERT INTO deleted_links (seq, id, account_id) ${links} ON CONFLICT DO NOTHING`)
      .bind(accountId, domain, CRON_BATCH_ROWS),
    db.prepare(`DELETE FROM links WHERE seq IN (${chosen("?1", "?2", "?3")})`).bind(accountId, domain, CRON_BATCH_ROWS),
    db
      .prepare(
        `DELETE FROM deleted_domains WHERE account_id = ?1 AND domain = ?2
         AND NOT EXISTS (SELECT 1 FROM links WHERE account_id = ?1 AND domain = ?2)`,
      )
      .bind(accountId, domain),
  ]);
  const owed = wokenBy(results[expiry.statements.length + 2]);
  await notifyWebhooks(env.DELIVERIES, [...new Set([...expiry.read(results).webhookIds, ...owed])]);
}

/** Only of a domain that is noted as deleted: another run may have come first. */
function chosen(account: string, domain: string, limit: string): string {
  return `SELECT l.seq FROM deleted_domains d CROSS JOIN links l INDEXED BY links_by_domain
    ON l.account_id = d.account_id AND l.domain = d.domain
    WHERE d.account_id = ${account} AND d.domain = ${domain} AND l.account_id IS NOT NULL ORDER BY l.seq LIMIT ${limit}`;
}
