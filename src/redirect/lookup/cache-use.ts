import {
  CACHE_FILLS_PER_SECOND,
  CACHE_HITS_AVERAGED_OVER,
  CACHE_PROBE_EVERY,
  MIN_CACHE_HIT_SHARE,
} from "../../limits.ts";

// How an isolate uses its data centre's cache for links that it has not seen before. Most of them are rare, and
// rare links are not in the cache either: then asking it first only makes their visitors wait longer for the
// database. And a flood of links that are followed once each must neither push out of the cache those that are in
// use nor cost more than its redirects do. A link that is followed again is looked for and kept in any case.

/** The share of looks that found a copy fresh enough to be used, lately. */
let hitShare = 1;
let skipped = 0;
/** Replicas lag behind changes that were made in this data centre: these its cache knows at once. */
let replicasAnswer = false;
/** May be made at once. */
let fills = CACHE_FILLS_PER_SECOND;
let filledAt = 0;

/** Whether this time to look into the cache before the database is asked; if so, {@link noteLook} is to be told what came of it. */
export function claimLook(): boolean {
  if (replicasAnswer || hitShare >= MIN_CACHE_HIT_SHARE) return true;
  skipped = (skipped + 1) % CACHE_PROBE_EVERY;
  return skipped === 0;
}

export function noteLook(hit: boolean): void {
  hitShare += ((hit ? 1 : 0) - hitShare) / CACHE_HITS_AVERAGED_OVER;
}

/** A replica has answered in the database's place. */
export function noteReplica(): void {
  replicasAnswer = true;
}

/** Whether what the database said of a link may go into the cache now. */
export function claimFill(now: number): boolean {
  const regained = (Math.max(0, now - filledAt) / 1_000) * CACHE_FILLS_PER_SECOND;
  fills = Math.min(CACHE_FILLS_PER_SECOND, fills + regained);
  filledAt = now;
  if (fills < 1) return false;
  fills--;
  return true;
}

/** For tests, which share the isolate. */
export function clearCacheUse(): void {
  hitShare = 1;
  skipped = 0;
  replicasAnswer = false;
  fills = CACHE_FILLS_PER_SECOND;
  filledAt = 0;
}
