import { DAY_MS } from "../../limits.ts";
import type { OrphanVisits } from "../capture/orphan-visits.ts";
import { MAX_ORPHAN_PATHS_PER_DAY, ORPHAN_VISITS_KEPT_DAYS } from "../limits.ts";

/** The visits of paths that a custom domain does not have, on one UTC day. */
interface OrphanDay {
  /** Visits by path, the one that was visited longest ago first. */
  paths: Map<string, number>;
  /** Visits of paths that are not in the list. */
  others: number;
}

/** As {@link OrphanDay}, of several days. */
export interface OrphanPaths {
  /** The path that is visited most comes first. `lastDay` is in days since 1970. */
  paths: { path: string; visits: number; lastDay: number }[];
  others: number;
}

const PREFIX = "orphans:";
/** Days since 1970 have five digits until the year 2243, so keys are in the order of days. */
const keyOf = (day: number, domain: string) => `${PREFIX}${day}:${domain}`;

/** Adds visits of today. A domain has one row a day, in which the paths that are visited least make room for new ones. */
export function addOrphanVisits(kv: SyncKvStorage, visits: readonly OrphanVisits[], now: number): void {
  const today = Math.floor(now / DAY_MS);
  for (const [domain, ofDomain] of Map.groupBy(visits, ([name]) => name)) {
    const key = keyOf(today, domain);
    const day = kv.get<OrphanDay>(key) ?? { paths: new Map(), others: 0 };
    for (const [, path, count] of ofDomain) addPath(day, path, count);
    kv.put(key, day);
  }
}

function addPath(day: OrphanDay, path: string, visits: number): void {
  if (path === "") {
    day.others += visits;
    return;
  }
  const total = (day.paths.get(path) ?? 0) + visits;
  if (!day.paths.delete(path) && day.paths.size >= MAX_ORPHAN_PATHS_PER_DAY) evictRarest(day);
  day.paths.set(path, total);
}

function evictRarest(day: OrphanDay): void {
  let rarest: [path: string, visits: number] | undefined;
  for (const entry of day.paths) if (rarest === undefined || entry[1] < rarest[1]) rarest = entry;
  if (rarest === undefined) return;
  day.paths.delete(rarest[0]);
  day.others += rarest[1];
}

/** The visits of a domain on the last `days` UTC days, today's included. */
export function readOrphanVisits(kv: SyncKvStorage, domain: string, days: number, now: number): OrphanPaths {
  const today = Math.floor(now / DAY_MS);
  const byPath = new Map<string, OrphanPaths["paths"][number]>();
  let others = 0;
  for (let day = today; day > today - days; day--) {
    const stored = kv.get<OrphanDay>(keyOf(day, domain));
    if (stored === undefined) continue;
    others += stored.others;
    for (const [path, visits] of stored.paths) {
      const known = byPath.get(path);
      if (known === undefined) byPath.set(path, { path, visits, lastDay: day });
      else known.visits += visits;
    }
  }
  return { paths: [...byPath.values()].toSorted((a, b) => b.visits - a.visits), others };
}

/** Deletes the days that are no longer kept. Returns when the next one is due, Unix milliseconds; null: there is none. */
export function deleteOldOrphanVisits(kv: SyncKvStorage, now: number): number | null {
  const oldest = Math.floor(now / DAY_MS) - ORPHAN_VISITS_KEPT_DAYS + 1;
  for (const [key] of kv.list({ prefix: PREFIX, end: keyOf(oldest, "") })) kv.delete(key);
  for (const [key] of kv.list({ prefix: PREFIX, limit: 1 }))
    return (Number(key.slice(PREFIX.length).split(":")[0]) + ORPHAN_VISITS_KEPT_DAYS) * DAY_MS;
  return null;
}
