import { Failure } from "../command.ts";
import { readVersion, type Schema } from "../migrations.ts";
import type { Database } from "./installation.ts";

/** Throws unless the database has the version of the tables that this code knows, in the form that it knows. */
export async function checkSchemaVersion(installation: Database, schema: Schema): Promise<void> {
  const query = async (sql: string) => (await installation.database([{ sql, values: [] }])).flat();
  const found = await readVersion({ name: "The database", query }, schema);
  if (found === schema.version) return;
  const problem = found === 0 ? "has no tables" : `has version ${found} of the schema`;
  throw new Failure(
    `The database ${problem}, and this code knows version ${schema.version}.\n` +
      "Use the code that the service was deployed with, or update the database: npm run deploy (on this machine: npm start).",
  );
}
