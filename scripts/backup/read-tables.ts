import {
  BACKUP_CHANGED_PAGE_ROWS,
  BACKUP_PAGE_CHARS,
  BACKUP_PAGE_ROWS,
  BACKUP_SEARCHED_ROWS,
  MAX_CLOCK_SKEW_MS,
} from "../../src/limits.ts";
import type { RowsLine } from "./file.ts";
import type { Installation } from "./installation.ts";
import { KeySet } from "./key-set.ts";
import type { Table } from "./tables.ts";
import type { Statement } from "./worker.ts";

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

/**
 * Reads all tables, while the service changes them. Parents are read before their children, and a child whose parent was
 * not there yet is left out, so no row lacks its parent. At the end, rows that changed since `startedAt` are read again,
 * each with all of its children in one transaction: what belongs to a link is as it was at one moment.
 */
export async function* readTables(
  installation: Installation,
  tables: readonly Table[],
  startedAt: number,
  keys: Keys,
): AsyncGenerator<RowsLine> {
  for (const { name } of tables) keys.set(name, new KeySet());
  for (const table of tables) {
    for await (const rows of pagesOf(installation, table)) yield* lineOf(table, rows, keys);
  }
  for (const table of tables.filter(({ hasUpdatedAt }) => hasUpdatedAt)) {
    yield* readChanges(installation, table, childrenOf(table, tables), startedAt - MAX_CLOCK_SKEW_MS, keys);
  }
}

/** The tables that refer to this one. */
export function childrenOf({ name }: Table, tables: readonly Table[]): Table[] {
  return tables.filter(({ references }) => references.some(({ table }) => table === name));
}

async function* pagesOf(installation: Installation, table: Table): AsyncGenerator<Row[]> {
  let after: string | null = null;
  for (;;) {
    // All rows of a page in one statement: the texts are cut where they become too long for one answer.
    const { sql, values } = selectRows(table, after === null ? [] : [isAfter(table, after)], BACKUP_PAGE_ROWS);
    const [rows = []] = (await installation.database([
      {
        sql: `SELECT key, parents, row FROM (
            SELECT *, row_number() OVER (ROWS UNBOUNDED PRECEDING) AS n, sum(length(row)) OVER (ROWS UNBOUNDED PRECEDING) AS chars
            FROM (${sql}))
          WHERE n = 1 OR chars <= ${BACKUP_PAGE_CHARS}`,
        values,
      },
    ])) as [Row[]?];
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = last.key;
  }
}

/** Reads the rows with `updated_at` from `since` on again. The search is divided, because a statement has a time limit. */
async function* readChanges(
  installation: Installation,
  table: Table,
  children: Table[],
  since: number,
  keys: Keys,
): AsyncGenerator<RowsLine> {
  let after: string | null = null;
  let end: string | null = null;
  do {
    const start: Statement[] = after === null ? [] : [isAfter(table, after)];
    const [[last] = []] = (await installation.database([
      withLimit(selectRows(table, start, 1), `OFFSET ${BACKUP_SEARCHED_ROWS}`),
    ])) as [Row[]?];
    end = last?.key ?? null;
    for (;;) {
      const range: Statement[] = [
        ...(after === null ? [] : [isAfter(table, after)]),
        ...(end === null ? [] : [compare(table, "<=", end)]),
        { sql: "updated_at >= ?", values: [since] },
      ];
      const page = selectRows(table, range, BACKUP_CHANGED_PAGE_ROWS);
      const [rows = [], ...related] = (await installation.database([
        page,
        ...children.map((child) => selectChildren(child, table, range)),
      ])) as Row[][];
      yield* lineOf(
        table,
        rows,
        keys,
        children.map((child, n) => ({ table: child, rows: related[n] ?? [] })),
      );
      if (rows.length < BACKUP_CHANGED_PAGE_ROWS) break;
      after = (rows.at(-1) as Row).key;
    }
    after = end;
  } while (end !== null);
}

function withLimit({ sql, values }: Statement, clause: string): Statement {
  return { sql: `${sql} ${clause}`, values };
}

function selectRows(table: Table, conditions: Statement[], limit: number): Statement {
  return {
    sql: `SELECT ${rowExpressions(table)} FROM ${table.name}
      WHERE ${["true", ...conditions.map(({ sql }) => sql)].join(" AND ")}
      ORDER BY ${table.key.join(", ")} LIMIT ${limit}`,
    values: conditions.flatMap(({ values }) => values),
  };
}

/** All rows of `child` that refer to the same page of `table`. */
function selectChildren(child: Table, table: Table, conditions: Statement[]): Statement {
  const reference = child.references.find((reference) => reference.table === table.name);
  const page = `SELECT ${table.key.join(", ")} FROM ${table.name}
    WHERE ${conditions.map(({ sql }) => sql).join(" AND ")} ORDER BY ${table.key.join(", ")} LIMIT ${BACKUP_CHANGED_PAGE_ROWS}`;
  return {
    sql: `SELECT ${rowExpressions(child)} FROM ${child.name} WHERE ${reference?.column} IN (${page})`,
    values: conditions.flatMap(({ values }) => values),
  };
}

function rowExpressions({ key, references, columns }: Table): string {
  // As text, for the same reason.
  const parents = references.map(({ column }) => `json_array(${column}) || ''`).join(", ");
  return `json_array(${key.join(", ")}) AS key, json_array(${parents}) AS parents, json_array(${columns.join(", ")}) AS row`;
}

function isAfter(table: Table, key: string): Statement {
  return compare(table, ">", key);
}

function compare({ key }: Table, operator: string, value: string): Statement {
  const values = key.map((_, n) => `? ->> ${n}`);
  return { sql: `(${key.join(", ")}) ${operator} (${values.join(", ")})`, values: key.map(() => value) };
}

/** The line for the rows whose parents are in the backup; none if there are no rows. */
function* lineOf(
  table: Table,
  rows: Row[],
  keys: Keys,
  children?: { table: Table; rows: Row[] }[],
): Generator<RowsLine> {
  const kept = rows.filter((row) => hasParents(table, row, keys));
  if (kept.length === 0) return;
  for (const { key } of kept) keys.get(table.name)?.add(key);
  const line: RowsLine = { table: table.name, columns: table.columns, rows: kept.map(({ row }) => row) };
  if (children === undefined) yield line;
  else {
    yield {
      ...line,
      children: children.map(({ table, rows }) => ({
        table: table.name,
        columns: table.columns,
        rows: rows.filter((row) => hasParents(table, row, keys)).map(({ row }) => row),
      })),
    };
  }
}

function hasParents({ references }: Table, { parents }: Row, keys: Keys): boolean {
  const refersTo = JSON.parse(parents) as string[];
  return references.every(
    ({ table }, n) => refersTo[n] === "[null]" || keys.get(table)?.has(refersTo[n] ?? "") === true,
  );
}
