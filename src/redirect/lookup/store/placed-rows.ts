import type { Query } from "./links.ts";

/** Reading what redirects need where there are several databases (ADR 0042). */

// Not while the account is copied here: the copy is used when all of it has arrived.
const IS_USED = `NOT EXISTS (SELECT 1 FROM arriving_accounts WHERE account_id = found.account_id AND is_complete = 0)`;

/** A row, and the database that its account has moved to; null: it is in this one. */
export type Found<R> = R & { moved_to: number | null };

type Reader = Pick<D1Database, "prepare" | "batch">;

function toStatement(db: Reader, { sql, parameters }: Query): D1PreparedStatement {
  const moved = "(SELECT moved_to FROM departing_accounts WHERE account_id = found.account_id)";
  return db.prepare(`SELECT found.*, ${moved} AS moved_to FROM (${sql}) found WHERE ${IS_USED}`).bind(...parameters);
}

/** Reads one row where the caller says: at the primary, or by a session. */
export function readPlaced<R>(db: Reader, query: Query): Promise<Found<R> | null> {
  return toStatement(db, query).first<Found<R>>();
}

/** Reads one row, and the database that the directory has for the key, in one round trip; null: there is none. */
export async function readWithEntry<R>(
  directory: Reader,
  query: Query,
  key: string,
): Promise<{ row: Found<R> | null; shard: number | null }> {
  const entry = directory.prepare("SELECT shard FROM directory WHERE key = ?1").bind(key);
  const [found, entries] = await directory.batch([toStatement(directory, query), entry]);
  return {
    row: (found?.results[0] as Found<R> | undefined) ?? null,
    shard: (entries?.results[0] as { shard: number } | undefined)?.shard ?? null,
  };
}
