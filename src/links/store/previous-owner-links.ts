import type { ServiceContext } from "../../context.ts";
import type { Value } from "../../database/parameters.ts";
import type { OutboxBatch } from "../../outbox/batch.ts";
import { slugKeySql, toSlugKey } from "../../redirect/slug.ts";
import { recordDeletedLinks } from "./deleted-links.ts";
import { changeValues, enqueueEvents } from "./events.ts";
import { changeUsage } from "../../usage/store.ts";
import { changedColumns, selectGrowth } from "./row.ts";
import { isVerifiedFor } from "./verified-domains.ts";

/** What makes the short URL of a link. The domain '' is the service's own. */
export interface ShortUrl {
  domain: string;
  slug: string;
}

/**
 * Deletes the links, and removes the aliases, that a custom domain's previous owner has at these short URLs, if the domain
 * is the account's now. They no longer reach visitors, but would make the slugs taken. Call it before the write that
 * needs the slugs.
 */
export function removePreviousOwnerLinks(
  batch: OutboxBatch,
  accountId: number | null,
  shortUrls: readonly ShortUrl[],
  context: ServiceContext,
): void {
  const custom = shortUrls.filter(({ domain }) => domain !== "");
  if (custom.length === 0) return;
  const values = changeValues(context, JSON.stringify(keysOf(custom)), accountId);
  enqueueEvents(batch, "link.delete", context.now, values, { from: PREVIOUS_OWNER_LINKS, number: "j.key" });
  recordDeletedLinks(batch, PREVIOUS_OWNER_LINKS, values);
  batch.add(`DELETE FROM links WHERE seq IN (SELECT l.seq FROM ${PREVIOUS_OWNER_LINKS})`, values);
  removePreviousOwnerAliases(batch, values, context.now);
}

/**
 * The keys that the slugs can have, each once, with whether they have it at a domain that is case-sensitive (1), that is not
 * (0), or at any (null): only the transaction knows the domain.
 */
function keysOf(shortUrls: readonly ShortUrl[]): [domain: string, slugKey: string, isCaseSensitive: 0 | 1 | null][] {
  const keys = new Map<string, [string, string, 0 | 1 | null]>();
  const given = new Set(shortUrls.map(({ domain, slug }) => `${domain}/${slug}`));
  for (const { domain, slug } of shortUrls) {
    const folded = toSlugKey(slug, false);
    keys.set(`${domain}/${slug}`, [domain, slug, slug === folded ? null : 1]);
    if (!given.has(`${domain}/${folded}`)) keys.set(`${domain}/${folded}`, [domain, folded, 0]);
  }
  return [...keys.values()];
}

/** Removes the aliases of other accounts at these short URLs, also those that are kept for the links deleted just now. */
function removePreviousOwnerAliases(batch: OutboxBatch, values: Value[], now: number): void {
  const changed = `(SELECT ${changedColumns(WITHOUT_ALIASES)}, row_number() OVER () AS number FROM links l WHERE ${HAS_ALIASES}) l`;
  enqueueEvents(batch, "link.update", now, values, { from: changed, number: "l.number" });
  const growth = selectGrowth(`links l WHERE ${HAS_ALIASES}`, WITHOUT_ALIASES);
  changeUsage(batch, `SELECT account_id, 0 AS links, growth AS bytes FROM (${growth})`, values);
  const assignments = Object.entries(WITHOUT_ALIASES).map(([column, value]) => `${column} = ${value}`);
  batch.add(`UPDATE links SET ${assignments.join(", ")} WHERE ${HAS_ALIASES}`, values);
  batch.add(
    `DELETE FROM aliases WHERE (domain, slug_key) IN (SELECT a.domain, a.slug_key FROM ${PREVIOUS_OWNER_ALIASES})`,
    values,
  );
}

// SQL about the short URLs ?4, a JSON array of keysOf, which the account ?5 takes. ?1 is the current time.

/** Another account's links `l` there. */
const PREVIOUS_OWNER_LINKS = `json_each(?4) j
  CROSS JOIN links l INDEXED BY links_by_slug ON l.domain = j.value ->> 0 AND l.slug_key = j.value ->> 1
  WHERE l.account_id <> ?5 AND ${isVerifiedFor("?5", "l.domain", "j.value ->> 2")}`;

/** Another account's aliases `a` there. */
const PREVIOUS_OWNER_ALIASES = `json_each(?4) j
  CROSS JOIN aliases a ON a.domain = j.value ->> 0 AND a.slug_key = j.value ->> 1
  WHERE a.account_id IS NOT ?5 AND ${isVerifiedFor("?5", "a.domain", "j.value ->> 2")}`;

/** A condition: the link has some of these aliases. */
const HAS_ALIASES = `seq IN (SELECT a.link_seq FROM ${PREVIOUS_OWNER_ALIASES})`;

/** By column, the new values of a link that loses them. */
const WITHOUT_ALIASES = {
  updated_at: "max(CAST(?1 AS INTEGER), updated_at + 1)",
  aliases: `(SELECT nullif(json_group_array(kept.value), '[]') FROM json_each(aliases) kept
    WHERE ${slugKeySql("kept.value", "case_sensitive")} NOT IN (
      SELECT a.slug_key FROM ${PREVIOUS_OWNER_ALIASES} AND a.link_seq = seq))`,
};
