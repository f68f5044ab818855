import type { ServiceContext } from "../../platform/context.ts";
import { isDeletedAccount } from "../../platform/database/account-states.ts";
import { Batch } from "../../platform/database/batch.ts";
import type { Parameters } from "../../platform/database/parameters.ts";
import { CRON_BATCH_ROWS } from "../../limits.ts";
import { OutboxBatch } from "../../platform/outbox/batch.ts";
import { LINKS_PER_TRANSACTION } from "../limits.ts";
import { and, areAsRead } from "./as-read.ts";
import { addDeletion } from "./delete.ts";
import { findLinks } from "./links.ts";

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
  const { db } = context;
  const batch = new Batch(db);
  const found = batch.add<{ id: string }>(DOMAIN_LINKS, [accountId, domain, CRON_BATCH_ROWS]);
  batch.add(REMOVE_EMPTY, [accountId, domain]);
  await batch.commit();
  const ids = found.rows.map(({ id }) => id);
  // The account may have the domain again.
  const isDeleted = (parameters: Parameters) => `EXISTS (SELECT 1 FROM deleted_domains d
    WHERE d.account_id = ${parameters.add(accountId)} AND d.domain = ${parameters.add(domain)})`;
  for (let start = 0; start < ids.length; start += LINKS_PER_TRANSACTION) {
    const rows = await findLinks(db, ids.slice(start, start + LINKS_PER_TRANSACTION));
    const deletion = new OutboxBatch(context);
    addDeletion(deletion, rows, and(areAsRead(rows), isDeleted), context);
    deletion.add(REMOVE_EMPTY, [accountId, domain]);
    await deletion.commit();
  }
}

const REMOVE_EMPTY = `DELETE FROM deleted_domains WHERE account_id = ?1 AND domain = ?2
  AND NOT EXISTS (SELECT 1 FROM links WHERE account_id = ?1 AND archived IN (0, 1) AND domain = ?2 AND domain <> '')`;

/** Up to ?3 links of the account ?1 at the domain ?2. None if the domain is not recorded as deleted: another run may have deleted them. */
const DOMAIN_LINKS = `SELECT l.id FROM deleted_domains d CROSS JOIN links l INDEXED BY links_by_domain
    ON l.account_id = d.account_id AND l.archived IN (0, 1) AND l.domain = d.domain
  WHERE d.account_id = ?1 AND d.domain = ?2 AND l.account_id IS NOT NULL AND l.domain <> ''
  ORDER BY l.archived, l.seq LIMIT ?3`;
