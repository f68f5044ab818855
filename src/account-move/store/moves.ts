import { Batch } from "../../database/batch.ts";
import type { Run } from "./rows.ts";

/** The state of moves: in the core, in the database that the account leaves, and in the one that it goes to. */

export interface Move {
  accountId: number;
  target: number;
  /** The former database; null: the account is still there. */
  source: number | null;
  state: "copying" | "entering" | "keeping";
  /** Unix milliseconds. */
  changedAt: number;
}

/** Returns the move that began first; null: none. */
export async function findMove(core: D1Database): Promise<Move | null> {
  return core
    .prepare(
      `SELECT account_id AS accountId, target, source, state, changed_at AS changedAt FROM account_moves
       ORDER BY state = 'copying', changed_at, account_id LIMIT 1`,
    )
    .first<Move>();
}

export async function isCopying(core: D1Database, accountId: number): Promise<boolean> {
  const sql = "SELECT 1 FROM account_moves WHERE account_id = ?1 AND state = 'copying'";
  return (await core.prepare(sql).bind(accountId).first()) !== null;
}

/** Ends the move, unless it is another one by now. */
export async function deleteMove(core: D1Database, { accountId, target, state }: Move): Promise<void> {
  await core
    .prepare("DELETE FROM account_moves WHERE account_id = ?1 AND target = ?2 AND state = ?3")
    .bind(accountId, target, state)
    .run();
}

export async function setState(core: D1Database, accountId: number, state: Move["state"], now: number): Promise<void> {
  await core
    .prepare("UPDATE account_moves SET state = ?2, changed_at = ?3 WHERE account_id = ?1 AND state <> ?2")
    .bind(accountId, state, now)
    .run();
}

/** Lets the core keep a copy of the account in other databases, which is due from now on. */
export async function makeCopyDue(core: D1Database, accountId: number): Promise<void> {
  await core
    .prepare(
      `INSERT INTO account_copies (account_id, version, copied) VALUES (?1, 1, 0)
       ON CONFLICT (account_id) DO UPDATE SET copied = 0`,
    )
    .bind(accountId)
    .run();
}

/** Forgets that the account has a copy elsewhere. */
export async function deleteCopyNote(core: D1Database, accountId: number): Promise<void> {
  await core.prepare("DELETE FROM account_copies WHERE account_id = ?1").bind(accountId).run();
}

/** Whether rows of the account may have been copied into the database. */
export async function hasArrival(target: D1Database, accountId: number): Promise<boolean> {
  const sql = "SELECT 1 FROM arriving_accounts WHERE account_id = ?1";
  return (await target.prepare(sql).bind(accountId).first()) !== null;
}

/** How far an account is copied. */
export interface Arrival {
  /** JSON object; null: nothing is copied. */
  position: string | null;
  is_complete: 0 | 1;
}

/** Begins a run: no earlier one writes from now on. What was copied before changes were noted counts as not copied. */
export async function beginRun(target: D1Database, { accountId, id, watch }: Run): Promise<Arrival> {
  const batch = new Batch(target);
  const begun = batch.add<Arrival>(
    `INSERT INTO arriving_accounts (account_id, watch, run) VALUES (?1, ?3, ?2)
     ON CONFLICT (account_id) DO UPDATE SET run = iif(is_complete AND watch = excluded.watch, run, excluded.run),
       position = iif(watch = excluded.watch, position, NULL), is_complete = iif(watch = excluded.watch, is_complete, 0),
       watch = excluded.watch
     RETURNING position, is_complete`,
    [accountId, id, watch],
  );
  await batch.commitWithRetry();
  return begun.first as Arrival;
}

/** Adds to a page that the rows up to the position are copied. Throws, once the page is committed, if a later run has begun. */
export async function commitPage(batch: Batch, { accountId, id }: Run, position: string): Promise<void> {
  const stored = batch.add(
    "UPDATE arriving_accounts SET position = ?3 WHERE account_id = ?1 AND run = ?2 AND is_complete = 0 RETURNING 1",
    [accountId, id, position],
  );
  await batch.commitWithRetry();
  if (stored.first === undefined) throw new Error("another run moves the account");
}

/**
 * Notes that everything of the account has arrived, so no run writes any more. The destination watch of the target goes on from where that
 * of the source was: it has passed over links that the source had not taken in.
 */
export async function completeArrival(target: D1Database, { accountId, id, watchedTo }: Run): Promise<void> {
  const batch = new Batch(target);
  // Only at the first time, because a repetition would turn it back again.
  batch.add(
    `UPDATE destination_cursor SET seq = CAST(?3 AS INTEGER) WHERE seq > CAST(?3 AS INTEGER)
       AND EXISTS (SELECT 1 FROM arriving_accounts WHERE account_id = ?1 AND run = ?2 AND is_complete = 0)`,
    [accountId, id, watchedTo],
  );
  batch.add("UPDATE arriving_accounts SET is_complete = 1 WHERE account_id = ?1 AND run = ?2", [accountId, id]);
  // Links to hosts that are taken down may have left the former database before they were found there.
  batch.add(`INSERT INTO host_sweeps (takedown_id) SELECT id FROM takedowns WHERE kind = 'host' AND reversed_at IS NULL
    ON CONFLICT (takedown_id) DO UPDATE SET began_at = NULL, position = NULL`);
  const found = batch.add("SELECT 1 FROM arriving_accounts WHERE account_id = ?1 AND is_complete = 1", [accountId]);
  await batch.commitWithRetry();
  if (found.first === undefined) throw new Error("another run moves the account");
}

export async function deleteArrival(target: D1Database, accountId: number): Promise<void> {
  await target.prepare("DELETE FROM arriving_accounts WHERE account_id = ?1").bind(accountId).run();
}

export interface Change {
  id: number;
  name: string;
  /** JSON array. */
  key: string;
}

/** Returns the changes that were noted first. */
export async function readChanges(source: D1Database, accountId: number, limit: number): Promise<Change[]> {
  const batch = new Batch(source);
  const read = batch.add<Change>(
    "SELECT id, name, key FROM departing_changes WHERE account_id = ?1 ORDER BY id LIMIT ?2",
    [accountId, limit],
  );
  await batch.commitWithRetry();
  return read.rows;
}

export async function deleteChanges(source: D1Database, accountId: number, lastId: number): Promise<void> {
  await source
    .prepare("DELETE FROM departing_changes WHERE account_id = ?1 AND id <= ?2")
    .bind(accountId, lastId)
    .run();
}

/**
 * Says that the account is in the target: first where it was, for redirects, and then in the core, for all else. Both databases have the
 * same then. May be repeated.
 */
export async function placeAccount(
  core: D1Database,
  source: { db: D1Database; number: number },
  target: number,
  { accountId, watch }: Run,
  now: number,
): Promise<void> {
  const follow = new Batch(source.db);
  follow.add("UPDATE departing_accounts SET moved_to = ?2 WHERE account_id = ?1 AND watch = ?3", [
    accountId,
    target,
    watch,
  ]);
  await follow.commitWithRetry();
  // A run that comes late must not place an account that has moved on.
  const isExpected = "EXISTS (SELECT 1 FROM account_moves WHERE account_id = ?1 AND state = 'copying' AND target = ?2)";
  const batch = new Batch(core);
  batch.add(
    `INSERT INTO moved_accounts (account_id, database) SELECT ?1, ?2 WHERE ${isExpected}
     ON CONFLICT (account_id) DO UPDATE SET database = excluded.database`,
    [accountId, target],
  );
  batch.add(
    target === 0
      ? `DELETE FROM account_copies WHERE account_id = ?1 AND ?2 = 0 AND ${isExpected}`
      : `UPDATE account_copies SET copied = 0 WHERE account_id = ?1 AND ${isExpected}`,
    [accountId, target],
  );
  batch.add(
    `UPDATE account_moves SET state = 'entering', source = ?3, changed_at = ?4
     WHERE account_id = ?1 AND state = 'copying' AND target = ?2`,
    [accountId, target, source.number, now],
  );
  await batch.commitWithRetry();
}

export interface UsageOfLinks {
  links: number;
  link_bytes: number;
  recent_links: string;
}

export async function readUsage(source: D1Database, accountId: number): Promise<UsageOfLinks | null> {
  return source
    .prepare("SELECT links, link_bytes, recent_links FROM account_usage WHERE account_id = ?1")
    .bind(accountId)
    .first<UsageOfLinks>();
}

/** Adds that the account uses this. Its quotas are those of the core. */
export function writeUsage(batch: Batch, usage: UsageOfLinks, { accountId, id }: Run): void {
  batch.add(
    `UPDATE account_usage SET links = ?3, link_bytes = ?4, recent_links = ?5 WHERE account_id = ?1
       AND EXISTS (SELECT 1 FROM arriving_accounts WHERE account_id = ?1 AND run = ?2 AND is_complete = 0)`,
    [accountId, id, usage.links, usage.link_bytes, usage.recent_links],
  );
}

/** Deletes the rest in the former database: the copy of the account, or in the core what its links use. */
export async function deleteCopy(source: D1Database, accountId: number, isCore: boolean): Promise<void> {
  const batch = new Batch(source);
  if (isCore)
    batch.add("UPDATE account_usage SET links = 0, link_bytes = 0, recent_links = '{}' WHERE account_id = ?1", [
      accountId,
    ]);
  else
    for (const [table, column] of [
      ["account_usage", "account_id"],
      ["account_copies", "account_id"],
      ["accounts", "id"],
    ])
      batch.add(`DELETE FROM ${table} WHERE ${column} = ?1`, [accountId]);
  await batch.commitWithRetry();
}
