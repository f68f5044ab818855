import type { ServiceContext } from "../../context.ts";
import { isDeletedAccount } from "../../database/account-states.ts";
import { CRON_BATCH_ROWS } from "../../limits.ts";
import { OutboxBatch } from "../../outbox/batch.ts";
import { recordDeletedLinks } from "./deleted-links.ts";
import { changeValues, enqueueEvents, selectedLinks } from "./events.ts";
import { expireDueLinksOfAccount } from "./expiry.ts";

/** The links of deleted domains. Visitors cannot reach them; they are deleted in batches. */

/**
 * Deletes a batch of one deleted domain's links. The domain is chosen at random, so that a domain with very many links, or
 * one that fails, does not delay the others. The domains of deleted accounts stay as they are. Returns 1, or 0 if there is no such domain.
 */
export async function deleteNextDomainLinks(context: ServiceContext): Promise<number> {
  const next = await context.db
    .prepare(
      `SELECT account_id, domain FROM deleted_domains WHERE NOT ${isDeletedAccount("deleted_domains.account_id")}
     ORDER BY random() LIMIT 1`,
    )
    .first<{ account_id: number; domain: string }>();
  if (next === null) return 0;
  await deleteDomainLinks(context, next.account_id, next.domain);
  return 1;
}

/**
 * Deletes up to {@link CRON_BATCH_ROWS} links that the account has at a deleted domain, with their events. With the last
 * link it removes the record of the deleted domain.
 */
export async function deleteDomainLinks(context: ServiceContext, accountId: number, domain: string): Promise<void> {
  const batch = new OutboxBatch(context);
  expireDueLinksOfAccount(batch, accountId, context);
  const values = changeValues(context, accountId, domain, CRON_BATCH_ROWS);
  enqueueEvents(batch, "link.delete", context.now, values, selectedLinks(`SELECT l.seq FROM ${DOMAIN_LINKS}`));
  recordDeletedLinks(batch, DOMAIN_LINKS, values);
  batch.add(`DELETE FROM links WHERE seq IN (SELECT l.seq FROM ${DOMAIN_LINKS})`, values);
  batch.add(
    `DELETE FROM deleted_domains WHERE account_id = ?1 AND domain = ?2
     AND NOT EXISTS (SELECT 1 FROM links WHERE account_id = ?1 AND archived IN (0, 1) AND domain = ?2 AND domain <> '')`,
    [accountId, domain],
  );
  await batch.commit();
}

/**
 * Up to ?6 links `l` of the account ?4 at the domain ?5. None if the domain is not recorded as deleted: another run may have
 * deleted them.
 */
const DOMAIN_LINKS = `deleted_domains d CROSS JOIN links l INDEXED BY links_by_domain
    ON l.account_id = d.account_id AND l.archived IN (0, 1) AND l.domain = d.domain
  WHERE d.account_id = ?4 AND d.domain = ?5 AND l.account_id IS NOT NULL AND l.domain <> ''
  ORDER BY l.archived, l.seq LIMIT ?6`;
