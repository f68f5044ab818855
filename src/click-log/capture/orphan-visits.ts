import { describeError, log } from "../../platform/lib/log.ts";
import { accountLogName } from "../click-log-name.ts";
import { MAX_BUFFERED_ORPHAN_PATHS, MAX_ORPHAN_PATH_CHARS, ORPHAN_FLUSH_AFTER_MS } from "../limits.ts";

/** `[domain, path, visits]`; the path is '' for those that are only counted together. */
export type OrphanVisits = [domain: string, path: string, visits: number];

/** Paths that browsers, crawlers and scanners request at every host, and the previews of links (`+`). */
const FILE_SLUG = /(?:^|\/)(?:\.|wp-)|^(?:apple-touch|cgi-bin)|\.(?:php\d?|aspx?|jsp|txt|xml|ico|webmanifest)$|\+$/i;

/** By account. What this isolate has not sent yet. */
let buffer = new Map<number, Map<string, OrphanVisits>>();
let paths = 0;
/** When it is sent, Unix milliseconds. The platform can end a request that waits for that, so a later one takes it over. */
let flushAt = 0;

/**
 * Counts a visit of a path that the custom domain of an account does not have. `path` is percent-encoded. The ClickLog of the account
 * gets the counts of some seconds in one call. If that fails, they are lost.
 */
export async function countOrphanVisit(
  { headers }: Request,
  { accountId, domain, path }: { accountId: number; domain: string; path: string },
  env: Pick<Env, "CLICK_LOG">,
): Promise<void> {
  const text = toText(path);
  if (text === "" || FILE_SLUG.test(text)) return;
  const { isCrawler } = await import("../../platform/visitor/crawler.ts");
  if (isCrawler(headers.get("User-Agent") ?? "")) return;
  add(accountId, domain, text);
  const now = Date.now();
  if (now <= flushAt + ORPHAN_FLUSH_AFTER_MS) return;
  flushAt = now + ORPHAN_FLUSH_AFTER_MS;
  await scheduler.wait(ORPHAN_FLUSH_AFTER_MS);
  const counted = buffer;
  buffer = new Map();
  paths = 0;
  flushAt = 0;
  await Promise.all(Array.from(counted, ([account, visits]) => send(env, account, [...visits.values()])));
}

/** The path as a person would write it, without the slash at its end. */
function toText(path: string): string {
  const bare = path.replace(/\/+$/, "");
  try {
    return decodeURIComponent(bare);
  } catch {
    return bare;
  }
}

function add(accountId: number, domain: string, text: string): void {
  const path = text.length > MAX_ORPHAN_PATH_CHARS ? "" : text;
  const visits = buffer.get(accountId) ?? new Map<string, OrphanVisits>();
  const known = visits.get(`${domain}/${path}`);
  if (known !== undefined) known[2]++;
  else if (paths < MAX_BUFFERED_ORPHAN_PATHS) {
    visits.set(`${domain}/${path}`, [domain, path, 1]);
    buffer.set(accountId, visits);
    paths++;
  }
}

async function send(env: Pick<Env, "CLICK_LOG">, accountId: number, visits: OrphanVisits[]): Promise<void> {
  try {
    await env.CLICK_LOG.getByName(accountLogName(accountId)).countOrphanVisits(visits);
  } catch (error) {
    log("warn", "orphan_visits_lost", { paths: visits.length, ...describeError(error) });
  }
}
