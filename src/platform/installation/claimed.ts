import { isInWranglerDev } from "../lib/hosts.ts";
import { describeError, log } from "../lib/log.ts";
import { withTimeout } from "../lib/timeout.ts";
import { INSTALLATION_READ_TIMEOUT_MS, NO_ORIGIN_TTL_MS, ORIGIN_TTL_SECONDS } from "./limits.ts";
import { readInstallation } from "./store.ts";

/** Set once it is known: an installation that was claimed stays claimed. */
let claimed = false;

/** The origin of the claim, and when it was read; '': there was none then. An installation keeps the origin that it has. */
let known: { origin: string; readAt: number } | undefined;

const read = (db: D1Database) => withTimeout(readInstallation(db), INSTALLATION_READ_TIMEOUT_MS);

/** Whether the installation has an owner. Throws if the database cannot be read: that is never taken for "no". */
export async function isClaimed(db: D1Database): Promise<boolean> {
  return claimed || (claimed = (await read(db)).isClaimed);
}

/**
 * The environment with the origin of the claim as its `BASE_URL`, if it has none. In `wrangler dev` every host is the
 * service's own. Throws if the origin cannot be read: without it, a custom domain could not be told from the service's host.
 */
export async function withClaimedOrigin(env: Env): Promise<Env> {
  if (env.BASE_URL !== "" || isInWranglerDev(env)) return env;
  const isFresh = known !== undefined && (known.origin !== "" || Date.now() < known.readAt + NO_ORIGIN_TTL_MS);
  if (!isFresh) rememberOrigin(await readOrigin(env.DB));
  return { ...env, BASE_URL: known?.origin ?? "" };
}

export function rememberOrigin(origin: string): void {
  known = { origin, readAt: Date.now() };
}

/** While the database fails, what the isolate knows counts, or the copy of the data centre. */
async function readOrigin(db: D1Database): Promise<string> {
  try {
    const { origin } = await read(db);
    if (origin !== "") await copyToCache(origin);
    return origin;
  } catch (error) {
    const copy = known === undefined ? await (await openCache()).match(CACHE_KEY) : new Response(known.origin);
    if (copy === undefined) throw error;
    log("warn", "origin_not_read", describeError(error));
    return copy.text();
  }
}

async function copyToCache(origin: string): Promise<void> {
  const headers = { "Cache-Control": `max-age=${ORIGIN_TTL_SECONDS}` };
  try {
    await (await openCache()).put(CACHE_KEY, new Response(origin, { headers }));
  } catch (error) {
    log("warn", "link_cache_failed", describeError(error));
  }
}

const openCache = () => caches.open("installation");
const CACHE_KEY = "https://installation.cache/origin";

/** For tests, which share the isolate. */
export function forgetInstallation(): void {
  claimed = false;
  known = undefined;
}
