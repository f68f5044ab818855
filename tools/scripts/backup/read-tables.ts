import { BACKUP_PAGE_ROWS, BACKUP_SEARCHED_ROWS, MAX_SQL_FUNCTION_ARGUMENTS } from "../limits.ts";
import type { RowsLine } from "./file.ts";
import type { Database } from "./installation.ts";
import { KeySet } from "./key-set.ts";
import type { Table } from "./tables.ts";
import type { Statement } from "./worker.ts";
import { BACKUP_PAGE_CHARS, MAX_CLOCK_SKEW_MS } from "../../../src/click-log/limits.ts";

/**
 * A row as JSON arrays. They are made and read by SQLite and pass through this process as text, because JavaScript
 * numbers cannot hold all digits of a link's `seq`.
 */
type Row = {
  key: string;
  /** A JSON array with the keys that the row refers to, in the order of {@link Table.references}. */
  parents: string;
  row: string;
};

/** The primary keys that are in the backup, by table. */
export type Keys = Map<string, KeySet>;

/** What is read of a database. */
interface Source {
  database: Database;
  tables: readonly Table[];
  /** Those that were read so far. */
  keys: Keys;
}

/** Reads the tables, and again what changed meanwhile. Returns the keys that are in the backup. */
export async function* readDatabase(
  database: Database,
  tables: readonly Table[],
  startedAt: number,
): AsyncGenerator<RowsLine, Keys> {
  const source = { database, tables, keys: new Map<string, KeySet>() };
  yield* readTables(source);
  yield* readChanges(source, startedAt);
  return source.keys;
}

/**
 * Reads all tables, while the service changes them. Parents are read before their children, and a child whose parent was
 * not there yet is left out, so no row lacks its parent. Rows with `updated_at`, such as links, are read with all of
 * their children in one transaction, so each is as it was at one moment.
 */
async function* readTables(source: Source): AsyncGenerator<RowsLine> {
  const { tables, keys } = source;
  for (const { name } of tables) keys.set(name, new KeySet());
  const owners = tables.filter(({ hasUpdatedAt }) => hasUpdatedAt);
  const owned = new Set(owners.flatMap((owner) => childrenOf(owner, tables)));
  for (const table of tables.filter((table) => !owned.has(table))) {
    const children = owners.includes(table) ? childrenOf(table, tables) : [];
    for await (const page of pagesOf(source.database, table, children, { after: null, end: null, filter: [] }))
      yield* lineOf(page, source);
  }
}

/**
 * Reads rows with `updated_at` again that changed since `startedAt`, so that a slug that moved from one link to another is at the
 * second one, and none is lost.
 */
async function* readChanges(source: Source, startedAt: number): AsyncGenerator<RowsLine> {
  const { database, tables } = source;
  for (const table of tables.filter(({ hasUpdatedAt }) => hasUpdatedAt)) {
    for await (const page of changedPagesOf(database, table, childrenOf(table, tables), startedAt - MAX_CLOCK_SKEW_MS))
      yield* lineOf(page, source);
  }
}

/** The tables that refer to this one. */
export function childrenOf({ name }: Table, tables: readonly Table[]): Table[] {
  return tables.filter(({ references }) => references.some(({ table }) => table === name));
}

interface Page {
  table: Table;
  rows: Row[];
  children: { table: Table; rows: Row[] }[];
}

/** The rows after one key and up to another that meet the conditions. */
interface Range {
  after: string | null;
  end: string | null;
  filter: Statement[];
}

/** Reads the rows of a range, each page with its children in one transaction. */
async function* pagesOf(
  database: Database,
  table: Table,
  children: readonly Table[],
  { after: start, end, filter }: Range,
): AsyncGenerator<Page> {
  for (let after = start; ;) {
    const page = selectPage(table, [...between(table, after, end), ...filter]);
    const [rows = [], ...related] = (await database.database([
      page,
      ...children.map((child) => selectChildren(child, table, page)),
    ])) as Row[][];
    const last = rows.at(-1);
    if (last === undefined) return;
    yield { table, rows, children: children.map((table, n) => ({ table, rows: related[n] ?? [] })) };
    after = last.key;
  }
}

/** Reads the rows with `updated_at` from `since` on. The search is divided, because a statement has a time limit. */
async function* changedPagesOf(
  database: Database,
  table: Table,
  children: readonly Table[],
  since: number,
): AsyncGenerator<Page> {
  const filter: Statement[] = [{ sql: "updated_at >= ?", values: [since] }];
  for (let after: string | null = null; ;) {
    const { sql, values } = select(table, between(table, after, null));
    const [[last] = []] = (await database.database([
      { sql: `${sql} LIMIT 1 OFFSET ${BACKUP_SEARCHED_ROWS}`, values },
    ])) as [Row[]?];
    const end: string | null = last?.key ?? null;
    yield* pagesOf(database, table, children, { after, end, filter });
    if (end === null) return;
    after = end;
  }
}

function select(table: Table, conditions: Statement[]): Statement {
  return {
    sql: `SELECT ${rowExpressions(table)} FROM ${table.name}
      WHERE ${["true", ...conditions.map(({ sql }) => sql)].join(" AND ")} ORDER BY ${table.key.join(", ")}`,
    values: conditions.flatMap(({ values }) => values),
  };
}

/** The first rows, but only so many that they fit into one answer. */
function selectPage(table: Table, conditions: Statement[]): Statement {
  const { sql, values } = select(table, conditions);
  const before = "OVER (ROWS UNBOUNDED PRECEDING)";
  return {
    sql: `SELECT key, parents, row FROM (
        SELECT *, row_number() ${before} AS n, sum(length(row)) ${before} AS chars
        FROM (${sql} LIMIT ${BACKUP_PAGE_ROWS}))
      WHERE n = 1 OR chars <= ${BACKUP_PAGE_CHARS}`,
    values,
  };
}

/** All rows of `child` that refer to rows of the page. */
function selectChildren(child: Table, { name }: Table, page: Statement): Statement {
  const reference = child.references.find(({ table }) => table === name);
  return {
    sql: `SELECT ${rowExpressions(child)} FROM ${child.name}
      WHERE ${reference?.column} IN (SELECT key ->> 0 FROM (${page.sql}))`,
    values: page.values,
  };
}

function between(table: Table, after: string | null, end: string | null): Statement[] {
  return [
    ...(after === null ? [] : [compare(table, ">", after)]),
    ...(end === null ? [] : [compare(table, "<=", end)]),
  ];
}

function compare({ key }: Table, operator: string, value: string): Statement {
  const values = key.map((_, n) => `? ->> ${n}`);
  return { sql: `(${key.join(", ")}) ${operator} (${values.join(", ")})`, values: key.map(() => value) };
}

function rowExpressions({ key, references, columns }: Table): string {
  // As text, for the same reason.
  const parents = references.map(({ column }) => `json_array(${column}) || ''`).join(", ");
  return `json_array(${key.join(", ")}) AS key, json_array(${parents}) AS parents, ${jsonOf(columns)} AS row`;
}

/** One JSON array of the columns. */
function jsonOf(columns: readonly string[]): string {
  const groups = [];
  for (let first = 0; first < columns.length; first += MAX_SQL_FUNCTION_ARGUMENTS)
    groups.push(`json_array(${columns.slice(first, first + MAX_SQL_FUNCTION_ARGUMENTS).join(", ")})`);
  const items = groups.map((array) => `substr(${array}, 2, length(${array}) - 2)`);
  return groups.length === 1 ? `${groups[0]}` : `'[' || ${items.join(" || ',' || ")} || ']'`;
}

/** The line for the rows whose parents are in the backup; none if there are no rows. */
function* lineOf({ table, rows, children }: Page, source: Source): Generator<RowsLine> {
  const kept = rowsOf(table, rows, source);
  if (kept.rows.length === 0) return;
  yield children.length === 0
    ? kept
    : { ...kept, children: children.map(({ table, rows }) => rowsOf(table, rows, source)) };
}

function rowsOf(table: Table, rows: readonly Row[], { keys }: Source): RowsLine {
  const kept = rows.filter((row) => hasParents(table, row, keys));
  for (const { key } of kept) keys.get(table.name)?.add(key);
  return { table: table.name, columns: table.columns, rows: kept.map(({ row }) => row) };
}

function hasParents({ references }: Table, { parents }: Row, keys: Keys): boolean {
  const refersTo = JSON.parse(parents) as string[];
  return references.every(
    ({ table }, n) => refersTo[n] === "[null]" || keys.get(table)?.has(refersTo[n] ?? "") === true,
  );
}
