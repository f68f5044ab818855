import { describeError, log } from "../../lib/log.ts";
import { withTimeout } from "../../lib/timeout.ts";
import { LINK_READ_TIMEOUT_MS } from "../../limits.ts";
import { toDomainEntry, toDomainTombstone, type DomainEntry, type ServedDomainRow } from "./domain-entry.ts";
import { toEntry, type RedirectEntry, type RedirectRow } from "./entry.ts";
import { lookUp, publish, type Answer } from "./lookup.ts";
import { recall, recallStale } from "./memory-cache.ts";
import { linkCacheKey, domainCacheKey } from "./cache-key.ts";
import { claimVisit, findLinkBySlug, findVerifiedDomain } from "./store.ts";

export type Resolution =
  | { outcome: "found"; entry: RedirectEntry }
  | { outcome: "used_up"; entry: RedirectEntry }
  | { outcome: "unknown" }
  | { outcome: "unavailable" };

export interface LinkQuestion {
  requestId: string;
  domain: string;
  slug: string;
  now: number;
  /** Whether it takes one of the visits of a link that has a limit. */
  counts(entry: RedirectEntry): Promise<boolean>;
}

/** The link of a visit that memory cannot answer. Never throws. */
export async function resolveLink(env: Env, ctx: ExecutionContext, asked: LinkQuestion): Promise<Resolution> {
  const { requestId, domain, slug, now } = asked;
  const answer = await lookUp(ctx, {
    place: linkCacheKey(domain, slug),
    requestId,
    now,
    read: (knownUpdatedAt) => findLinkBySlug(env.DB, domain, slug, knownUpdatedAt),
    toEntry,
    isVoid: (copy) => isCutOff(domain, copy, now),
  });
  if (answer.outcome !== "found" || answer.row === null || answer.row.max_clicks === null) return answer;
  return visitLimited(env, answer.row, asked).catch((error: unknown) => {
    log("warn", "visit_claim_failed", { requestId, place: linkCacheKey(domain, slug), ...describeError(error) });
    return { outcome: "unavailable" };
  });
}

/** Whether a copy of a link is older than the loss of its domain, as far as this isolate knows. */
export function isCutOff(domain: string, copy: RedirectEntry, now: number): boolean {
  if (domain === "") return false;
  const known = recallStale(domainCacheKey(domain), now);
  if (known === undefined || known.readAt < copy.readAt) return false;
  return known.askDatabase || known.accountId !== copy.accountId;
}

/** A change made here: this isolate and this data centre answer with it from now on. */
export async function publishEntry(domain: string, slug: string, entry: RedirectEntry, now: number): Promise<void> {
  return publish(linkCacheKey(domain, slug), entry, now);
}

async function visitLimited(env: Env, row: RedirectRow, asked: LinkQuestion): Promise<Resolution> {
  const { domain, slug, now } = asked;
  const entry = toEntry(row, now);
  if (entry.expiresAt !== null && entry.expiresAt <= now) return { outcome: "found", entry };
  if (!(await asked.counts(entry))) {
    const used = row.max_clicks !== null && row.visits >= row.max_clicks;
    return { outcome: used ? "used_up" : "found", entry };
  }
  const claimed = await withTimeout(claimVisit(env.DB, domain, slug, row.password_hash, now), LINK_READ_TIMEOUT_MS);
  return claimed === null ? { outcome: "used_up", entry } : { outcome: "found", entry: toEntry(claimed, now) };
}

/** What a custom domain says of itself; unknown unless it is verified. Never throws. */
export async function resolveDomain(
  env: Env,
  ctx: ExecutionContext,
  { domain, requestId, now }: { domain: string; requestId: string; now: number },
): Promise<Answer<DomainEntry, ServedDomainRow>> {
  const place = domainCacheKey(domain);
  const entry = recall(place, now);
  if (entry !== undefined) return { outcome: "found", entry, row: null };
  const read = (knownUpdatedAt?: number) => findVerifiedDomain(env.DB, domain, knownUpdatedAt);
  return lookUp(ctx, { place, requestId, now, read, toEntry: toDomainEntry });
}

/** A verified domain whose settings were changed, or that was just verified: it answers so at once here. */
export async function publishDomain(row: ServedDomainRow, now: number): Promise<void> {
  return publish(domainCacheKey(row.domain), toDomainEntry(row, now), now);
}

/** A domain that was deleted or lost: this isolate answers with nothing of it from now on. */
export async function publishDomainLoss(row: ServedDomainRow, now: number): Promise<void> {
  return publish(domainCacheKey(row.domain), toDomainTombstone(row, now), now);
}
