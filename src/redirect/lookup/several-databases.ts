import { databasesOf } from "../../database/databases.ts";
import { directoryKeyOf } from "../../directory/key.ts";
import { directoryNumber } from "../../directory/reserve.ts";
import { DIRECTORIES } from "../../directory/limits.ts";
import { toSlugKey } from "../slug.ts";
import type { Cacheable, Placed } from "./entry.ts";
import type { Query } from "./store/links.ts";
import { readPlaced, readWithEntry, type Found } from "./store/placed-rows.ts";

/** A custom domain, or a link. */
export interface Place {
  domain: string;
  slug?: string;
}

/**
 * Finds a link or a domain where there are several databases (ADR 0042): in the directory of its key, or in the database that the
 * directory's entry names. Replicas are asked first. What they do not have, or only in a version older than the known one, is read at
 * the primary of the directory, and then at the primary of the database. The database in which a cached copy was found is asked before
 * the directory. Where an account has left a database, its rows there are not used.
 */
export async function findInDatabases<R extends { updated_at: number }>(
  env: Env,
  { domain, slug }: Place,
  query: Query,
  known: Pick<Cacheable, "updatedAt" | "shard"> | undefined,
): Promise<(R & Placed) | null> {
  const shards = databasesOf(env);
  const hasKey = slug !== undefined && (domain === "" || domain === env.ANONYMOUS_HOST);
  const key = hasKey ? directoryKeyOf(domain, toSlugKey(slug, false)) : domain;
  const directory = directoryNumber({ shards, directories: DIRECTORIES }, key);
  const isCurrent = (row: R | null): row is R => row !== null && row.updated_at >= (known?.updatedAt ?? 0);

  const hint = known?.shard ?? directory;
  if (hint !== directory && hint < shards.length) {
    const row = await readFrom<R>(shards, hint, query, nearest);
    if (isCurrent(row)) return row;
  }
  const found = await follow<R>(shards, directory, key, query, nearest);
  if (isCurrent(found)) return found;
  return follow<R>(shards, directory, key, query, (database) => database);
}

type Reader = Pick<D1Database, "prepare" | "batch">;

function nearest(database: D1Database): Reader {
  return database.withSession("first-unconstrained");
}

/** What the directory has, or else the database of its entry. `at` says where a database is read. */
async function follow<R extends { updated_at: number }>(
  shards: readonly D1Database[],
  directory: number,
  key: string,
  query: Query,
  at: (database: D1Database) => Reader,
): Promise<(R & Placed) | null> {
  const { row, shard } = await readWithEntry<R>(at(databaseAt(shards, directory)), query, key);
  if (row !== null) return place(shards, directory, row, query, at);
  return shard === null || shard === directory ? null : readFrom(shards, shard, query, at);
}

async function readFrom<R>(
  shards: readonly D1Database[],
  number: number,
  query: Query,
  at: (database: D1Database) => Reader,
): Promise<(R & Placed) | null> {
  const row = await readPlaced<R>(at(databaseAt(shards, number)), query);
  return row === null ? null : place(shards, number, row, query, at);
}

/** The row, or that of the database to which its account has moved. */
async function place<R>(
  shards: readonly D1Database[],
  number: number,
  row: Found<R>,
  query: Query,
  at: (database: D1Database) => Reader,
): Promise<(R & Placed) | null> {
  if (row.moved_to === null) return { ...row, shard: number };
  const moved = await readPlaced<R>(at(databaseAt(shards, row.moved_to)), query);
  return moved === null ? null : { ...moved, shard: row.moved_to };
}

function databaseAt(shards: readonly D1Database[], number: number): D1Database {
  const database = shards[number];
  // Not "not found": the link may exist.
  if (database === undefined) throw new Error(`the directory names the database ${number}, which has no binding`);
  return database;
}
