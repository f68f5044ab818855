import { Batch, type Statements } from "../database/batch.ts";
import { toJsonPieces } from "../database/json-pieces.ts";
import type { Condition } from "../database/parameters.ts";
import { LOST_TOKEN_KEPT_MS } from "./limits.ts";

/**
 * The directory (ADR 0042): which database has a key. A key is `spring` for a link at the service domain, `go.example.net/spring`
 * for one at `ANONYMOUS_HOST`, or a verified custom domain: only a domain has a dot, and only a link at `ANONYMOUS_HOST` has a slash.
 * The statements here are for one database, which is a directory, a shard or both.
 */

/** That a database has a key, or reserved it. */
export interface Entry {
  key: string;
  /** The number of the database. */
  shard: number;
  /** Of the reservation. */
  token: string;
  /** Unix milliseconds. */
  reservedAt: number;
}

interface EntryRow {
  key: string;
  shard: number;
  token: string;
  reserved_at: number;
}

/** What a directory has for a key after {@link insertEntries}. */
export interface Holder {
  key: string;
  entry: Entry | null;
}

/** SQL that holds if this database has the key by a link, an alias, a deleted link or a verified domain. `key` is SQL. */
function isUsed(key: string): string {
  const domain = `substr(${key}, 1, max(instr(${key}, '/') - 1, 0))`;
  const slugKey = `substr(${key}, instr(${key}, '/') + 1)`;
  return `(EXISTS (SELECT 1 FROM links l WHERE l.domain = ${domain} AND l.slug_key = ${slugKey})
    OR EXISTS (SELECT 1 FROM aliases a WHERE a.domain = ${domain} AND a.slug_key = ${slugKey})
    OR EXISTS (SELECT 1 FROM domains d INDEXED BY domains_verified WHERE d.domain = ${key} AND d.status = 'verified'))`;
}

/**
 * Reserves for the shard those of the keys that nobody has. Returns for each key who has it then: an entry, or null if the
 * directory's own database has it.
 */
export async function insertEntries(
  directory: Statements,
  shard: number,
  wanted: readonly { key: string; token: string }[],
  now: number,
): Promise<Holder[]> {
  const batch = new Batch(directory);
  const read = toJsonPieces(wanted.map(({ key, token }) => [key, token])).map((piece) => {
    batch.add(
      `INSERT INTO directory (key, shard, token, reserved_at) SELECT j.value ->> 0, ?2, j.value ->> 1, ?3
       FROM json_each(?1) j WHERE NOT ${isUsed("j.value ->> 0")} ON CONFLICT (key) DO NOTHING`,
      [piece, shard, now],
    );
    return batch.add<EntryRow>(
      `SELECT e.key, e.shard, e.token, e.reserved_at FROM json_each(?1) j CROSS JOIN directory e ON e.key = j.value ->> 0`,
      [piece],
    );
  });
  await batch.commitWithRetry();
  const entries = new Map(read.flatMap(({ rows }) => rows.map((row) => [row.key, toEntry(row)] as const)));
  return wanted.map(({ key }) => ({ key, entry: entries.get(key) ?? null }));
}

/** The entry of the key; null: the directory has none. */
export async function findEntry(directory: Statements, key: string): Promise<Entry | null> {
  const { results } = await directory
    .prepare("SELECT key, shard, token, reserved_at FROM directory WHERE key = ?1")
    .bind(key)
    .all<EntryRow>();
  return results[0] === undefined ? null : toEntry(results[0]);
}

/** What a directory has for a key: an entry, or its own database uses the key, or nothing. */
export interface Found extends Holder {
  isUsed: boolean;
}

/** Reads what the directory has for the keys. */
export async function readHolders(directory: Statements, keys: readonly string[]): Promise<Found[]> {
  const batch = new Batch(directory);
  const read = toJsonPieces(keys).map((piece) =>
    batch.add<EntryRow & { wanted: string; is_used: 0 | 1 }>(
      `SELECT j.value AS wanted, ${isUsed("j.value")} AS is_used, e.key, e.shard, e.token, e.reserved_at
       FROM json_each(?1) j LEFT JOIN directory e ON e.key = j.value`,
      [piece],
    ),
  );
  await batch.commitWithRetry();
  return read.flatMap(({ rows }) =>
    rows.map((row) => ({
      key: row.wanted,
      isUsed: row.is_used === 1,
      entry: (row.token as string | null) === null ? null : toEntry(row),
    })),
  );
}

/** Returns those of the keys that this database uses. */
export async function findUsed(shard: Statements, keys: readonly string[]): Promise<string[]> {
  const batch = new Batch(shard);
  const read = toJsonPieces(keys).map((piece) =>
    batch.add<{ key: string }>(`SELECT j.value AS key FROM json_each(?1) j WHERE ${isUsed("j.value")}`, [piece]),
  );
  await batch.commitWithRetry();
  return read.flatMap(({ rows }) => rows.map(({ key }) => key));
}

/**
 * Makes the tokens of those entries useless in their shard whose keys it does not have. Returns the entries whose tokens are
 * useless: they may then be replaced or deleted, and whoever still has a token stores nothing.
 */
export async function loseTokens(shard: Statements, entries: readonly Entry[], now: number): Promise<Entry[]> {
  const batch = new Batch(shard);
  const read = toJsonPieces(entries.map(({ key, token }) => [key, token])).map((piece) => {
    batch.add(
      `INSERT INTO lost_reservations (token, lost_at) SELECT j.value ->> 1, ?2 FROM json_each(?1) j
       WHERE NOT ${isUsed("j.value ->> 0")} ON CONFLICT (token) DO NOTHING`,
      [piece, now],
    );
    return batch.add<{ token: string }>(
      "SELECT l.token FROM json_each(?1) j CROSS JOIN lost_reservations l ON l.token = j.value ->> 1",
      [piece],
    );
  });
  await batch.commitWithRetry();
  const lost = new Set(read.flatMap(({ rows }) => rows.map(({ token }) => token)));
  return entries.filter(({ token }) => lost.has(token));
}

/**
 * Gives the key to the successor if the entry is still the same, which needs {@link loseTokens}. Returns whether it did. The
 * directory's own database stores a link without a token, so it is asked whether it has one now.
 */
export async function replaceEntry(directory: Statements, { key, token }: Entry, successor: Entry): Promise<boolean> {
  const { meta } = await directory
    .prepare(
      `UPDATE directory SET shard = ?3, token = ?4, reserved_at = ?5 WHERE key = ?1 AND token = ?2 AND NOT ${isUsed("?1")}`,
    )
    .bind(key, token, successor.shard, successor.token, successor.reservedAt)
    .run();
  return meta.changes > 0;
}

/** Deletes those of the entries that are still the same, which needs {@link loseTokens}. */
export async function deleteEntries(directory: Statements, entries: readonly Entry[]): Promise<void> {
  const batch = new Batch(directory);
  for (const piece of toJsonPieces(entries.map(({ key, token }) => [key, token])))
    batch.add(
      "DELETE FROM directory WHERE (key, token) IN (SELECT j.value ->> 0, j.value ->> 1 FROM json_each(?1) j)",
      [piece],
    );
  if (!batch.isEmpty) await batch.commitWithRetry();
}

/**
 * SQL that holds while the shard may not store what has the key: it has no token, or a lost one, or another database has an entry
 * here. The last is for keys whose directory is the shard itself. `key` and `token` are SQL too.
 */
export function isElsewhere(shard: number, key: string, token: string): string {
  return `(${token} IS NULL OR EXISTS (SELECT 1 FROM lost_reservations WHERE token = ${token})
    OR EXISTS (SELECT 1 FROM directory WHERE key = ${key} AND shard <> ${shard}))`;
}

/** Holds while the shard may store what has the key. */
export function mayStore(shard: number, key: string, token: string | null): Condition {
  return (parameters) => `NOT ${isElsewhere(shard, parameters.add(key), parameters.add(token))}`;
}

/** Deletes up to `limit` tokens that nobody can use any more. Returns their number. */
export async function deleteOldTokens(shard: D1Database, now: number, limit: number): Promise<number> {
  const { meta } = await shard
    .prepare(
      `DELETE FROM lost_reservations WHERE token IN
         (SELECT token FROM lost_reservations INDEXED BY lost_reservations_by_age WHERE lost_at <= ?1 ORDER BY lost_at LIMIT ?2)`,
    )
    .bind(now - LOST_TOKEN_KEPT_MS, limit)
    .run();
  return meta.changes;
}

function toEntry({ key, shard, token, reserved_at: reservedAt }: EntryRow): Entry {
  return { key, shard, token, reservedAt };
}
