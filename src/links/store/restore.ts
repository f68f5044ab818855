import type { ServiceContext } from "../../platform/context.ts";
import { Batch } from "../../platform/database/batch.ts";
import type { Value } from "../../platform/database/parameters.ts";
import { OutboxBatch } from "../../platform/outbox/batch.ts";
import { isNested } from "../../platform/lib/slug.ts";
import { imposedVerdict } from "../../redirect/lookup/store/verdict-sql.ts";
import { isUntrustedAccount } from "../../platform/database/account-states.ts";
import { linksQuota, type ExceededQuota } from "../../access/usage/quota.ts";
import { countWithinQuotas, isOverQuota, readUsage } from "../../access/usage/store.ts";
import { keyOf, slugsOf } from "../aliases.ts";
import type { AcceptedRestoration, KeptFacts } from "../decide-restoration.ts";
import { parseDeletedLink, type DeletedLink } from "./deleted-links.ts";
import { enqueueLinkEvents } from "./events.ts";
import { bytesOf, columnsOf, LINK_COLUMNS, STORED_COLUMNS, type LinkRow } from "./row.ts";
import { sequenceOf } from "./sequence.ts";
import { hasNestedSlugs, isVerifiedFor } from "./verified-domains.ts";
import { VISITED_DESTINATION } from "./visited-destination.ts";

interface DeletedRow extends DeletedLink {
  is_verified: 0 | 1;
  nested_slugs: 0 | 1;
  has_external_id: 0 | 1;
  is_untrusted: 0 | 1;
  kept_keys: string;
  imposed_verdict: number | null;
  destination: string | null;
}

/** Reads a link before it is restored, and if it is deleted what the decision depends on, in one round trip. */
export async function readForRestore(
  db: D1Database,
  id: string,
): Promise<{ present: LinkRow | undefined; deleted: (DeletedLink & { facts: KeptFacts }) | undefined }> {
  const batch = new Batch(db);
  const key = [sequenceOf(id), id];
  const present = batch.add<LinkRow>(
    `SELECT ${LINK_COLUMNS} FROM links WHERE seq = CAST(?1 AS INTEGER) AND id = ?2`,
    key,
  );
  const deleted = batch.add<DeletedRow>(DELETED, key);
  await batch.commit();
  return { present: present.first, deleted: deleted.first && { ...deleted.first, facts: toKeptFacts(deleted.first) } };
}

function toKeptFacts(row: DeletedRow): KeptFacts {
  return {
    domain: { isVerified: row.is_verified === 1, hasNestedSlugs: row.nested_slugs === 1 },
    isExternalIdTaken: row.has_external_id === 1,
    isUntrusted: row.is_untrusted === 1,
    keptKeys: new Set(JSON.parse(row.kept_keys) as string[]),
    imposedVerdict: row.imposed_verdict,
    destination: row.destination,
  };
}

/** The deleted link ?1 with the id ?2, and the facts about it. */
const DELETED = `
  SELECT r.id, r.account_id, r.deleted_at, r.link, ${isVerifiedFor("r.account_id", "r.domain")} AS is_verified,
    ${hasNestedSlugs("r.account_id", "r.domain")} AS nested_slugs, ${isUntrustedAccount("r.account_id")} AS is_untrusted,
    EXISTS (SELECT 1 FROM links e WHERE e.account_id = r.account_id AND e.external_id = r.external_id) AS has_external_id,
    (SELECT json_group_array(a.slug_key) FROM aliases a
      WHERE a.account_id = r.account_id AND a.domain = r.domain AND a.link_seq = r.seq) AS kept_keys,
    ${imposedVerdict} AS imposed_verdict, ${VISITED_DESTINATION} AS destination
  FROM (SELECT *, link ->> 'domain' AS domain, link ->> 'external_id' AS external_id,
      link ->> 'host_takedowns' AS host_takedowns, link ->> 'url_hash' AS url_hash
    FROM deleted_links WHERE seq = CAST(?1 AS INTEGER) AND id = ?2) r`;

/**
 * Restores a deleted link as `row`, and emits `link.create`, in one transaction and one round trip. Repeated or parallel calls restore
 * it once. Returns the quota that refuses it, or false if the link or what it was decided by has changed since it was read.
 */
export async function restoreLink(
  context: ServiceContext,
  deleted: DeletedLink & { facts: KeptFacts },
  { row, shown }: Omit<AcceptedRestoration, "ok">,
): Promise<boolean | ExceededQuota> {
  const { db } = context;
  const batch = new OutboxBatch(context);
  const key = [sequenceOf(row.id), row.id];
  const before = parseDeletedLink(deleted);
  batch.add(INSERT, [...key, before.updated_at, JSON.stringify(row), ...conditionValues(row, deleted.facts)]);
  // Its lost aliases no longer count.
  const growth = bytesOf(row) - bytesOf(before);
  countWithinQuotas(
    batch,
    `SELECT l.account_id, 1 AS links, ?3 AS bytes FROM links l
     WHERE l.seq = CAST(?1 AS INTEGER) AND l.id = ?2 AND ${IS_RESTORED_NOW}`,
    [...key, growth],
  );
  enqueueLinkEvents(batch, "link.create", [shown], { condition: IS_RESTORED_NOW, values: [] }, context);
  batch.add(
    `DELETE FROM deleted_links WHERE seq = CAST(?1 AS INTEGER) AND id = ?2
       AND EXISTS (SELECT 1 FROM links l WHERE l.seq = deleted_links.seq AND l.id = deleted_links.id)`,
    key,
  );
  const restored = batch.add("SELECT 1 FROM links WHERE seq = CAST(?1 AS INTEGER) AND id = ?2 AND updated_at = ?3", [
    ...key,
    row.updated_at,
  ]);
  try {
    await batch.commitWithRetry();
  } catch (error) {
    if (!isOverQuota(error)) throw error;
    return linksQuota(await readUsage(db, deleted.account_id));
  }
  return restored.first !== undefined;
}

/**
 * Stores the row ?4, if the link ?1 with the id ?2 is still deleted with the version ?3 and the facts of its decision still hold. In this order: the
 * keys ?5 are kept for it; the account has verified the domain (?6: unless it is a domain that needs no verification), and lets it have
 * nested slugs (?7: if it has any); the account is trusted, or is not (?8).
 */
const INSERT = `INSERT INTO links (${STORED_COLUMNS.join(", ")})
  SELECT ${columnsOf("?4", { seq: "r.seq" })} FROM deleted_links r
  WHERE r.seq = CAST(?1 AS INTEGER) AND r.id = ?2 AND r.link ->> 'updated_at' = ?3
    AND NOT EXISTS (SELECT 1 FROM json_each(?5) s WHERE NOT EXISTS (
      SELECT 1 FROM aliases a WHERE a.domain = ?4 ->> 'domain' AND a.slug_key = s.value AND a.link_seq = r.seq))
    AND (?6 = 0 OR ${isVerifiedFor("r.account_id", "?4 ->> 'domain'")})
    AND (?7 = 0 OR ${hasNestedSlugs("r.account_id", "?4 ->> 'domain'")})
    AND ${isUntrustedAccount("r.account_id")} = ?8
  ON CONFLICT DO NOTHING`;

function conditionValues(row: LinkRow, { domain, isUntrusted }: KeptFacts): Value[] {
  const keys = slugsOf(row).map((slug) => keyOf(row, slug));
  const flags = [domain.isVerified, slugsOf(row).some(isNested), isUntrusted];
  return [JSON.stringify(keys), ...flags.map((flag) => (flag ? 1 : 0))];
}

/** Until its record is deleted, only a link `l` that was restored just now is in both tables. */
const IS_RESTORED_NOW = "EXISTS (SELECT 1 FROM deleted_links r WHERE r.seq = l.seq)";
