import { Batch, type Statements } from "../database/batch.ts";
import { toJsonPieces } from "../database/json-pieces.ts";
import { holds, type Condition } from "../database/parameters.ts";
import { LOST_TOKEN_KEPT_MS } from "./limits.ts";

/**
 * The directory (ADR 0042): which database has a key, which is the slug key of a link at the service domain, or a verified custom
 * domain. No key is both, because domains have a dot. The statements here are for one database, which is a directory, a shard or both.
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
  return `(EXISTS (SELECT 1 FROM links l WHERE l.domain = '' AND l.slug_key = ${key})
    OR EXISTS (SELECT 1 FROM aliases a WHERE a.domain = '' AND a.slug_key = ${key})
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

/**
 * Makes the token useless in the entry's shard, unless that has the key. Returns whether the token is useless: the entry may then
 * be replaced or deleted, and whoever still has the token stores nothing.
 */
export async function loseToken(shard: Statements, { key, token }: Entry, now: number): Promise<boolean> {
  const batch = new Batch(shard);
  batch.add(
    `INSERT INTO lost_reservations (token, lost_at) SELECT ?1, ?2 WHERE NOT ${isUsed("?3")} ON CONFLICT (token) DO NOTHING`,
    [token, now, key],
  );
  const lost = batch.sql`SELECT 1 FROM lost_reservations WHERE token = ${token}`;
  await batch.commitWithRetry();
  return lost.first !== undefined;
}

/**
 * Gives the key to the successor if the entry is still the same, which needs {@link loseToken}. Returns whether it did. The
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

/** Deletes the entry if it is still the same, which needs {@link loseToken}. */
export async function deleteEntry(directory: Statements, { key, token }: Entry): Promise<void> {
  await directory.prepare("DELETE FROM directory WHERE key = ?1 AND token = ?2").bind(key, token).run();
}

/**
 * Holds while the shard may store what has the key. For its transaction that does so. The second part is for keys whose
 * directory is the shard itself.
 */
export function mayStore(shard: number, key: string, token: string): Condition {
  return holds`NOT EXISTS (SELECT 1 FROM lost_reservations WHERE token = ${token})
    AND NOT EXISTS (SELECT 1 FROM directory WHERE key = ${key} AND shard <> ${shard})`;
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
