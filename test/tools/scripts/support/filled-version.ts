import type { DatabaseSync } from "node:sqlite";
import { databaseAt } from "./versions.ts";

/** Rows of each table. */
const ROWS = 3;

/**
 * Values that no rule below finds: a shared page is of a link or of a tag, a webhook with a slot is a listener, and a link that is deleted
 * has left the table `links`.
 */
const EXCEPTIONS: Record<string, (row: number) => Record<string, Value>> = {
  shared_pages: () => ({ link_seq: null, link_id: null }),
  webhooks: () => ({ listener_slot: null }),
  deleted_links: (row) => ({ seq: 100 + row, link: `{"domain":"","slug":"deleted-${row}"}` }),
};

interface Column {
  name: string;
  type: string;
  isRequired: 0 | 1;
  /** The table that it refers to, and the column there. */
  parent: string | null;
  parentKey: string | null;
}

type Value = string | number | null;

/** Returns the INSERTs that fill each table of a version, in an order in which they can be run. */
export function fillStatements(version: number): string[] {
  const database = databaseAt(version);
  const statements: string[] = [];
  for (const table of inOrder(database)) {
    const { sql } = database.prepare("SELECT sql FROM sqlite_schema WHERE name = ?").get(table) as { sql: string };
    for (let row = 1; row <= ROWS; row++) {
      const values = columnsOf(database, table).map((column) => valueOf(database, column, sql, row));
      const given = { ...Object.fromEntries(values), ...EXCEPTIONS[table]?.(row) };
      const names = Object.keys(given).join(", ");
      const literals = Object.values(given)
        .map((value) => (typeof value === "string" ? `'${value}'` : String(value)))
        .join(", ");
      // Triggers have filled some tables.
      const statement = `INSERT OR IGNORE INTO ${table} (${names}) VALUES (${literals})`;
      database.exec(statement);
      statements.push(statement);
    }
  }
  return statements;
}

/** Each table after those that its rows need. */
function inOrder(database: DatabaseSync): string[] {
  const left = new Set(tablesOf(database));
  const ordered: string[] = [];
  const needs = (table: string) =>
    columnsOf(database, table).flatMap(({ parent, isRequired }) => (parent !== null && isRequired ? [parent] : []));
  while (left.size > 0) {
    const next = [...left].find((table) => !needs(table).some((parent) => left.has(parent)));
    if (next === undefined) throw new Error(`Tables need each other: ${[...left].join(", ")}`);
    left.delete(next);
    ordered.push(next);
  }
  return ordered;
}

/** Tables with rows of their own: not the search index and its parts, which triggers fill, nor the version. */
export function tablesOf(database: DatabaseSync): string[] {
  const rows = database
    .prepare(
      `SELECT name FROM pragma_table_list WHERE type = 'table' AND schema = 'main'
       AND name NOT LIKE 'sqlite_%' AND name <> 'schema_migrations' ORDER BY name`,
    )
    .all();
  return rows.map(({ name }) => String(name));
}

/** The columns that have no default. */
function columnsOf(database: DatabaseSync, table: string): Column[] {
  const rows = database
    .prepare(
      `SELECT c.name, c.type, c."notnull" OR c.pk > 0 AS isRequired, f."table" AS parent,
         coalesce(f."to", (SELECT name FROM pragma_table_info(f."table") WHERE pk = 1)) AS parentKey
       FROM pragma_table_info(?1) c LEFT JOIN pragma_foreign_key_list(?1) f ON f."from" = c.name
       WHERE c.dflt_value IS NULL ORDER BY c.cid`,
    )
    .all(table);
  return rows as unknown as Column[];
}

/** A value that the definition of the table permits. The definition says which texts are JSON. */
function valueOf(
  database: DatabaseSync,
  { name, type, parent, parentKey }: Column,
  sql: string,
  row: number,
): [name: string, value: Value] {
  if (parent !== null) {
    const found = database.prepare(`SELECT ${parentKey} AS key FROM ${parent} LIMIT 1 OFFSET ${row - 1}`).get();
    return [name, (found?.["key"] ?? null) as Value];
  }
  const allowed = new RegExp(`\\b${name} IN\\s*\\(([^)]*)\\)`).exec(sql)?.[1]?.split(/,\s*/);
  if (allowed !== undefined) return [name, allowed[(row - 1) % allowed.length]?.replaceAll("'", "") ?? null];
  const definition = new RegExp(`^ {2}${name} .*`, "m").exec(sql)?.[0] ?? "";
  if (definition.includes("CHECK (id = 1)")) return [name, 1];
  if (definition.includes("JSON array")) return [name, "[]"];
  if (definition.includes("JSON object")) return [name, "{}"];
  // The search index reads the last hexadecimal digits of the creator of a link.
  return [name, type === "INTEGER" ? row : `${name}-00000000${row}`];
}
