import type { ServiceContext } from "../platform/context.ts";
import type { StoredResponse } from "../platform/idempotency/store/responses.ts";
import { findExceeded, type ExceededQuota } from "../access/usage/quota.ts";
import { isOverQuota, type UsageRow } from "../access/usage/store.ts";
import { keyOf } from "./aliases.ts";
import { decideCreation, newVerdict, type AcceptedCreation, type NewLink } from "./decide.ts";
import { refuse, type RefusedChange } from "./refusal.ts";
import { toCreationFacts, type Findings, type Place } from "./store/creation-facts.ts";
import { writeLinks, type WriteLinksOptions } from "./store/insert.ts";
import { bytesOf, type LinkRow } from "./store/row.ts";

/** What became of a new link. null: it was not stored, and can be tried again with another id. */
export type InsertOutcome = AcceptedCreation | RefusedChange | null;

interface Insertion {
  /** One for each link, in order. */
  outcomes: InsertOutcome[];
  /** The response of an earlier request with the same Idempotency-Key. */
  earlier: StoredResponse | null;
  /** Whether the account is not trusted yet, for the next attempt. */
  isUntrusted: boolean;
}

/**
 * Stores those of the new links of one account that can be stored, with their events, in one transaction, and decides why the others
 * were not. If the account has no room for all that can be stored, none is. Of two links with the same slug, the first gets it.
 */
export async function insertLinks(
  context: ServiceContext,
  accountId: number | null,
  links: readonly NewLink[],
  options: WriteLinksOptions = {},
): Promise<Insertion> {
  const { isUntrusted = false } = options;
  const write = (isOver: boolean) => writeLinks(context, accountId, judged, options, isOver);
  const judged = links.map((link) => ({ ...link, row: { ...link.row, verdict: newVerdict(link.row, isUntrusted) } }));
  const { findings, earlier } = await write(false).catch((error: unknown) => {
    if (!isOverQuota(error)) throw error;
    // Nothing was stored by this transaction. A second one finds what is in the way of each link.
    return write(true);
  });
  if (findings === null) return { outcomes: [], earlier, isUntrusted };
  return { outcomes: toOutcomes(links, findings), earlier, isUntrusted: findings.is_untrusted === 1 };
}

/** Decides what became of the links by what their transaction found, whichever request made it. */
function toOutcomes(
  links: readonly NewLink[],
  { links: known, places, usage, ...findings }: Findings,
): InsertOutcome[] {
  const isUntrusted = findings.is_untrusted === 1;
  const inOrder = places.toSorted((a, b) => a.position - b.position);
  const decisions = inOrder.map((place) => {
    const { fields, hosts, row } = links[place.position] as NewLink;
    const { id, slug, blocked } = known[place.position] as (typeof known)[0];
    // A repeated transaction may find a domain, or a trust, that has changed since the first one stored the link.
    if (place.is_stored === 1) return storedCreation({ ...row, id, slug }, place);
    return decideCreation({ fields, hosts, blocked, row: { ...row, id, slug } }, toCreationFacts(place, isUntrusted));
  });
  const quota = usage === null ? null : quotaFor(decisions, usage);
  return decisions.map((decision, index) => {
    if (!decision.ok || inOrder[index]?.is_stored === 1) return decision;
    return quota === null ? null : refuse("quota_exceeded", { quota });
  });
}

function storedCreation(row: LinkRow, { verdict, case_sensitive }: Place): AcceptedCreation {
  return { ok: true, row: { ...row, verdict: verdict ?? row.verdict, case_sensitive: case_sensitive ?? 0 } };
}

/** The quota that all accepted links would exceed together. Of several that have the same slug or externalId, the first counts. */
function quotaFor(decisions: readonly InsertOutcome[], usage: UsageRow): ExceededQuota | null {
  const seen = new Set<string>();
  const rows = decisions.flatMap((decision) => {
    if (decision?.ok !== true) return [];
    const { row } = decision;
    const keys = [`slug ${row.domain}/${keyOf(row, row.slug)}`];
    if (row.external_id !== null) keys.push(`externalId ${row.external_id}`);
    const isRepeated = keys.some((key) => seen.has(key));
    for (const key of keys) seen.add(key);
    return isRepeated ? [] : [row];
  });
  const bytes = rows.reduce((sum, row) => sum + bytesOf(row), 0);
  return rows.length === 0 ? null : findExceeded(usage, rows.length, bytes);
}
