import { Batch } from "../database/batch.ts";
import { MAX_CATCH_UP_ROUNDS, ROWS_PER_PAGE } from "./limits.ts";
import * as deletions from "./store/delete.ts";
import * as moves from "./store/moves.ts";
import * as rows from "./store/rows.ts";
import { COPIED_TABLES, SMALL_TABLES, STAYS_IN_CORE, type MovedTable } from "./store/tables.ts";

/** The two databases of a move, in one of its runs. */
export interface Copying {
  source: D1Database;
  target: D1Database;
  columns: rows.Columns;
  tables: readonly MovedTable[];
  run: rows.Run;
}

/** The tables that are copied in pages. */
export function copiedTables(source: D1Database, core: D1Database): readonly MovedTable[] {
  return source === core ? COPIED_TABLES.filter(({ name }) => name !== STAYS_IN_CORE) : COPIED_TABLES;
}

/** Prepares the copying of an account's rows. */
export async function prepareCopy(
  source: D1Database,
  target: D1Database,
  core: D1Database,
  run: rows.Run,
): Promise<Copying> {
  const tables = copiedTables(source, core);
  const names = [...tables, ...SMALL_TABLES].flatMap(({ name, companions = [] }) =>
    [name].concat(companions.map((each) => each.name)),
  );
  return { source, target, columns: await rows.readColumns(source, [...new Set(names)]), tables, run };
}

/** Deletes what an earlier attempt to move the account has left in the target. Returns false if the time is over. */
export async function deleteLeftRows(
  { source, target, tables, run }: Copying,
  core: D1Database,
  until: number,
): Promise<boolean> {
  // In the core these are not of an earlier attempt.
  const left = target === core ? tables.filter(({ name }) => name !== STAYS_IN_CORE) : tables;
  const webhooks = await deletions.readWebhookIds(source, run.accountId);
  for (const table of deletionOrder(left))
    while ((await deletions.deleteLeft(target, table, run, webhooks)) > 0) if (Date.now() >= until) return false;
  return true;
}

/** The tables in an order in which their rows can be deleted: webhooks last, because they say whose the others are. */
export function deletionOrder(copied: readonly MovedTable[]): MovedTable[] {
  const [webhooks, ...small] = SMALL_TABLES;
  return [...small.toReversed(), ...copied, ...(webhooks ? [webhooks] : [])];
}

/** Where a run goes on. */
interface Position {
  /** The index of the table. */
  table: number;
  /** JSON array, of the last row that is copied. */
  after: string | null;
}

/**
 * Copies the rows of the account, which is used meanwhile, from the position on, and then what was changed. Returns whether so little is
 * left that the writes can be stopped; if not, the time was over.
 */
export async function copyWhileUsed(copying: Copying, arrived: string | null, until: number): Promise<boolean> {
  const { source, columns, tables, run } = copying;
  let position: Position = arrived === null ? { table: 0, after: null } : (JSON.parse(arrived) as Position);
  for (;;) {
    const table = tables[position.table];
    if (table === undefined) break;
    if (Date.now() >= until) return false;
    const page = await rows.readPage(source, columns, table, run.accountId, position.after);
    position =
      page.position === null
        ? { table: position.table + 1, after: null }
        : { table: position.table, after: page.position };
    await write(copying, [{ table, keys: page.keys, found: page.rows }], JSON.stringify(position));
  }
  for (let round = 1; round <= MAX_CATCH_UP_ROUNDS; round++) if ((await catchUp(copying)) < ROWS_PER_PAGE) return true;
  return false;
}

/** Copies all that was changed and everything else. The writes for the account must be stopped. */
export async function copyRest(copying: Copying): Promise<void> {
  while ((await catchUp(copying)) > 0);
  const { source, target, columns, run } = copying;
  const usage = await moves.readUsage(source, run.accountId);
  const first = new Batch(target);
  for (const table of SMALL_TABLES.toReversed()) rows.deleteOwn(first, table, run);
  if (usage !== null) moves.writeUsage(first, usage, run);
  await moves.commitPage(first, run, endOf(copying));
  for (const table of SMALL_TABLES) {
    let position: string | null = null;
    do {
      const page: rows.Page = await rows.readPage(source, columns, table, run.accountId, position);
      await write(copying, [{ table, keys: [], found: page.rows }], endOf(copying));
      ({ position } = page);
    } while (position !== null);
  }
  const last = new Batch(target);
  deletions.markLogsOfDeleted(last, run);
  await moves.commitPage(last, run, endOf(copying));
}

/** The position behind the last table. */
function endOf({ tables }: Copying): string {
  return JSON.stringify({ table: tables.length, after: null } satisfies Position);
}

/** Copies up to a page of the rows that were changed, those first whose change was noted first. Returns the number of changes. */
async function catchUp(copying: Copying): Promise<number> {
  const { source, columns, tables, run } = copying;
  const changes = await moves.readChanges(source, run.accountId, ROWS_PER_PAGE);
  const last = changes.at(-1);
  if (last === undefined) return 0;
  const pieces: Piece[] = [];
  for (const table of tables) {
    const keys = [...new Set(changes.filter(({ name }) => name === table.name).map(({ key }) => key))];
    if (keys.length > 0) pieces.push({ table, keys, found: await rows.readRows(source, columns, table, keys) });
  }
  await write(copying, pieces, endOf(copying));
  await moves.deleteChanges(source, run.accountId, last.id);
  return changes.length;
}

/** Rows of a table. Of the keys without a row, the row was deleted. */
interface Piece {
  table: MovedTable;
  /** JSON arrays. */
  keys: readonly string[];
  found: readonly string[];
}

/** Writes the rows in one transaction, with what goes with them. */
async function write({ source, target, columns, run }: Copying, pieces: readonly Piece[], position: string) {
  const batch = new Batch(target);
  // First, because a link that was deleted or restored is a row of another table with the same key.
  for (const { table, keys } of pieces) if (keys.length > 0) rows.deleteKeys(batch, table, keys, run);
  for (const { table, keys, found } of pieces) {
    rows.writeRows(batch, columns, table, found, run);
    for (const companion of keys.length === 0 ? [] : (table.companions ?? [])) {
      const others = await rows.readCompanions(source, columns, companion, keys);
      rows.writeRows(batch, columns, companion, others, run);
    }
  }
  await moves.commitPage(batch, run, position);
}
