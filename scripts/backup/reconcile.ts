import { directoryNumber, type Databases } from "../../src/directory/reserve.ts";
import { RESERVATION_MS } from "../../src/directory/limits.ts";
import { deleteEntries, insertEntries, loseTokens, type Entry } from "../../src/directory/store.ts";
import { newId } from "../../src/lib/uuid.ts";
import { RECONCILED_ROWS } from "../limits.ts";

// Run by the temporary Worker, a page in each call. Both use the functions of the service, so it may run meanwhile (ADR 0042).

/** The last key of a page, and the table that it is from. */
export interface KeyCursor {
  source: number;
  key: string;
}

/** A key that two databases use. Visitors get what the holder has. */
export interface Conflict {
  key: string;
  database: number;
  holder: number;
}

export interface GivenPage {
  next: KeyCursor | null;
  added: number;
  conflicts: Conflict[];
}

/** The keys that a database uses: slugs of links, of aliases and of deleted links at the service domain, and verified domains. */
const SOURCES = [
  "SELECT slug_key AS key FROM links WHERE domain = '' AND slug_key > ?1 ORDER BY slug_key LIMIT ?2",
  "SELECT slug_key AS key FROM aliases WHERE domain = '' AND slug_key > ?1 ORDER BY slug_key LIMIT ?2",
  `SELECT domain AS key FROM domains INDEXED BY domains_verified
   WHERE status = 'verified' AND domain > ?1 ORDER BY domain LIMIT ?2`,
] as const;

/** Gives entries to the next keys of the database that have none. `after` is null for the first page. */
export async function giveEntries(
  databases: Databases,
  database: number,
  after: KeyCursor | null,
  now: number,
): Promise<GivenPage> {
  const { source, key: last } = after ?? { source: 0, key: "" };
  const { results } = await shardAt(databases, database)
    .prepare(SOURCES[source] as string)
    .bind(last, RECONCILED_ROWS)
    .all<{ key: string }>();
  const page: GivenPage = { next: nextCursor(source, results), added: 0, conflicts: [] };
  for (const [directory, group] of Map.groupBy(results, ({ key }) => directoryNumber(databases, key))) {
    if (directory === database) continue;
    const wanted = group.map(({ key }) => ({ key, token: newId(now) }));
    const tokens = new Set(wanted.map(({ token }) => token));
    for (const { key, entry } of await insertEntries(shardAt(databases, directory), database, wanted, now)) {
      const holder = entry?.shard ?? directory;
      if (holder !== database) page.conflicts.push({ key, database, holder });
      else if (entry !== null && tokens.has(entry.token)) page.added++;
    }
  }
  return page;
}

function nextCursor(source: number, rows: readonly { key: string }[]): KeyCursor | null {
  const last = rows.at(-1);
  if (last !== undefined && rows.length === RECONCILED_ROWS) return { source, key: last.key };
  return source + 1 < SOURCES.length ? { source: source + 1, key: "" } : null;
}

/**
 * Deletes the next entries of the directory whose databases do not use the keys. Younger ones than a reservation may belong to links
 * that are about to be stored, and stay. `after` is the last key of the former page.
 */
export async function dropEntries(
  databases: Databases,
  directory: number,
  after: string,
  now: number,
): Promise<{ next: string | null; dropped: number }> {
  const db = shardAt(databases, directory);
  const { results } = await db
    .prepare("SELECT key, shard, token, reserved_at AS reservedAt FROM directory WHERE key > ?1 ORDER BY key LIMIT ?2")
    .bind(after, RECONCILED_ROWS)
    .all<Entry>();
  const old = results.filter(({ reservedAt }) => reservedAt <= now - RESERVATION_MS);
  let dropped = 0;
  for (const [database, entries] of Map.groupBy(old, ({ shard }) => shard)) {
    const dead = await loseTokens(shardAt(databases, database), entries, now);
    await deleteEntries(db, dead);
    dropped += dead.length;
  }
  return { next: results.length === RECONCILED_ROWS ? (results.at(-1)?.key ?? null) : null, dropped };
}

/** The database with this number. */
export function shardAt({ shards }: Databases, number: number): D1Database {
  const shard = shards[number];
  if (shard === undefined) throw new Error(`the database ${number} has no binding`);
  return shard;
}
