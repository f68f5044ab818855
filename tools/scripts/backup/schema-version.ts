import { Failure } from "../command.ts";
import type { Schema } from "../migrations.ts";
import type { Database } from "./installation.ts";

/** Throws unless the database has the version of the tables that this code knows. */
export async function checkSchemaVersion(database: Database, { version }: Schema): Promise<void> {
  const found = await findVersion(database);
  if (found === version) return;
  const problem = found === null ? "has no tables" : `has version ${found} of the schema`;
  throw new Failure(
    `The database ${problem}, and this code knows version ${version}.\n` +
      "Use the code that the service was deployed with, or update the database: npm run deploy (on this machine: npm start).",
  );
}

async function findVersion(database: Database): Promise<number | null> {
  const [[table] = []] = await database.database([
    { sql: "SELECT name FROM sqlite_schema WHERE name = 'schema_migrations'", values: [] },
  ]);
  if (table === undefined) return null;
  const [[row] = []] = await database.database([
    { sql: "SELECT max(version) AS version FROM schema_migrations", values: [] },
  ]);
  return Number(row?.["version"]);
}
