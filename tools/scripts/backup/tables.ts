import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { Schema } from "../migrations.ts";

/**
 * Tables that are not in a backup. `schema_migrations` belongs to the schema, `waiting_clicks` to running senders, and
 * `installation` and `health_reports` to one installation. Persons sign in again, and
 * operators are named again. `tokens` and `mails` have links to the address of the former
 * installation. Connected apps with `oauth_tokens` are in a backup: like keys, they go on after a restore.
 * `link_claims` is of anonymous links, whose clicks are in no backup either. Destinations are visited and screened again after a restore.
 * Deliveries, the events of listeners and the responses of idempotency keys would repeat what the former installation has done already.
 * Triggers fill `aliases`, `tags` and `delivery_totals`. `account_usage` is in a backup because of the quotas; a restore counts the
 * links anew (count-usage.ts).
 */
const LEFT_OUT = new Set([
  "installation",
  "sessions",
  "operators",
  "tokens",
  "guesses",
  "mails",
  "link_claims",
  "destinations",
  "destination_cursor",
  "broken_destination_mails",
  "screening_notices",
  "aliases",
  "tags",
  "schema_migrations",
  "waiting_clicks",
  "deliveries",
  "event_bodies",
  "delivery_totals",
  "click_deliveries",
  "listener_events",
  "idempotency_keys",
  "idempotency_pieces",
  "health_reports",
]);

/** Tables that have rows in an installation that nobody has used yet. */
const FILLED_WHEN_NEW = new Set(["schema_migrations", "installation", "health_reports", "destination_cursor"]);

/** A row moves between these tables and keeps its primary key, so it is in one of them only. */
const MOVING: readonly [string, string][] = [["links", "deleted_links"]];

/** A column that refers to the primary key of another table. */
interface Reference {
  column: string;
  table: string;
}

export interface UniqueIndex {
  columns: string[];
  /** The SQL condition of a partial index; null: the index has all rows. */
  condition: string | null;
}

export interface Table {
  name: string;
  columns: string[];
  /** Columns that the database computes from others, and their SQL. They are not in a backup. */
  computed: { name: string; sql: string }[];
  /** The columns of the primary key. */
  key: string[];
  references: Reference[];
  /** Without the primary key. */
  uniqueIndexes: UniqueIndex[];
  /** Whether a change of a row increases its `updated_at`. */
  hasUpdatedAt: boolean;
  /** The table that its rows move to or come from. */
  movesTo: string | null;
}

/** Returns the tables of a backup, each after those that it refers to. They come from the schema, not from a list. */
export function tablesOf(schema: Schema): Table[] {
  const tables = describeTables(schema).filter(({ name }) => !LEFT_OUT.has(name));
  const ordered: Table[] = [];
  while (ordered.length < tables.length) {
    const next = tables.find(
      (table) =>
        !ordered.includes(table) && table.references.every(({ table }) => ordered.some((o) => o.name === table)),
    );
    if (next === undefined)
      throw new Error("Tables refer to each other in a circle, or to one that is not in backups.");
    ordered.push(next);
  }
  return ordered;
}

/** Returns the names of all tables that a new installation has empty. */
export function emptyTablesOf(schema: Schema): string[] {
  return describeTables(schema)
    .map(({ name }) => name)
    .filter((name) => !FILLED_WHEN_NEW.has(name));
}

function describeTables({ file }: Schema): Table[] {
  const database = new DatabaseSync(":memory:");
  database.exec(readFileSync(file, "utf8"));
  const query = <T>(sql: string, ...values: string[]) => database.prepare(sql).all(...values) as T[];
  // Not the search index, a virtual table, and its shadow tables: triggers fill it.
  const names = query<{ name: string }>(
    "SELECT name FROM pragma_table_list WHERE type = 'table' AND schema = 'main' AND name NOT LIKE 'sqlite_%' ORDER BY name",
  );
  return names.map(({ name }) => {
    const columns = query<{ name: string; pk: number }>("SELECT name, pk FROM pragma_table_info(?) ORDER BY cid", name);
    const key = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
    if (key.length === 0)
      throw new Error(`The table ${name} has no primary key. A backup reads tables by their primary key.`);
    return {
      name,
      columns: columns.map(({ name }) => name),
      computed: query<{ name: string; sql: string }>(
        `SELECT c.name, s.sql FROM pragma_table_xinfo(?1) AS c JOIN sqlite_schema AS s ON s.name = ?1 WHERE c.hidden = 2`,
        name,
      ).map((column) => ({ name: column.name, sql: expressionOf(column) })),
      key: key.map(({ name }) => name),
      references: query<Reference>(`SELECT "from" AS column, "table" FROM pragma_foreign_key_list(?)`, name),
      uniqueIndexes: query<{ name: string; sql: string | null }>(
        `SELECT i.name, s.sql FROM pragma_index_list(?) AS i JOIN sqlite_schema AS s ON s.name = i.name
         WHERE i."unique" = 1 AND i.origin <> 'pk'`,
        name,
      ).map((index) => ({
        columns: query<{ name: string }>("SELECT name FROM pragma_index_info(?) ORDER BY seqno", index.name).map(
          ({ name }) => name,
        ),
        condition: /\bWHERE\b([^]*)$/i.exec(index.sql ?? "")?.[1]?.trim() ?? null,
      })),
      hasUpdatedAt: columns.some(({ name }) => name === "updated_at"),
      movesTo: MOVING.flatMap(([a, b]) => (a === name ? [b] : b === name ? [a] : []))[0] ?? null,
    };
  });
}

/** The SQL of a computed column, from the definition of its table. It must be on one line. */
function expressionOf({ name, sql }: { name: string; sql: string }): string {
  const expression = new RegExp(`^\\s*${name} .*GENERATED ALWAYS AS (\\(.*\\)) VIRTUAL`, "m").exec(sql)?.[1];
  if (expression === undefined) throw new Error(`The SQL of the computed column ${name} was not found.`);
  return expression;
}
