import type { RowsLine } from "./file.ts";
import { childrenOf } from "./read-tables.ts";
import type { Table, UniqueIndex } from "./tables.ts";
import type { Statement } from "./worker.ts";
import { BACKUP_PAGE_CHARS } from "../../../src/click-log/limits.ts";

/**
 * Returns the statements that store a line. Lines may contradict each other, because they were read at different times:
 * the later line wins. So a row replaces the row with the same key, and deletes other rows with the same unique values:
 * those rows were changed or deleted before this line was read. If they were changed, a later line has them again.
 */
export function storeLine(line: RowsLine, tables: readonly Table[]): Statement[] {
  const table = findTable(line.table, tables);
  return [
    ...chunksOf(line.rows).flatMap((rows) => storeRows(table, line, rows, tables)),
    ...(line.children ?? []).flatMap((child) => storeLine(child, tables)),
  ];
}

function storeRows(table: Table, line: RowsLine, rows: string, tables: readonly Table[]): Statement[] {
  const newRows = selectNewRows(line.columns);
  const comparable = withComputed(table, line.columns, newRows);
  const known = new Set([...line.columns, ...table.computed.map(({ name }) => name)]);
  const newKeys = `SELECT ${table.key.join(", ")} FROM (${newRows})`;
  // A column that the backup lacks is NULL in the new rows, which conflicts with nothing.
  const indexes = table.uniqueIndexes.filter(({ columns }) => columns.every((name) => known.has(name)));
  const statements = indexes.flatMap((index) =>
    deleteRows(table, tables, selectConflicts(table, index, comparable), rows),
  );
  if (table.movesTo !== null) statements.push(...deleteRows(findTable(table.movesTo, tables), tables, newKeys, rows));
  if (line.children !== undefined) statements.push(...deleteChildren(table, tables, newKeys, rows));
  statements.push({ sql: upsert(table, line.columns, newRows), values: [rows] });
  return [...statements, ...(AFTERWARDS[table.name] ?? [])];
}

/** The keys of stored rows that have the unique values of a new row with another key. */
function selectConflicts({ name, key }: Table, { columns, condition }: UniqueIndex, newRows: string): string {
  const where = condition === null ? "" : `WHERE ${condition}`;
  const isSame = (column: string) => `old.${column} = new.${column}`;
  return `SELECT ${key.map((column) => `old.${column}`).join(", ")}
    FROM (SELECT * FROM (${newRows}) ${where}) AS new
    CROSS JOIN (SELECT * FROM ${name} ${where}) AS old ON ${columns.map(isSame).join(" AND ")}
    WHERE NOT (${key.map(isSame).join(" AND ")})`;
}

function findTable(name: string, tables: readonly Table[]): Table {
  const table = tables.find((table) => table.name === name);
  if (table === undefined) throw new Error(`The backup has a table that this version does not know: ${name}`);
  return table;
}

/** The rows as JSON arrays that fit into a bound value. */
function chunksOf(rows: readonly string[]): string[] {
  const chunks: string[][] = [];
  let chars = Infinity;
  for (const row of rows) {
    if (chars + row.length > BACKUP_PAGE_CHARS) {
      chunks.push([]);
      chars = 0;
    }
    chunks.at(-1)?.push(row);
    chars += row.length + 1;
  }
  return chunks.map((chunk) => `[${chunk.join(",")}]`);
}

/** The rows in the bound value ?1, with the names of their columns. */
function selectNewRows(columns: readonly string[]): string {
  return `SELECT ${columns.map((column, n) => `value ->> ${n} AS ${column}`).join(", ")} FROM json_each(?1)`;
}

/** The new rows with the columns that the database will compute. */
function withComputed({ columns, computed }: Table, given: readonly string[], newRows: string): string {
  const missing = columns.filter((column) => !given.includes(column)).map((column) => `, NULL AS ${column}`);
  const added = computed.map(({ name, sql }) => `, ${sql} AS ${name}`);
  return `SELECT *${added.join("")} FROM (SELECT *${missing.join("")} FROM (${newRows}))`;
}

function upsert({ name, key, columns }: Table, given: readonly string[], newRows: string): string {
  const unknown = given.filter((column) => !columns.includes(column));
  if (unknown.length > 0)
    throw new Error(`The backup has columns of ${name} that this version does not know: ${unknown.join()}`);
  const changes = given.filter((column) => !key.includes(column)).map((column) => `${column} = excluded.${column}`);
  const action = changes.length === 0 ? "NOTHING" : `UPDATE SET ${changes.join(", ")}`;
  return `INSERT INTO ${name} (${given.join(", ")}) SELECT * FROM (${newRows}) WHERE true
    ON CONFLICT (${key.join(", ")}) DO ${action}`;
}

/** Deletes the rows with the selected keys, after the rows that refer to them. */
function deleteRows(table: Table, tables: readonly Table[], keys: string, rows: string): Statement[] {
  return [
    ...deleteChildren(table, tables, keys, rows),
    { sql: `DELETE FROM ${table.name} WHERE (${table.key.join(", ")}) IN (${keys})`, values: [rows] },
  ];
}

function deleteChildren(table: Table, tables: readonly Table[], keys: string, rows: string): Statement[] {
  return childrenOf(table, tables).map((child) => {
    const { column } = child.references.find((reference) => reference.table === table.name) as { column: string };
    return { sql: `DELETE FROM ${child.name} WHERE ${column} IN (${keys})`, values: [rows] };
  });
}

/** Restored webhooks send nothing until they are released. In the transaction that stores them, so none ever is active. */
const HOLD_WEBHOOKS: Statement = {
  sql: "UPDATE webhooks SET status = 'inactive', disabled_reason = 'restored' WHERE status = 'active'",
  values: [],
};

/** Listeners are rows of the same table, and are not restored. A client that polls one creates another. */
const DELETE_LISTENERS: Statement = { sql: "DELETE FROM webhooks WHERE listener_slot IS NOT NULL", values: [] };

/** The former installation has told owners of takedowns. */
const END_TAKEDOWN_MAILS: Statement = {
  sql: "UPDATE takedown_accounts SET due_at = NULL WHERE due_at IS NOT NULL",
  values: [],
};

/** What follows the rows of a table. */
const AFTERWARDS: Readonly<Record<string, readonly Statement[]>> = {
  webhooks: [HOLD_WEBHOOKS, DELETE_LISTENERS],
  takedown_accounts: [END_TAKEDOWN_MAILS],
};

/** Makes the held webhooks active, and returns their ids. Those that were inactive before the backup stay so. */
export const RELEASE_WEBHOOKS = `UPDATE webhooks
  SET status = 'active', disabled_reason = NULL, disabled_at = NULL, failure_count = 0, strikes = 0,
    in_flight_limit = 1, resume_at = NULL
  WHERE disabled_reason = 'restored' RETURNING id`;
