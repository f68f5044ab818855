import { databasesOf } from "../database/databases.ts";
import { addRange, readRange, readSize, type AccountRange } from "../database/account-ranges.ts";
import { describeError, log } from "../lib/log.ts";
import { mapLimit } from "../lib/map-limit.ts";
import { CONCURRENT_SIZES, FULL_FOR_NEW_ACCOUNTS_BYTES } from "./limits.ts";

/**
 * Lets new accounts go to databases under half full: the longest run of neighbours, or the smallest database if there is none. It asks
 * each database once for its size. Returns 1 if the databases changed.
 */
export async function updateAccountRange(env: Env, fullBytes = FULL_FOR_NEW_ACCOUNTS_BYTES): Promise<0 | 1> {
  const { opened, ...current } = await readRange(env.DB);
  const databases = databasesOf(env).slice(0, opened);
  if (databases.length === 1) return 0;
  const sizes = await readSizes(databases);
  const next = longestRun(sizes, fullBytes) ?? smallest(sizes);
  if (next.database === current.database && next.spread === current.spread) return 0;
  if (!(await addRange(env.DB, next))) return 0;
  log("info", "account_range_added", { ...next, bytes: sizes.join(" ") });
  return 1;
}

/** The bytes of each database; Infinity: it does not respond, so it gets no new accounts. */
async function readSizes(databases: readonly D1Database[]): Promise<number[]> {
  const sizes = databases.map(() => Infinity);
  await mapLimit([...databases.entries()], CONCURRENT_SIZES, async ([number, db]) => {
    try {
      sizes[number] = await readSize(db);
    } catch (error) {
      log("warn", "size_not_read", { database: number, ...describeError(error) });
    }
  });
  return sizes;
}

function longestRun(sizes: readonly number[], fullBytes: number): AccountRange | null {
  let longest: AccountRange | null = null;
  let database = 0;
  for (const [number, bytes] of sizes.entries()) {
    if (bytes >= fullBytes) database = number + 1;
    else if (longest === null || number - database >= longest.spread)
      longest = { database, spread: number - database + 1 };
  }
  return longest;
}

function smallest(sizes: readonly number[]): AccountRange {
  return { database: sizes.indexOf(Math.min(...sizes)), spread: 1 };
}
