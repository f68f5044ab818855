import { isInWranglerDev } from "../lib/hosts.ts";
import { describeError, log } from "../lib/log.ts";
import { readInstallation } from "./store.ts";

/** Set once it is known. An installation that was claimed stays claimed, and keeps its origin. */
let claimed = false;
let claimedOrigin = "";

/** Whether the installation has an owner. Throws if the database cannot be read: that is never taken for "no". */
export async function isClaimed(db: D1Database): Promise<boolean> {
  return claimed || (claimed = (await readInstallation(db)).isClaimed);
}

/**
 * The environment with the origin of the claim as its `BASE_URL`, if it has none. In `wrangler dev` every host is the
 * service's own. Throws if the origin cannot be read: without it, a custom domain could not be told from the service's host.
 */
export async function withClaimedOrigin(env: Env): Promise<Env> {
  if (env.BASE_URL !== "" || isInWranglerDev(env)) return env;
  if (claimedOrigin === "") claimedOrigin = await readOrigin(env.DB);
  return { ...env, BASE_URL: claimedOrigin };
}

/** While the database fails, the copy of the data centre counts. */
async function readOrigin(db: D1Database): Promise<string> {
  const cache = await caches.open(CACHE_NAME);
  try {
    const { origin } = await readInstallation(db);
    if (origin !== "") await cache.put(CACHE_KEY, new Response(origin, { headers: CACHE_HEADERS }));
    return origin;
  } catch (error) {
    const copy = await cache.match(CACHE_KEY);
    if (copy === undefined) throw error;
    log("warn", "origin_from_cache", describeError(error));
    return copy.text();
  }
}

const CACHE_NAME = "installation";
const CACHE_KEY = "https://installation.cache/origin";
const CACHE_HEADERS = { "Cache-Control": "max-age=86400" };

/** For tests, which share the isolate. */
export function forgetInstallation(): void {
  claimed = false;
  claimedOrigin = "";
}
