import { withTimeout } from "../../platform/lib/timeout.ts";
import type { CacheKey } from "./cache-key.ts";
import * as edgeCache from "./edge-cache.ts";
import type { Cacheable, RedirectEntry } from "./entry.ts";
import { shareRead } from "./shared-reads.ts";
import { listTakenDownHosts, type TakenDownHost, type TakenDownHosts } from "./store/taken-down-hosts.ts";
import {
  ENTRY_FRESH_MS,
  LINK_READ_RETRY_MS,
  LINK_READ_TIMEOUT_WITH_COPY_MS,
  TAKEN_DOWN_HOSTS_TTL_MS,
} from "../limits.ts";

// The list of hosts that operators took down. Redirects compare the destinations of what they read with it
// (docs/adr/0051-takedowns-of-hosts.md).

/** As the edge cache holds it. */
interface HostList extends Cacheable {
  hosts: readonly TakenDownHost[];
}

/** No link or domain has a key without a slash. */
const KEY = "taken-down-hosts" as CacheKey<HostList>;

/** A list of hosts, and how redirects compare with it. */
interface Known {
  hosts: TakenDownHosts;
  /** Unix milliseconds; null: no list was read. */
  readAt: number | null;
  compare: (entry: RedirectEntry) => RedirectEntry;
}

const same = (entry: RedirectEntry) => entry;
const NONE: Known = { hosts: new Map(), readAt: null, compare: same };
/** The last list that this isolate read. */
let known = NONE;
let failedAt = Number.NEGATIVE_INFINITY;

const isYounger = (ms: number, now: number) => known.readAt !== null && now - known.readAt < ms;

/** Those of the installation, for creations and changes of links. They are kept in memory, so that not every new link reads them. */
export async function findTakenDownHosts({ env }: { env: Env }): Promise<TakenDownHosts> {
  // The time of a context may be that of an earlier attempt.
  const now = Date.now();
  if (!isYounger(TAKEN_DOWN_HOSTS_TTL_MS, now)) await read(env.DB, "primary", now);
  return known.hosts;
}

/**
 * Has this isolate know the list for redirects, which use one up to {@link ENTRY_FRESH_MS} old. From the edge cache or in the background,
 * it is read more often, so that a visitor rarely waits for it. Returns false if the database fails or is slow. Never throws.
 */
export async function refreshTakenDownHosts(ctx: ExecutionContext, db: D1Database, now: number): Promise<boolean> {
  if (isYounger(TAKEN_DOWN_HOSTS_TTL_MS, now)) return true;
  const copy = await edgeCache.read(KEY);
  if (copy !== undefined) await remember(copy.entry);
  if (isYounger(TAKEN_DOWN_HOSTS_TTL_MS, now)) return true;
  const isUsable = isYounger(ENTRY_FRESH_MS, now);
  if (now - failedAt < LINK_READ_RETRY_MS) return isUsable;
  const reading = shareRead(KEY, now, () => read(db, "nearest", now));
  const refreshed = withTimeout(reading, LINK_READ_TIMEOUT_WITH_COPY_MS).then(
    () => true,
    () => {
      failedAt = now;
      return false;
    },
  );
  // It goes on if this visitor leaves or waits too long: others may wait for it.
  ctx.waitUntil(reading.then((list) => list && edgeCache.write(KEY, list)).catch(() => undefined));
  return isUsable || refreshed;
}

/** Has this isolate and this data centre know a takedown or a reversal that was made here. */
export async function publishTakenDownHosts({ env }: { env: Env }): Promise<void> {
  forgetTakenDownHosts();
  await edgeCache.write(KEY, await read(env.DB, "primary", Date.now()));
}

async function read(db: D1Database, source: "primary" | "nearest", readAt: number): Promise<HostList> {
  const list = { updatedAt: 0, readAt, bypassCache: false, hosts: await listTakenDownHosts(db, source) };
  await remember(list);
  return list;
}

async function remember({ hosts: list, readAt }: HostList): Promise<void> {
  const hosts = new Map(list.map((each) => [each.host, each]));
  // Imported on demand: it is rare that a host is taken down.
  const compare = hosts.size === 0 ? same : (await import("./covering-host.ts")).blockLinksTo.bind(null, hosts);
  if (known.readAt === null || readAt >= known.readAt) known = { hosts, readAt, compare };
}

/** The next call reads them anew. */
export function forgetTakenDownHosts(): void {
  known = NONE;
  failedAt = Number.NEGATIVE_INFINITY;
}

/** When the list was read that {@link compareWithHosts} uses, Unix milliseconds; null: there is none. */
export function hostsReadAt(): number | null {
  return known.readAt;
}

/** The entry as visitors meet it: blocked if one of its destinations is on a host that is taken down. */
export function compareWithHosts(entry: RedirectEntry): RedirectEntry {
  return known.compare(entry);
}
