import { databasesOf } from "../database/databases.ts";
import { fnv1a } from "../lib/fnv1a.ts";
import { newId } from "../lib/uuid.ts";
import { DIRECTORIES, MAX_RESERVATION_ATTEMPTS, RESERVATION_MS } from "./limits.ts";
import * as store from "./store.ts";

/** The databases of an installation, by their numbers. The first ones are also its directories. */
export interface Databases {
  shards: readonly D1Database[];
  /** How many of them are directories. It never changes, because entries do not move. */
  directories: number;
}

/** The databases of an installation that has several. */
export function directoriesOf(env: Pick<Env, "DB">): Databases {
  return { shards: databasesOf(env), directories: DIRECTORIES };
}

/** The number of the database that says who has the key. */
export function directoryNumber({ directories }: Databases, key: string): number {
  return fnv1a(key) % directories;
}

function directoryOf(databases: Databases, key: string): D1Database {
  return databases.shards[directoryNumber(databases, key)] as D1Database;
}

/** The token with which the shard may store what has the key; null: another database has the key. */
export type Reservation = string | null;

/** The token of keys whose directory is the shard itself. It is never lost: the transaction of the shard sees all entries. */
export const OWN_DIRECTORY = "";

/**
 * Reserves keys for a shard. The directory decides between databases only: a shard that has the key already gets its token again,
 * and its own unique index decides. It costs no round trip for keys whose directory is the shard itself.
 */
export async function reserveKeys(
  databases: Databases,
  shard: number,
  keys: readonly string[],
  now: number,
): Promise<Map<string, Reservation>> {
  const reserved = new Map<string, Reservation>();
  const groups = Map.groupBy(new Set(keys), (key) => directoryNumber(databases, key));
  await Promise.all(
    [...groups].map(async ([number, group]) => {
      if (number === shard) {
        for (const key of group) reserved.set(key, OWN_DIRECTORY);
        return;
      }
      const wanted = group.map((key) => ({ key, token: newId(now) }));
      const directory = databases.shards[number] as D1Database;
      for (const { key, entry } of await store.insertEntries(directory, shard, wanted, now))
        reserved.set(key, entry === null ? null : await take(databases, shard, entry, now));
    }),
  );
  return reserved;
}

/** Takes the key of an entry whose database does not have it any more, or never got it. */
async function take(databases: Databases, shard: number, found: store.Entry, now: number): Promise<Reservation> {
  const directory = directoryOf(databases, found.key);
  let entry: store.Entry | null = found;
  for (let attempt = 1; attempt <= MAX_RESERVATION_ATTEMPTS && entry !== null; attempt++) {
    if (entry.shard === shard) return entry.token;
    if (now - entry.reservedAt < RESERVATION_MS) return null;
    const holder = databases.shards[entry.shard];
    if (holder === undefined || (await store.loseTokens(holder, [entry], now)).length === 0) return null;
    const successor = { key: entry.key, shard, token: newId(now), reservedAt: now };
    if (await store.replaceEntry(directory, entry, successor)) return successor.token;
    entry = await store.findEntry(directory, entry.key);
  }
  return null;
}

/**
 * Reserves a key again whose token the shard was refused with. Returns null if another database has the key. Then nothing more is
 * to be done: a shard that is the directory itself was refused because of an entry, which is deleted here if it is dead.
 */
export async function renewReservation(
  databases: Databases,
  shard: number,
  { key, token }: { key: string; token: string },
  now: number,
): Promise<Reservation> {
  const directory = directoryOf(databases, key);
  const entry = await store.findEntry(directory, key);
  if (token === OWN_DIRECTORY) {
    const isFree =
      entry === null || entry.shard === shard || (await removeEntry(databases, entry, now, RESERVATION_MS));
    return isFree ? OWN_DIRECTORY : null;
  }
  if (entry !== null && entry.shard === shard && entry.token === token)
    await store.replaceEntry(directory, entry, { key, shard, token: newId(now), reservedAt: now });
  return (await reserveKeys(databases, shard, [key], now)).get(key) ?? null;
}

/** Gives back those of the shard's keys that it does not have. Whoever still has the token of an entry stores nothing. */
export async function releaseKeys(
  databases: Databases,
  shard: number,
  keys: readonly string[],
  now: number,
): Promise<void> {
  await eachDirectory(databases, keys, async (directory, group) => {
    if (directory === databases.shards[shard]) return;
    const found = await store.readHolders(directory, group);
    const own = found.flatMap(({ entry }) => (entry?.shard === shard ? [entry] : []));
    if (own.length === 0) return;
    const lost = await store.loseTokens(databases.shards[shard] as D1Database, own, now);
    await store.deleteEntries(directory, lost);
  });
}

/** Whether the directory has an entry of the key, which another database than the directory's own has or had. */
export async function hasEntry(env: Pick<Env, "DB">, key: string): Promise<boolean> {
  return (await store.findEntry(directoryOf(directoriesOf(env), key), key)) !== null;
}

/** Returns those of the keys that other databases than the shard have, or reserved a short time ago. */
export async function findHeldElsewhere(
  databases: Databases,
  shard: number,
  keys: readonly string[],
  now: number,
): Promise<Set<string>> {
  const held = new Set<string>();
  await eachDirectory(databases, keys, async (directory, group) => {
    const unsure: store.Entry[] = [];
    for (const { key, entry, isUsed } of await store.readHolders(directory, group)) {
      const isOther = entry !== null && entry.shard !== shard;
      if (isUsed ? directory !== databases.shards[shard] : isOther && now - entry.reservedAt < RESERVATION_MS)
        held.add(key);
      else if (isOther) unsure.push(entry);
    }
    for (const [number, entries] of Map.groupBy(unsure, (entry) => entry.shard)) {
      const holder = databases.shards[number];
      const names = entries.map(({ key }) => key);
      for (const key of holder === undefined ? names : await store.findUsed(holder, names)) held.add(key);
    }
  });
  return held;
}

/** Calls `use` with each directory of the keys and with those that are there. */
async function eachDirectory(
  databases: Databases,
  keys: readonly string[],
  use: (directory: D1Database, keys: string[]) => Promise<void>,
): Promise<void> {
  const groups = Map.groupBy(new Set(keys), (key) => directoryNumber(databases, key));
  await Promise.all([...groups].map(([number, group]) => use(databases.shards[number] as D1Database, group)));
}

/** Deletes the entry if it is that old and its database does not have the key. Returns whether it did. */
async function removeEntry(databases: Databases, entry: store.Entry, now: number, minAgeMs: number): Promise<boolean> {
  const holder = databases.shards[entry.shard];
  if (holder === undefined || now - entry.reservedAt < minAgeMs) return false;
  if ((await store.loseTokens(holder, [entry], now)).length === 0) return false;
  await store.deleteEntries(directoryOf(databases, entry.key), [entry]);
  return true;
}
