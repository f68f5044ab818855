import { Parameters, type Value } from "../../database/parameters.ts";
import { isFirst, type KeyedRequest } from "../../idempotency/store.ts";
import { isNested } from "../../redirect/slug.ts";
import { keyOf } from "../aliases.ts";
import type { NewColumns } from "../decide.ts";
import { bytesOf, type LinkRow } from "./row.ts";
import { sequenceOf } from "./sequence.ts";

/** A link as it was read, and as its change makes it. Both are the same object if no column differs. */
export interface LinkChange {
  before: LinkRow;
  after: LinkRow;
  /** The columns that differ. */
  columns: Partial<NewColumns>;
  /** The custom domain's previous owner loses the new slug. */
  takesSlug: boolean;
}

export interface WriteOptions {
  /** The hosts of the new destinations. */
  hosts: readonly string[];
  /** Of a single link: where the response is stored. If an earlier request had the same key, nothing is written. */
  toStore: KeyedRequest | null;
}

/** The condition of the statements that write changes. */
export interface ChangeCondition {
  /** The link `l` is as its change was decided for. */
  isAsDecided: string;
  /** ?1 what the decisions depended on, by link id; ?2 the account; ?3 the hosts of the new destinations. */
  values: readonly Value[];
}

export function toCondition(
  changes: readonly LinkChange[],
  accountId: number,
  { hosts, toStore }: WriteOptions,
  now: number,
): ChangeCondition {
  const facts = Object.fromEntries(changes.map((change) => [change.before.id, factsOf(change)]));
  const parameters = new Parameters([JSON.stringify(facts), accountId, JSON.stringify(hosts)]);
  const keys = changes.map(({ before }) => sequenceOf(before.id));
  const first = toStore === null ? "true" : isFirst(toStore, now)(parameters);
  return { isAsDecided: `l.seq IN (${keys.join(",")}) AND ${AS_DECIDED} AND ${first}`, values: parameters.values };
}

/**
 * The link has the version that was read, and the facts of its decision still hold. In this order: its visits are used up, or are not,
 * as they were; the account has verified the new domain, with the same case rule; the domain permits the new nested slug; no alias has
 * the new slug; no host of a new destination is a verified domain. Unique indexes hold the rest.
 */
const AS_DECIDED = `l.account_id = ?2 AND l.updated_at = ?1 -> l.id ->> 'version'
  AND (?1 -> l.id ->> 'maxClicks' IS NULL OR (l.visits >= ?1 -> l.id ->> 'maxClicks') = ?1 -> l.id ->> 'isUsedUp')
  AND (coalesce(?1 -> l.id ->> 'movedTo', '') = '' OR EXISTS (
    SELECT 1 FROM domains d WHERE d.account_id = ?2 AND d.domain = ?1 -> l.id ->> 'movedTo' AND d.status = 'verified'
      AND d.case_sensitive = ?1 -> l.id ->> 'caseSensitive'))
  AND (?1 -> l.id ->> 'nestedAt' IS NULL OR EXISTS (
    SELECT 1 FROM domains d WHERE d.account_id = ?2 AND d.domain = ?1 -> l.id ->> 'nestedAt' AND d.nested_slugs = 1))
  AND (?1 -> l.id ->> 'slugKey' IS NULL OR NOT EXISTS (
    SELECT 1 FROM aliases a WHERE a.domain = ?1 -> l.id ->> 'slugAt' AND a.slug_key = ?1 -> l.id ->> 'slugKey' AND a.link_seq <> l.seq
      AND (a.account_id <> ?2 OR EXISTS (SELECT 1 FROM links o WHERE o.seq = a.link_seq))))
  AND NOT EXISTS (SELECT 1 FROM json_each(?3) h CROSS JOIN domains d INDEXED BY domains_verified
    ON d.domain = h.value AND d.status = 'verified')`;

/** What the decision depended on, as {@link AS_DECIDED} compares it, and how many bytes the link grows. */
function factsOf({ before, after }: LinkChange): object {
  const isMoved = after.domain !== before.domain;
  const getsSlug = isMoved || after.slug !== before.slug;
  const { max_clicks: maxClicks, visits } = after;
  return {
    version: before.updated_at,
    growth: growthOf({ before, after }),
    ...(maxClicks !== null && { maxClicks, isUsedUp: visits >= maxClicks ? 1 : 0 }),
    ...(isMoved && { movedTo: after.domain, caseSensitive: after.case_sensitive }),
    ...(getsSlug && { slugAt: after.domain, slugKey: keyOf(after, after.slug) }),
    ...(getsSlug && isNested(after.slug) && { nestedAt: after.domain }),
  };
}

export function growthOf({ before, after }: Pick<LinkChange, "before" | "after">): number {
  return bytesOf(after) - bytesOf(before);
}
