import type { ServiceContext } from "../../context.ts";
import { OutboxBatch } from "../../outbox/batch.ts";
import { enqueueLinkEvents } from "./events.ts";
import { columnsOf, LINK_COLUMNS, STORED_COLUMNS, type LinkRow } from "./row.ts";
import { LISTED_LINKS, sequenceOf } from "./sequence.ts";
import { isVerifiedFor } from "./verified-domains.ts";

export type RestoreOutcome =
  | { outcome: "restored"; row: LinkRow }
  | { outcome: "slug_used_again" | "external_id_taken" | "domain_refused" };

interface Taken {
  has_slug: 0 | 1;
  has_domain: 0 | 1;
}

/**
 * Restores a deleted link of an account with those of its aliases that are still kept for it, and emits `link.create`, in
 * one transaction and one round trip. Repeated or parallel calls restore it once. `row` is the link as it was deleted, with
 * its present click counters.
 */
export async function restoreLink(context: ServiceContext, accountId: number, row: LinkRow): Promise<RestoreOutcome> {
  const { id, domain, slug } = row;
  const batch = new OutboxBatch(context);
  const values = [sequenceOf(id), id, accountId, domain, slug];
  // A slug that is kept for the link is no other link's, so nothing of a domain's previous owner is in its way.
  const hasSlug = "EXISTS (SELECT 1 FROM aliases WHERE domain = ?4 AND slug = ?5 AND link_seq = CAST(?1 AS INTEGER))";
  const hasDomain = `(?4 = '' OR ${isVerifiedFor("?3", "?4")})`;
  const state = batch.add<Taken>(`SELECT ${hasSlug} AS has_slug, ${hasDomain} AS has_domain`, values);
  // The version is newer than the tombstone in the caches, which is as in toTombstoneVersion. MATERIALIZED: otherwise
  // SQLite makes the JSON anew for each column.
  batch.add(
    `INSERT INTO links (${STORED_COLUMNS.join(", ")})
     WITH restored AS MATERIALIZED (
       SELECT json_set(d.link,
         '$.updated_at', CAST(max(?6, d.deleted_at + 1, (d.link ->> 'updated_at') + 2) AS INTEGER),
         '$.clicks', CAST(?7 AS INTEGER), '$.last_clicked_at', CAST(?8 AS INTEGER),
         '$.aliases', (SELECT nullif(json_group_array(former.value ORDER BY former.key), '[]')
           FROM json_each(d.link ->> 'aliases') former
           JOIN aliases a ON a.domain = ?4 AND a.slug = former.value AND a.link_seq = d.seq)) AS link
       FROM deleted_links d WHERE d.seq = CAST(?1 AS INTEGER) AND d.id = ?2 AND d.account_id = ?3
     )
     SELECT ${columnsOf("link")} FROM restored WHERE ${hasSlug} AND ${hasDomain} ON CONFLICT DO NOTHING`,
    [...values, context.now, row.clicks, row.last_clicked_at],
  );
  // Until the next statement, only a link that was restored just now is in both tables.
  enqueueLinkEvents(batch, "link.create", { accountId, ids: [id] }, context, () => {
    return "EXISTS (SELECT 1 FROM deleted_links d WHERE d.seq = l.seq)";
  });
  batch.add(
    `DELETE FROM deleted_links WHERE seq = CAST(?1 AS INTEGER) AND id = ?2
     AND EXISTS (SELECT 1 FROM links l WHERE l.seq = CAST(?1 AS INTEGER) AND l.id = ?2)`,
    [sequenceOf(id), id],
  );
  const restored = batch.add<LinkRow>(
    `SELECT ${LINK_COLUMNS} FROM ${LISTED_LINKS} WHERE l.seq = CAST(?1 AS INTEGER) AND l.id = ?2`,
    [sequenceOf(id), id],
  );
  await batch.commitWithRetry();
  if (restored.first !== undefined) return { outcome: "restored", row: restored.first };
  const { has_slug: stillHasSlug, has_domain: stillHasDomain } = state.first as Taken;
  if (stillHasDomain !== 1) return { outcome: "domain_refused" };
  return { outcome: stillHasSlug === 1 ? "external_id_taken" : "slug_used_again" };
}
