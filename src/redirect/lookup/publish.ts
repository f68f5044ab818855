import type { ServiceContext } from "../../platform/context.ts";
import { describeError, log } from "../../platform/lib/log.ts";
import { toSlugKey } from "../../platform/lib/slug.ts";
import { domainCacheKey, linkCacheKey, type CacheKey, type Entry } from "./cache-key.ts";
import { toDomainEntry, toDomainTombstone, type DomainEntry, type ServedDomainRow } from "./domain-entry.ts";
import * as edgeCache from "./edge-cache.ts";
import { toEntry, toMissing, toTombstone, type RedirectEntry, type RedirectRow } from "./entry.ts";
import * as memoryCache from "./memory-cache.ts";
import { findDomainAtPrimary } from "./store/domains.ts";
import { findLinkAtPrimary, readLinkVersions } from "./store/links.ts";
import { MAX_CONFIRMATIONS } from "../limits.ts";

// Two isolates of a data centre can write their copies in another order than their changes to the database, because the
// edge cache has no conditional write. So each isolate that has written reads the version from the primary afterwards,
// and writes again if it is another one. The last writer has read after its write, so it has written the newest version.

type PublishContext = Pick<ServiceContext, "db" | "env" | "waitUntil" | "now">;

/** Slugs of a link that was changed here, or that the link has lost. */
export interface ChangedSlugs {
  row: RedirectRow;
  domain: string;
  slugs: readonly string[];
  /** Whether the link was deleted or has lost the slugs. */
  isGone: boolean;
}

/** An entry for the caches, and how the primary is read for it. */
interface Publication<E extends Entry> {
  key: CacheKey<E>;
  entry: E;
  /** The version in the database; null: it has none, and the entry is a tombstone. */
  version: number | null;
  read: () => Promise<E | null>;
}

interface LinkPublication extends Publication<RedirectEntry> {
  domain: string;
  slugKey: string;
}

/** Publishes links that were changed here: this isolate and this data centre serve the new versions from now on. */
export async function publishLinks(context: PublishContext, changes: readonly ChangedSlugs[]): Promise<void> {
  const { db, env, now } = context;
  const publications = changes.flatMap(({ row, domain, slugs, isGone }) => {
    const entry = isGone ? toTombstone(row, now) : toEntry(row, now);
    return slugs.map((slug): LinkPublication => {
      const slugKey = toSlugKey(slug, entry.caseSensitive);
      const read = () => findLinkAtPrimary(env, db, domain, slugKey).then((found) => found && toEntry(found, now));
      const key = linkCacheKey(domain, slug, entry.caseSensitive);
      return { key, entry, version: isGone ? null : entry.updatedAt, read, domain, slugKey };
    });
  });
  await publish(context, publications, (pending) => readLinkVersions(env, db, pending));
}

/** Publishes a domain that was verified or changed here: this data centre serves it from now on. */
export async function publishDomain(context: PublishContext, row: ServedDomainRow): Promise<void> {
  await publishDomainEntry(context, row.domain, toDomainEntry(row, context.now), row.updated_at);
}

/** Publishes the deletion or loss of a domain: this data centre stops serving it. */
export async function publishDomainLoss(context: PublishContext, row: ServedDomainRow): Promise<void> {
  await publishDomainEntry(context, row.domain, toDomainTombstone(row, context.now), null);
}

async function publishDomainEntry(
  context: PublishContext,
  domain: string,
  entry: DomainEntry,
  version: number | null,
): Promise<void> {
  const { db, now } = context;
  const read = () => findDomainAtPrimary(db, domain).then((found) => found && toDomainEntry(found, now));
  const publication = { key: domainCacheKey(domain), entry, version, read };
  await publish(context, [publication], async () => [(await read())?.updatedAt ?? null]);
}

/** Publishes accounts that were deleted or restored here: this isolate stops or serves their links and domains at once. */
export function publishAccounts({ now }: { now: number }, accountIds: readonly number[], isDeleted: boolean): void {
  for (const accountId of accountIds) {
    if (isDeleted) memoryCache.stopAccount(accountId, now);
    else memoryCache.resumeAccount(accountId);
  }
}

async function publish<E extends Entry, P extends Publication<E>>(
  { waitUntil, now }: PublishContext,
  publications: readonly P[],
  readVersions: (publications: readonly P[]) => Promise<(number | null)[]>,
): Promise<void> {
  if (publications.length === 0) return;
  await Promise.all(publications.map(({ key, entry }) => store(key, entry, now)));
  const confirmation = confirm(publications, readVersions, now);
  waitUntil(confirmation.catch((error: unknown) => log("warn", "publication_not_confirmed", describeError(error))));
}

async function store<E extends Entry>(key: CacheKey<E>, entry: E, now: number, knownVersion?: number): Promise<void> {
  memoryCache.set(key, entry, now, knownVersion);
  memoryCache.set(key, await edgeCache.write(key, entry, knownVersion), now);
}

/** Reads the versions from the primary until the caches have got them. What was written again is read again. */
async function confirm<E extends Entry, P extends Publication<E>>(
  publications: readonly P[],
  readVersions: (publications: readonly P[]) => Promise<(number | null)[]>,
  now: number,
): Promise<void> {
  let pending = publications;
  for (let round = 1; round <= MAX_CONFIRMATIONS && pending.length > 0; round++) {
    const versions = await readVersions(pending);
    const repaired = await Promise.all(pending.map((publication, n) => repair(publication, versions[n] ?? null, now)));
    pending = repaired.filter((publication) => publication !== null);
  }
}

/** Writes the entry again if the caches need another one. Returns it as it was written, or null. */
async function repair<E extends Entry, P extends Publication<E>>(
  publication: P,
  version: number | null,
  now: number,
): Promise<P | null> {
  const { key, entry } = publication;
  if (version === publication.version) {
    // A redirect that read an older version may have written it last.
    const copy = (await edgeCache.read(key))?.entry;
    if (copy === undefined || copy.updatedAt >= entry.updatedAt) return null;
    await store(key, entry, now);
    return publication;
  }
  const found = await publication.read();
  const present = found ?? toMissing(entry, now);
  // As after any read of the database, its response replaces a version that is larger, which can be another link's.
  await store(key, present, now, Math.max(entry.updatedAt, present.updatedAt));
  return { ...publication, entry: present, version: found?.updatedAt ?? null };
}
