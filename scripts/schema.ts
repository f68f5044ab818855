import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./wrangler.ts";

export const SCHEMA_FILE = join(ROOT, "schema.sql");

export function readSchema(): string {
  return readFileSync(SCHEMA_FILE, "utf8");
}

/** Asks a database for {@link missingFrom}'s second argument. */
export const LIST_OBJECTS = "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL";

const STATEMENT = /^(?=(?:CREATE|DROP|ALTER|INSERT|UPDATE|DELETE|PRAGMA)\b)/m;

/**
 * The tables, indexes, views and triggers of the schema that a database lacks or has in another form:
 * `CREATE … IF NOT EXISTS` leaves an older form as it is. `existing` holds the statements the database
 * keeps in its sqlite_master.
 */
export function missingFrom(schema: string, existing: readonly string[]): string[] {
  const known = new Set(existing.map(normalise));
  return withoutComments(schema)
    .split(STATEMENT)
    .map(normalise)
    .filter((statement) => statement.startsWith("CREATE ") && !known.has(statement));
}

/** SQLite keeps a statement as it was written, but for these differences. */
function normalise(statement: string): string {
  return withoutComments(statement).replaceAll(/\s+/g, " ").replace(" IF NOT EXISTS ", " ").replace(/;? ?$/, "").trim();
}

function withoutComments(sql: string): string {
  return sql.replaceAll(/--.*$/gm, "");
}
