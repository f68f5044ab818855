import { copyTakedownsTo } from "../admin/copy-takedowns.ts";
import type { ServiceContext } from "../context.ts";
import { copyAccount } from "../database/account-copies.ts";
import { databaseOf, databasesOf, numberOfDatabase } from "../database/databases.ts";
import { directoriesOf, directoryNumber } from "../directory/reserve.ts";
import { log } from "../lib/log.ts";
import { copiedTables, copyRest, copyWhileUsed, deleteLeftRows, deletionOrder, prepareCopy } from "./copy.ts";
import { FORMER_ROWS_KEPT_MS, RUN_MS } from "./limits.ts";
import * as entries from "./store/entries.ts";
import * as moves from "./store/moves.ts";
import { deleteFormer } from "./store/delete.ts";
import { SMALL_TABLES } from "./store/tables.ts";
import { resumeWrites, stopWrites, unwatchAccount, watchAccount } from "./store/triggers.ts";

/**
 * Goes on with the move of an account to another database, which an operator has asked for (ADR 0042). Each step may be repeated, so a
 * run that ended goes on in the next one. Returns 1, or 0 if nothing can be done now.
 */
export async function moveNextAccount(context: ServiceContext): Promise<number> {
  const move = await moves.findMove(context.env.DB);
  if (move === null) return 0;
  if (move.source === null) return moveRows(context, move);
  const source = databasesOf(context.env)[move.source];
  if (source === undefined) throw new Error(`the database ${move.source} has no binding`);
  return move.state === "entering"
    ? moveEntries(context, move, source, move.source)
    : deleteFormerRows(context, move, source);
}

/** Copies the account and then places it in the target. */
async function moveRows({ env, now }: ServiceContext, move: moves.Move): Promise<number> {
  const { accountId, target: number } = move;
  const core = env.DB;
  const source = await databaseOf(env, accountId);
  const target = databasesOf(env)[number];
  if (target === undefined || target === source) return keepAccount(env, move, source);
  const watch = await watchAccount(source, accountId, source === core ? "audit_entries" : null, now);
  await moves.makeCopyDue(core, accountId);
  if (target !== core) {
    await copyAccount(core, target, accountId);
    // The former database has a copy too, or the core has the account itself.
    await moves.makeCopyDue(core, accountId);
  }
  const run = { accountId, id: crypto.randomUUID(), ...watch };
  const arrival = await moves.beginRun(target, run);
  // Read after the run has begun: a run that comes late must not write to an account that has moved.
  if (!(await moves.isCopying(core, accountId))) return 0;
  if (arrival.is_complete === 0) {
    // A run that died during the stop must not prolong it. That run cannot complete the arrival any more.
    await resumeWrites(source, accountId, null);
    const copying = await prepareCopy(source, target, core, run);
    const until = Date.now() + RUN_MS;
    if (arrival.position === null && !(await deleteLeftRows(copying, core, until))) return 0;
    if (!(await copyWhileUsed(copying, arrival.position, until))) return 0;
    // Its links may be stopped by them. The database may have been added after they were made.
    if (target !== core) await copyTakedownsTo(env, target);
    await stopWrites(source, run);
    try {
      await copyRest(copying);
    } catch (error) {
      await resumeWrites(source, accountId, run.id);
      throw error;
    }
    // If this fails, it may have been stored. So the writes stay stopped until the next run.
    await moves.completeArrival(target, run);
  }
  await moves.placeAccount(core, { db: source, number: numberOfDatabase(env, source) }, number, run, now);
  log("info", "account_moved", { accountId, database: number });
  return 1;
}

/** Ends a move that an operator has taken back, or whose target has no binding. The account stays, and writes for it are accepted. */
async function keepAccount(env: Env, move: moves.Move, source: D1Database): Promise<number> {
  const { accountId } = move;
  const core = env.DB;
  const until = Date.now() + RUN_MS;
  log("warn", "account_not_moved", { accountId, database: move.target });
  await unwatchAccount(source, accountId);
  for (const target of databasesOf(env)) {
    if (target === source || !(await moves.hasArrival(target, accountId))) continue;
    const run = { accountId, id: crypto.randomUUID(), watch: crypto.randomUUID(), watchedTo: "0" };
    await moves.beginRun(target, run);
    if (!(await deleteLeftRows(await prepareCopy(source, target, core, run), core, until))) return 0;
    await moves.deleteCopy(target, accountId, target === core);
    await moves.deleteArrival(target, accountId);
  }
  if (source === core) await moves.deleteCopyNote(core, accountId);
  await moves.deleteMove(core, move);
  return 1;
}

/** Says in the directory where the account's slugs and domains are now. Until then the former database says it. */
async function moveEntries(
  { env, now }: ServiceContext,
  { accountId, target }: moves.Move,
  source: D1Database,
  sourceNumber: number,
): Promise<number> {
  const databases = directoriesOf(env);
  for (const kind of entries.KINDS_OF_KEYS) {
    if (kind === "anonymousAliases" && env.ANONYMOUS_HOST === "") continue;
    let position: string | null = null;
    do {
      const page: entries.KeyPage = await entries.readKeys({ env, db: source }, accountId, kind, position);
      for (const [number, keys] of Map.groupBy(page.keys, (key) => directoryNumber(databases, key)))
        await entries.moveEntries(databases.shards[number] as D1Database, keys, {
          source: sourceNumber,
          target,
          directoryNumber: number,
          now,
        });
      ({ position } = page);
    } while (position !== null);
  }
  // A viewer's page is looked for in one database after the other.
  for (const table of SMALL_TABLES)
    if (table.name === "shared_pages") while ((await deleteFormer(source, table, accountId)) > 0);
  await moves.setState(env.DB, accountId, "keeping", now);
  return 1;
}

/** Deletes what the account has in its former database, once no cache and no request uses it any more. */
async function deleteFormerRows({ env, now }: ServiceContext, move: moves.Move, source: D1Database): Promise<number> {
  const { accountId, target, changedAt } = move;
  if (now - changedAt < FORMER_ROWS_KEPT_MS) return 0;
  const until = Date.now() + RUN_MS;
  for (const table of deletionOrder(copiedTables(source, env.DB)))
    while ((await deleteFormer(source, table, accountId)) > 0) if (Date.now() >= until) return 0;
  await unwatchAccount(source, accountId);
  await moves.deleteCopy(source, accountId, source === env.DB);
  await moves.deleteArrival(databasesOf(env)[target] as D1Database, accountId);
  await moves.deleteMove(env.DB, move);
  return 1;
}
