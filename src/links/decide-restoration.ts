import type { Because } from "../platform/http/faults.ts";
import { DELETED_LINK_KEPT_MS } from "../limits.ts";
import { whenTrusted } from "../redirect/verdict.ts";
import { keyOf, slugsOf } from "./aliases.ts";
import { refuseByDomains } from "./decide.ts";
import { refuse, type RefusedChange } from "./refusal.ts";
import { faultsOfBlocked, toDestinations } from "./screening.ts";
import type { LinkRow } from "./store/row.ts";
import { destinationsOf } from "./validate.ts";

/** What the database has about a deleted link. */
export interface KeptFacts {
  /** Its domain, as the account has the domain. */
  domain: { isVerified: boolean; hasNestedSlugs: boolean };
  /** The keys of its slugs that are still kept for it. */
  keptKeys: ReadonlySet<string>;
  isExternalIdTaken: boolean;
  /** Whether the account is not trusted yet. */
  isUntrusted: boolean;
  /** Of its account, its domain or a host that is taken down, packed. */
  imposedVerdict: number | null;
  /** What a visit of its URL found, as JSON. */
  destination: string | null;
}

/** What the decision about a restoration depends on beside the link. */
export interface RestorationFacts extends KeptFacts {
  /** `ANONYMOUS_HOST`, which needs no verification; '' without. */
  anonymousHost: string;
  /** The destinations that are blocked, with the reasons. */
  blocked: ReadonlyMap<string, Because>;
  now: number;
}

export interface AcceptedRestoration {
  ok: true;
  /** As it is stored. */
  row: LinkRow;
  /** As responses and events show it. */
  shown: LinkRow;
}

/**
 * Decides one restoration of the link `row`, which was deleted at `deletedAt`. The order of the checks is the order of the errors. The
 * INSERT in store/restore.ts has the same conditions, or a unique index holds them. The account may have become trusted since the link
 * was deleted.
 */
export function decideRestoration(
  row: LinkRow,
  deletedAt: number,
  facts: RestorationFacts,
): AcceptedRestoration | RefusedChange {
  const { now, imposedVerdict, destination } = facts;
  if (deletedAt + DELETED_LINK_KEPT_MS <= now) return refuse("not_found");
  const blocked = faultsOfBlocked(destinationsOf(toDestinations(row)), facts.blocked);
  if (blocked.length > 0) return refuse("destination_blocked", { errors: blocked });
  const { domain, slug } = row;
  const fields = { domain, ...(row.external_id !== null && { externalId: row.external_id }) };
  const needs = { fields, domain, newSlugs: slugsOf(row), needsDomain: domain !== facts.anonymousHost };
  const refused = refuseByDomains(needs, { ...facts, verifiedHosts: new Set() });
  if (refused !== null) return refused;
  if (!facts.keptKeys.has(keyOf(row, slug))) return refuse("slug_used_again", { slug });
  if (facts.isExternalIdTaken) return refuse("external_id_taken", { fields });

  const aliases = slugsOf(row).filter((alias) => alias !== slug && facts.keptKeys.has(keyOf(row, alias)));
  const restored = {
    ...row,
    aliases: aliases.length === 0 ? null : JSON.stringify(aliases),
    verdict: facts.isUntrusted ? row.verdict : whenTrusted(row.verdict),
    // Newer than the tombstone in the caches, which is as in toTombstoneVersion.
    updated_at: Math.max(now, deletedAt + 1, row.updated_at + 2),
  };
  return { ok: true, row: restored, shown: { ...restored, verdict: imposedVerdict ?? restored.verdict, destination } };
}
