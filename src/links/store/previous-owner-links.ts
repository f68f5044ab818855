import type { ServiceContext } from "../../context.ts";
import type { OutboxBatch } from "../../outbox/batch.ts";
import { slugKeySql, toSlugKey } from "../../redirect/slug-pattern.ts";
import { recordDeletedLinks } from "./deleted-links.ts";
import { enqueueEvents } from "./events.ts";
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
  const wanted = JSON.stringify(keysOf(custom));
  enqueueEvents(batch, "link.delete", context, (parameters) => ({
    from: previousOwnerLinks(parameters.add(wanted), parameters.add(accountId)),
    number: "j.key",
  }));
  const links = previousOwnerLinks("?1", "?2");
  recordDeletedLinks(batch, links, [wanted, accountId], context.now);
  batch.add(`DELETE FROM links WHERE seq IN (SELECT l.seq FROM ${links})`, [wanted, accountId]);
  removePreviousOwnerAliases(batch, wanted, accountId, context);
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
function removePreviousOwnerAliases(
  batch: OutboxBatch,
  wanted: string,
  accountId: number | null,
  context: ServiceContext,
): void {
  enqueueEvents(batch, "link.update", context, (parameters) => {
    const { set, isChanged } = withoutAliases(parameters.add(wanted), parameters.add(accountId), "?1");
    const from = `(SELECT ${changedColumns(set)}, row_number() OVER () AS number FROM links l WHERE ${isChanged}) l`;
    return { from, number: "l.number" };
  });
  const { removed, set, isChanged } = withoutAliases("?1", "?2", "?3");
  const growth = selectGrowth(`links l WHERE ${isChanged}`, set);
  const change = `SELECT account_id, 0 AS links, growth AS bytes FROM (${growth})`;
  changeUsage(batch, change, [wanted, accountId, context.now]);
  const assignments = Object.entries(set).map(([column, value]) => `${column} = ${value}`);
  batch.add(`UPDATE links SET ${assignments.join(", ")} WHERE ${isChanged}`, [wanted, accountId, context.now]);
  batch.add(`DELETE FROM aliases WHERE (domain, slug_key) IN (SELECT a.domain, a.slug_key FROM ${removed})`, [
    wanted,
    accountId,
  ]);
}

/** SQL for the aliases that are removed, and for the links that have them: a condition, and their new values by column. */
function withoutAliases(shortUrls: string, account: string, now: string) {
  const removed = `json_each(${shortUrls}) j CROSS JOIN aliases a ON a.domain = j.value ->> 0 AND a.slug_key = j.value ->> 1
    WHERE a.account_id IS NOT ${account} AND ${isVerifiedFor(account, "a.domain", "j.value ->> 2")}`;
  const set: Record<string, string> = {
    updated_at: `max(CAST(${now} AS INTEGER), updated_at + 1)`,
    aliases: `(SELECT nullif(json_group_array(kept.value), '[]') FROM json_each(aliases) kept
      WHERE ${slugKeySql("kept.value", "case_sensitive")} NOT IN (SELECT a.slug_key FROM ${removed} AND a.link_seq = seq))`,
  };
  return { removed, set, isChanged: `seq IN (SELECT a.link_seq FROM ${removed})` };
}

function previousOwnerLinks(shortUrls: string, account: string): string {
  return `json_each(${shortUrls}) j
    CROSS JOIN links l INDEXED BY links_by_slug ON l.domain = j.value ->> 0 AND l.slug_key = j.value ->> 1
    WHERE l.account_id <> ${account} AND ${isVerifiedFor(account, "l.domain", "j.value ->> 2")}`;
}
