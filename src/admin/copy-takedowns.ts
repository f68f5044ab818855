import { databasesOf, hasSeveralDatabases } from "../database/databases.ts";
import { DAY_MS } from "../duration.ts";
import { describeError, log } from "../lib/log.ts";
import * as store from "./store/takedown-copies.ts";

/**
 * Copies the takedowns of a link, an account or a domain to the other databases, whose redirects and screening read them
 * there. The cron repeats what fails.
 */
export async function copyTakedowns(env: Env, kind: string, target: string): Promise<void> {
  if (!hasSeveralDatabases(env)) return;
  const rows = await store.readTakedowns(env.DB, kind, target);
  for (const [index, db] of databasesOf(env).entries()) {
    if (index === 0) continue;
    try {
      await store.copyTakedowns(db, rows);
    } catch (error) {
      log("warn", "takedown_not_copied", { kind, target, database: index, ...describeError(error) });
    }
  }
}

/** Copies those that were made or reversed in the last day. Returns the number of their targets. */
export async function copyRecentTakedowns(env: Env, now: number): Promise<number> {
  const targets = await store.findRecentTargets(env.DB, now - DAY_MS);
  for (const { kind, target } of targets) await copyTakedowns(env, kind, target);
  return targets.length;
}

/** Copies all of them to each other database: one that was added later has none. Returns the number of databases that have them. */
export async function copyAllTakedowns(env: Env): Promise<number> {
  let copied = 0;
  for (const [index, db] of databasesOf(env).entries()) {
    if (index === 0) continue;
    try {
      await copyTakedownsTo(env, db);
      copied++;
    } catch (error) {
      log("warn", "takedown_not_copied", { database: index, ...describeError(error) });
    }
  }
  return copied;
}

/** Copies all of them to one database, before an account arrives there. */
export async function copyTakedownsTo(env: Env, db: D1Database): Promise<void> {
  let last: string | undefined = "";
  while (last !== undefined) {
    const rows = await store.readTakedownsAfter(env.DB, last);
    await store.copyTakedowns(db, rows);
    last = rows.at(-1)?.id as string | undefined;
  }
}
