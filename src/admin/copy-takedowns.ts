import { databasesOf, hasSeveralDatabases } from "../database/databases.ts";
import { DAY_MS } from "../duration.ts";
import { describeError, log } from "../lib/log.ts";
import * as store from "./store/takedown-copies.ts";

/**
 * Copies a takedown to the other databases, whose redirects and screening read it there. `target` is for the log. The cron repeats
 * what fails.
 */
export async function copyTakedown(env: Env, id: string, target: string): Promise<void> {
  if (!hasSeveralDatabases(env)) return;
  const rows = await store.readTakedown(env.DB, id);
  await copyTo(othersOf(env), rows, { target });
}

/** Copies those that were made or reversed in the last day. Returns their number. */
export async function copyRecentTakedowns(env: Env, now: number): Promise<number> {
  const others = othersOf(env);
  const pages = await store.readRecentTakedowns(env.DB, now - DAY_MS);
  for (const rows of pages) await copyTo(others, rows);
  return pages.flat().length;
}

/** Copies all of them to each other database: one that was added later has none. Returns the number of databases that have them. */
export async function copyAllTakedowns(env: Env): Promise<number> {
  const others = othersOf(env);
  for await (const rows of store.readAllTakedowns(env.DB)) await copyTo(others, rows);
  return others.size;
}

/** Copies all of them to one database, before an account arrives there. */
export async function copyTakedownsTo(env: Env, db: D1Database): Promise<void> {
  for await (const rows of store.readAllTakedowns(env.DB)) await store.copyTakedowns(db, rows);
}

/** The databases besides the core, by their numbers. */
function othersOf(env: Env): Map<number, D1Database> {
  return new Map([...databasesOf(env).entries()].slice(1));
}

/** Copies rows to the databases. One that fails is deleted from them. */
async function copyTo(
  databases: Map<number, D1Database>,
  rows: Parameters<typeof store.copyTakedowns>[1],
  details: { target?: string } = {},
): Promise<void> {
  for (const [database, db] of databases) {
    try {
      await store.copyTakedowns(db, rows);
    } catch (error) {
      databases.delete(database);
      log("warn", "takedown_not_copied", { ...details, database, ...describeError(error) });
    }
  }
}
