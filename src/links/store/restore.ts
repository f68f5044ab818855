import type { ServiceContext } from "../../context.ts";
import { isUntrustedAccount } from "../../safety/trust/store.ts";
import { OutboxBatch } from "../../outbox/batch.ts";
import { whenTrusted } from "../../safety/verdict.ts";
import { linksQuota, type ExceededQuota } from "../../usage/quota.ts";
import { countWithinQuotas, isOverQuota, readUsage } from "../../usage/store.ts";
import { isNested, slugKeySql } from "../../redirect/slug.ts";
import { keyOf, slugsOf } from "../aliases.ts";
import { enqueueLinkEvents } from "./events.ts";
import { columnsOf, deletedLinkBytes, LINK_COLUMNS, linkBytes, STORED_COLUMNS, type LinkRow } from "./row.ts";
import { LISTED_LINKS, sequenceOf } from "./sequence.ts";
import { hasNestedSlugs, isVerifiedFor } from "./verified-domains.ts";

export type RestoreOutcome =
  | { outcome: "restored"; row: LinkRow }
  | { outcome: "slug_used_again" | "external_id_taken" | "domain_refused" | "nested_slugs_off" }
  | { outcome: "quota_exceeded"; quota: ExceededQuota };

interface State {
  has_slug: 0 | 1;
  has_domain: 0 | 1;
  has_form: 0 | 1;
  external_id_taken: 0 | 1;
}

// SQL about the deleted link ?1 with the id ?2, of the account ?3, at the domain ?4 with the key ?5 of its slug and the externalId ?6. ?7 is
// `ANONYMOUS_HOST`.

/** A slug that is kept for the link is no other link's, so nothing of a domain's previous owner is in its way. */
const HAS_SLUG =
  "EXISTS (SELECT 1 FROM aliases WHERE domain = ?4 AND slug_key = ?5 AND link_seq = CAST(?1 AS INTEGER))";
const HAS_DOMAIN = `(?4 IN ('', ?7) OR ${isVerifiedFor("?3", "?4")})`;
const EXTERNAL_ID_TAKEN = `EXISTS (SELECT 1 FROM links l
  WHERE l.account_id = ?3 AND l.external_id = ?6 AND l.seq <> CAST(?1 AS INTEGER))`;

/** The account may have become trusted since the link was deleted. */
const VERDICT = "link ->> 'verdict'";
const RESTORED_VERDICT = `iif(${isUntrustedAccount("?3")}, ${VERDICT}, ${whenTrusted(`(${VERDICT})`)})`;

/**
 * The row as it will be restored, a JSON object. The version is newer than the tombstone in the caches, which is as in
 * toTombstoneVersion. MATERIALIZED: otherwise SQLite makes the JSON anew for each column.
 */
const RESTORED = `restored AS MATERIALIZED (
  SELECT json_set(d.link,
    '$.updated_at', CAST(max(?8, d.deleted_at + 1, (d.link ->> 'updated_at') + 2) AS INTEGER),
    '$.clicks', CAST(?9 AS INTEGER), '$.last_clicked_at', CAST(?10 AS INTEGER),
    '$.aliases', (SELECT nullif(json_group_array(former.value ORDER BY former.key), '[]')
      FROM json_each(d.link ->> 'aliases') former
      CROSS JOIN aliases a ON a.domain = ?4 AND a.slug_key = ${slugKeySql("former.value", "d.link ->> 'case_sensitive'")}
        AND a.link_seq = d.seq)) AS link
  FROM deleted_links d WHERE d.seq = CAST(?1 AS INTEGER) AND d.id = ?2 AND d.account_id = ?3
    AND NOT EXISTS (SELECT 1 FROM links l WHERE l.seq = d.seq)
)`;

/**
 * Restores a deleted link of an account with those of its aliases that are still kept for it, and emits `link.create`, in
 * one transaction and one round trip. Repeated or parallel calls restore it once. `row` is the link as it was deleted, with
 * its present click counters.
 */
export async function restoreLink(context: ServiceContext, accountId: number, row: LinkRow): Promise<RestoreOutcome> {
  const { id, domain, slug } = row;
  const batch = new OutboxBatch(context);
  const values = [sequenceOf(id), id, accountId, domain, keyOf(row, slug), row.external_id, context.env.ANONYMOUS_HOST];
  const hasForm = slugsOf(row).some(isNested) ? hasNestedSlugs("?3", "?4") : "true";
  const state = batch.add<State>(
    `SELECT ${HAS_SLUG} AS has_slug, ${HAS_DOMAIN} AS has_domain, ${hasForm} AS has_form, ${EXTERNAL_ID_TAKEN} AS external_id_taken`,
    values,
  );
  batch.add(
    `INSERT INTO links (${STORED_COLUMNS.join(", ")})
     WITH ${RESTORED}
     SELECT ${columnsOf("link", { verdict: RESTORED_VERDICT })} FROM restored
     WHERE ${HAS_SLUG} AND ${HAS_DOMAIN} AND ${hasForm} AND NOT ${EXTERNAL_ID_TAKEN}`,
    [...values, context.now, row.clicks, row.last_clicked_at],
  );
  // Until its record is deleted below, only a link that was restored just now is in both tables.
  countWithinQuotas(batch, GROWTH, [sequenceOf(id), id]);
  enqueueLinkEvents(batch, "link.create", { accountId, ids: [id] }, context, () => {
    return "EXISTS (SELECT 1 FROM deleted_links d WHERE d.seq = l.seq)";
  });
  batch.add(`DELETE FROM deleted_links WHERE seq IN (SELECT d.seq FROM ${RESTORED_NOW})`, [sequenceOf(id), id]);
  const restored = batch.add<LinkRow>(
    `SELECT ${LINK_COLUMNS} FROM ${LISTED_LINKS} WHERE l.seq = CAST(?1 AS INTEGER) AND l.id = ?2`,
    [sequenceOf(id), id],
  );
  try {
    await batch.commitWithRetry();
  } catch (error) {
    if (!isOverQuota(error)) throw error;
    return { outcome: "quota_exceeded", quota: linksQuota(await readUsage(context.db, accountId)) };
  }
  if (restored.first !== undefined) return { outcome: "restored", row: restored.first };
  const { has_domain: hasDomain, has_form: isPossible, has_slug: hasSlug } = state.first as State;
  if (hasDomain !== 1) return { outcome: "domain_refused" };
  if (isPossible !== 1) return { outcome: "nested_slugs_off" };
  return { outcome: hasSlug === 1 ? "external_id_taken" : "slug_used_again" };
}

/** The link `l` that was restored just now, with its record `d`. */
const RESTORED_NOW = `deleted_links d CROSS JOIN links l ON l.seq = d.seq
  WHERE d.seq = CAST(?1 AS INTEGER) AND d.id = ?2 AND l.id = ?2`;

/** Its lost aliases no longer count. */
const GROWTH = `SELECT l.account_id, 1 AS links, ${linkBytes((column) => `l.${column}`)} - ${deletedLinkBytes("d.link")} AS bytes
  FROM ${RESTORED_NOW}`;
