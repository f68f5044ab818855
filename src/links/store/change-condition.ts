import { Parameters } from "../../platform/database/parameters.ts";
import { isFirst, type KeyedRequest } from "../../platform/idempotency/store/responses.ts";
import { isNested } from "../../platform/lib/slug.ts";
import { keyOf } from "../aliases.ts";
import { areAsRead, type LinkCondition } from "./as-read.ts";
import { isUsedUp } from "./visitors.ts";
import type { ColumnChange } from "./write-columns.ts";

/** A link as it was read, and as its change makes it. Both are the same object if no column differs. */
export interface LinkChange extends ColumnChange {
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
export function toCondition(
  changes: readonly LinkChange[],
  { hosts, toStore }: WriteOptions,
  now: number,
): LinkCondition {
  const facts = Object.fromEntries(changes.map((change) => [change.before.id, factsOf(change)]));
  const { condition, values } = areAsRead(changes.map(({ before }) => before));
  const parameters = new Parameters([...values, JSON.stringify(facts), JSON.stringify(hosts)]);
  const first = toStore === null ? "true" : isFirst(toStore, now)(parameters);
  return { condition: `${condition} AND ${FACTS_HOLD} AND ${first}`, values: parameters.values };
}

/**
 * The facts of the link's decision still hold. In this order: its visits use up the new `maxClicks`, or do not, as they did; the account
 * has verified the new domain, with the same case rule; the domain permits the new nested slug; no alias has the new slug; no host of a
 * new destination is a verified domain. Unique indexes hold the rest.
 */
const FACTS_HOLD = `(?3 -> l.id ->> 'maxClicks' IS NULL OR (l.visits >= ?3 -> l.id ->> 'maxClicks') = ?3 -> l.id ->> 'isUsedUp')
  AND (coalesce(?3 -> l.id ->> 'movedTo', '') = '' OR EXISTS (
    SELECT 1 FROM domains d WHERE d.account_id = l.account_id AND d.domain = ?3 -> l.id ->> 'movedTo' AND d.status = 'verified'
      AND d.case_sensitive = ?3 -> l.id ->> 'caseSensitive'))
  AND (?3 -> l.id ->> 'nestedAt' IS NULL OR EXISTS (
    SELECT 1 FROM domains d WHERE d.account_id = l.account_id AND d.domain = ?3 -> l.id ->> 'nestedAt' AND d.nested_slugs = 1))
  AND (?3 -> l.id ->> 'slugKey' IS NULL OR NOT EXISTS (
    SELECT 1 FROM aliases a WHERE a.domain = ?3 -> l.id ->> 'slugAt' AND a.slug_key = ?3 -> l.id ->> 'slugKey' AND a.link_seq <> l.seq
      AND (a.account_id <> l.account_id OR EXISTS (SELECT 1 FROM links o WHERE o.seq = a.link_seq))))
  AND NOT EXISTS (SELECT 1 FROM json_each(?4) h CROSS JOIN domains d INDEXED BY domains_verified
    ON d.domain = h.value AND d.status = 'verified')`;

/** What the decision depended on beside the link, as {@link FACTS_HOLD} compares it. */
function factsOf({ before, after }: LinkChange): object {
  const isMoved = after.domain !== before.domain;
  const getsSlug = isMoved || after.slug !== before.slug;
  const { max_clicks: maxClicks } = after;
  return {
    ...(maxClicks !== null && maxClicks !== before.max_clicks && { maxClicks, isUsedUp: isUsedUp(after) ? 1 : 0 }),
    ...(isMoved && { movedTo: after.domain, caseSensitive: after.case_sensitive }),
    ...(getsSlug && { slugAt: after.domain, slugKey: keyOf(after, after.slug) }),
    ...(getsSlug && isNested(after.slug) && { nestedAt: after.domain }),
  };
}
