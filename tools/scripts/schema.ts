import { DatabaseSync } from "node:sqlite";

/** A table, index, view or trigger. */
export interface SchemaObject {
  name: string;
  /** The statement that made it, as the database stores it. */
  sql: string;
}

/**
 * Lists the {@link SchemaObject}s of a database without those that SQLite, D1 and FTS5 make for themselves. Only FTS5
 * quotes the names of its tables in this way. `pragma_table_list` would be simpler, but D1 may refuse it.
 */
export const LIST_OBJECTS = `SELECT name, sql FROM sqlite_schema
  WHERE sql NOT GLOB 'CREATE TABLE ''*' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*'`;

/** Returns the objects of a new database after these scripts, each run in a transaction as D1 does it. */
export function schemaAfter(scripts: readonly string[]): SchemaObject[] {
  const database = new DatabaseSync(":memory:");
  for (const script of scripts) database.exec(`BEGIN;\n${script}\nCOMMIT;`);
  return database.prepare(LIST_OBJECTS).all() as unknown as SchemaObject[];
}

/** Returns the names of the objects in `schema` that `other` lacks or has in another form. */
export function missingFrom(schema: readonly SchemaObject[], other: readonly SchemaObject[]): string[] {
  const known = new Set(other.map(({ sql }) => normalize(sql)));
  return schema.filter(({ sql }) => !known.has(normalize(sql))).map(({ name }) => name);
}

const TOKEN = /--.*|'(?:[^']|'')*'|"(?:[^"]|"")*"|\w+|\S/g;

/** Removes comments, white space and needless quotes, because ALTER TABLE stores them differently from CREATE TABLE. */
export function normalize(statement: string): string {
  const tokens = (statement.match(TOKEN) ?? []).filter((token) => !token.startsWith("--"));
  return tokens.map((token) => token.replace(/^"(\w+)"$/, "$1")).join(" ");
}
