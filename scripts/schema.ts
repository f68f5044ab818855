import { DatabaseSync } from "node:sqlite";

/** A table, index, view or trigger. */
export interface SchemaObject {
  name: string;
  /** The statement that made it, as the database keeps it. */
  sql: string;
}

/**
 * Asks a database for its {@link SchemaObject}s, without those that SQLite, D1 and FTS5 make for themselves. FTS5 quotes
 * the names of its tables in this way, which nobody else does; D1 may refuse to be asked by `pragma_table_list`.
 */
export const LIST_OBJECTS = `SELECT name, sql FROM sqlite_schema
  WHERE sql NOT GLOB 'CREATE TABLE ''*' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*'`;

/** What a database has after these scripts, each run in a transaction as D1 does it. */
export function schemaAfter(scripts: readonly string[]): SchemaObject[] {
  const database = new DatabaseSync(":memory:");
  for (const script of scripts) database.exec(`BEGIN;\n${script}\nCOMMIT;`);
  return database.prepare(LIST_OBJECTS).all() as unknown as SchemaObject[];
}

/** The names of what is in the one schema and not, or in another form, in the other. */
export function missingFrom(schema: readonly SchemaObject[], other: readonly SchemaObject[]): string[] {
  const known = new Set(other.map(({ sql }) => normalise(sql)));
  return schema.filter(({ sql }) => !known.has(normalise(sql))).map(({ name }) => name);
}

const TOKEN = /--.*|'(?:[^']|'')*'|"(?:[^"]|"")*"|\w+|\S/g;

/** The statement without comments, white space and needless quotes, in which ALTER TABLE and CREATE TABLE differ. */
function normalise(statement: string): string {
  const tokens = (statement.match(TOKEN) ?? []).filter((token) => !token.startsWith("--"));
  return tokens.map((token) => token.replace(/^"(\w+)"$/, "$1")).join(" ");
}
