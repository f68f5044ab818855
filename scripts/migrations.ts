import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Failure } from "./command.ts";
import { LIST_OBJECTS, missingFrom, schemaAfter, type SchemaObject } from "./schema.ts";
import { ROOT } from "./wrangler.ts";

const FOLDER = join(ROOT, "migrations");

/** A database that can be migrated, on this machine or at Cloudflare. */
export interface MigratedDatabase {
  /** As a sentence begins: "The database …". */
  name: string;
  query(sql: string): Promise<Record<string, unknown>[]>;
  /** Runs the statements of a file, all of them or none. */
  run(file: string): Promise<void>;
}

/** The files that lead from one version to the next: the first makes version 1. */
export function listMigrations(folder: string = FOLDER): string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(".sql"));
  return names.sort().map((name, index) => {
    const version = index + 1;
    const file = join(folder, name);
    if (!name.startsWith(`${String(version).padStart(4, "0")}-`)) throw new Error(`${name} is not version ${version}.`);
    const record = `INSERT INTO schema_migrations (version) VALUES (${version});`;
    if (!readFileSync(file, "utf8").endsWith(`${record}\n`)) throw new Error(`${name} does not end with ${record}`);
    return file;
  });
}

/**
 * Runs the migrations that the database lacks. One that fails leaves it as it was. Of several at once one
 * runs a migration, and the others find that it has been run.
 */
export async function migrate(database: MigratedDatabase, migrations: readonly string[]): Promise<void> {
  let version = await readVersion(database, migrations);
  for (let file = migrations[version]; file !== undefined; file = migrations[version]) {
    const failure = await database.run(file).then(() => null, String);
    const reached = await readVersion(database, migrations);
    if (reached === version) {
      throw new Failure(`${basename(file)} failed. ${database.name} is of version ${version}, as before.\n${failure}`);
    }
    version = reached;
  }
}

/** The version of a database that is what its migrations made; any other is refused. */
async function readVersion(database: MigratedDatabase, migrations: readonly string[]): Promise<number> {
  const objects = (await database.query(LIST_OBJECTS)) as unknown as SchemaObject[];
  if (!objects.some(({ name }) => name === "schema_migrations")) return versionZero(database, migrations, objects);

  const rows = await database.query(`${LIST_OBJECTS} UNION ALL SELECT NULL, max(version) FROM schema_migrations`);
  const version = Number(rows.find(({ name }) => name === null)?.["sql"]);
  if (version === 0) return versionZero(database, migrations, objects);
  if (version > migrations.length) {
    throw new Failure(
      `${database.name} is of version ${version}, and this code knows none after ${migrations.length}. It is left as it is: use the newer code.`,
    );
  }
  const present = rows.filter(({ name }) => name !== null) as unknown as SchemaObject[];
  const missing = missingFrom(schemaOf(migrations.slice(0, version)), present);
  if (missing.length === 0) return version;
  throw new Failure(
    `${database.name} is of version ${version}, but lacks or has in another form: ${missing.join(", ")}. It is left as it is.`,
  );
}

/** One without a version is empty, or has nothing but parts of version 1: it was made before versions were counted. */
function versionZero({ name }: MigratedDatabase, migrations: readonly string[], objects: SchemaObject[]): 0 {
  const foreign = missingFrom(objects, schemaOf(migrations.slice(0, 1)));
  if (foreign.length === 0) return 0;
  throw new Failure(
    `${name} has no version, and not as version 1 has them: ${foreign.join(", ")}. It is left as it is.`,
  );
}

function schemaOf(migrations: readonly string[]): SchemaObject[] {
  return schemaAfter(migrations.map((file) => readFileSync(file, "utf8")));
}
