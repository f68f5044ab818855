import { beforeAll, beforeEach } from "vitest";
import { Batch } from "../../src/database/batch.ts";
import { RESERVATION_MS } from "../../src/directory/limits.ts";
import { directoryNumber, releaseKeys, reserveKeys, type Databases } from "../../src/directory/reserve.ts";
import { findEntry, mayStore, type Entry } from "../../src/directory/store.ts";
import { newDatabase } from "../scripts/support/database.ts";

export const NOW = Date.UTC(2026, 10, 25);
export const LATER = NOW + RESERVATION_MS;

/** Three databases with the project's schema, empty at the beginning of each test. */
export let databases: Databases;
let sequence = 0;

beforeAll(async () => {
  databases = { shards: await Promise.all([newDatabase(), newDatabase(), newDatabase()]), directories: 3 };
});

beforeEach(async () => {
  const tables = ["links", "aliases", "domains", "directory", "lost_reservations"];
  for (const shard of databases.shards) await shard.batch(tables.map((table) => shard.prepare(`DELETE FROM ${table}`)));
});

export function shardAt(number: number): D1Database {
  return databases.shards[number] as D1Database;
}

/** A key whose directory has this number, different for each `n`. */
export function keyAt(directory: number, n = 0): string {
  const keys = Array.from({ length: 200 }, (_, number) => `slug${number}`);
  return keys.filter((key) => directoryNumber(databases, key) === directory)[n] as string;
}

/** Stores a link of the shard as a creation does. Returns whether it was stored. */
export async function store(shard: number, key: string, token: string): Promise<boolean> {
  const batch = new Batch(shardAt(shard));
  const seq = ++sequence;
  batch.sql`INSERT INTO links (seq, id, domain, slug, url, status, redirect_status, created_at, updated_at)
    SELECT ${seq}, ${`link${seq}`}, '', ${key}, 'https://example.com/', 'active', 302, ${NOW}, ${NOW}
    WHERE ${mayStore(shard, key, token)} ON CONFLICT DO NOTHING`;
  const stored = batch.sql`SELECT 1 FROM links WHERE seq = ${seq}`;
  await batch.commit();
  return stored.first !== undefined;
}

export async function deleteLink(shard: number, key: string): Promise<void> {
  await shardAt(shard).prepare("DELETE FROM links WHERE domain = '' AND slug = ?1").bind(key).run();
}

export async function reserve(shard: number, key: string, now = NOW): Promise<string | null> {
  return (await reserveKeys(databases, shard, [key], now)).get(key) ?? null;
}

export async function reserveOrThrow(shard: number, key: string, now = NOW): Promise<string> {
  const token = await reserve(shard, key, now);
  if (token === null) throw new Error(`another database has ${key}`);
  return token;
}

/** Releases the key, whichever shard has its entry. */
export async function release(key: string, now = NOW): Promise<void> {
  for (const shard of databases.shards.keys()) await releaseKeys(databases, shard, [key], now);
}

export async function entryOf(key: string): Promise<Entry> {
  const entry = await findEntry(shardAt(directoryNumber(databases, key)), key);
  if (entry === null) throw new Error(`no entry of ${key}`);
  return entry;
}

/** The shards that have a link with the key. */
export async function holdersOf(key: string): Promise<number[]> {
  const found = await Promise.all(
    databases.shards.map((shard) =>
      shard.prepare("SELECT 1 FROM links WHERE domain = '' AND slug = ?1").bind(key).first(),
    ),
  );
  return found.flatMap((row, number) => (row === null ? [] : [number]));
}
