import type { ServiceContext } from "../../platform/context.ts";
import { Batch } from "../../platform/database/batch.ts";
import type { Parameters } from "../../platform/database/parameters.ts";
import type { OutboxBatch } from "../../platform/outbox/batch.ts";
import { slugKeySql } from "../../platform/lib/slug.ts";
import { keyOf } from "../aliases.ts";
import { and, areAsRead } from "./as-read.ts";
import { addDeletion } from "./delete.ts";
import { LINK_COLUMNS, type LinkRow } from "./row.ts";
import { isVerifiedFor } from "./verified-domains.ts";
import { nextVersion, writeColumns, type ColumnChange } from "./write-columns.ts";

/** What makes the short URL of a link. The domain '' is the service's own. */
export interface ShortUrl {
  domain: string;
  slug: string;
}

/** What a custom domain's previous owner has at short URLs that the domain's account wants. */
export interface PreviousOwnerLinks {
  accountId: number | null;
  /** The short URLs, as JSON. */
  taken: string;
  links: LinkRow[];
  /** Other links that have some of the short URLs as aliases, with the keys of these. */
  aliased: (LinkRow & { taken_keys: string })[];
}

/** null: there are no short URLs at custom domains. */
export async function findPreviousOwnerLinks(
  db: D1Database,
  accountId: number | null,
  shortUrls: readonly ShortUrl[],
): Promise<PreviousOwnerLinks | null> {
  const custom = shortUrls.filter(({ domain }) => domain !== "");
  if (custom.length === 0) return null;
  const taken = JSON.stringify(custom.map(({ domain, slug }) => ({ domain, slug })));
  const batch = new Batch(db);
  const links = batch.add<LinkRow>(
    `SELECT ${LINK_COLUMNS} FROM links WHERE seq IN (SELECT l.seq FROM ${PREVIOUS_OWNER_LINKS})`,
    [taken, accountId],
  );
  const aliased = batch.add<LinkRow & { taken_keys: string }>(
    `SELECT ${LINK_COLUMNS}, (SELECT json_group_array(a.slug_key) FROM ${PREVIOUS_OWNER_ALIASES} AND a.link_seq = links.seq) AS taken_keys
     FROM links WHERE seq IN (SELECT a.link_seq FROM ${PREVIOUS_OWNER_ALIASES})
       AND seq NOT IN (SELECT l.seq FROM ${PREVIOUS_OWNER_LINKS})`,
    [taken, accountId],
  );
  await batch.commit();
  return { accountId, taken, links: links.rows, aliased: aliased.rows };
}

/**
 * Deletes the links, and removes the aliases, that a custom domain's previous owner has at these short URLs, if the domain
 * is the account's now. They no longer reach visitors, but would make the slugs taken. Call it before the write that
 * needs the slugs. What was changed since it was read stays.
 */
export function removePreviousOwnerLinks(
  batch: OutboxBatch,
  found: PreviousOwnerLinks | null,
  context: ServiceContext,
): void {
  if (found === null) return;
  const { accountId, taken, links, aliased } = found;
  const isLost = (parameters: Parameters) => isVerifiedFor(parameters.add(accountId), "l.domain");
  if (links.length > 0) addDeletion(batch, links, and(areAsRead(links), isLost), context);
  const changes = aliased.map((row) => withoutAliases(row, context.now));
  if (aliased.length > 0) writeColumns(batch, changes, and(areAsRead(aliased), isLost), context);
  // Those that are kept for deleted links.
  batch.add(
    `DELETE FROM aliases WHERE (domain, slug_key) IN (SELECT a.domain, a.slug_key FROM ${PREVIOUS_OWNER_ALIASES})
       AND NOT EXISTS (SELECT 1 FROM links l WHERE l.seq = aliases.link_seq)`,
    [taken, accountId],
  );
}

function withoutAliases(
  { taken_keys: takenKeys, ...before }: LinkRow & { taken_keys: string },
  now: number,
): ColumnChange {
  const taken = new Set(JSON.parse(takenKeys) as string[]);
  const kept = (JSON.parse(before.aliases ?? "[]") as string[]).filter((alias) => !taken.has(keyOf(before, alias)));
  const aliases = kept.length === 0 ? null : JSON.stringify(kept);
  return { before, after: { ...before, aliases, updated_at: nextVersion(before, now) }, columns: { aliases } };
}

// SQL about the short URLs ?1, a JSON array, which the account ?2 takes.

/** Their domains `d` that the account has verified, and their keys there. */
const TAKEN = `SELECT DISTINCT d.domain, ${slugKeySql("j.value ->> 'slug'", "d.case_sensitive")} AS slug_key FROM json_each(?1) j
  CROSS JOIN domains d INDEXED BY domains_verified ON d.domain = j.value ->> 'domain' AND d.status = 'verified' AND d.account_id = ?2`;

/** Another account's links `l` there. */
const PREVIOUS_OWNER_LINKS = `(${TAKEN}) t
  CROSS JOIN links l INDEXED BY links_by_slug ON l.domain = t.domain AND l.slug_key = t.slug_key WHERE l.account_id <> ?2`;

/** Another account's aliases `a` there. */
const PREVIOUS_OWNER_ALIASES = `(${TAKEN}) t
  CROSS JOIN aliases a ON a.domain = t.domain AND a.slug_key = t.slug_key WHERE a.account_id IS NOT ?2`;
