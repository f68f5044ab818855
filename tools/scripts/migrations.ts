import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Failure } from "./command.ts";
import { LIST_OBJECTS, missingFrom, schemaAfter, type SchemaObject } from "./schema.ts";
import { ROOT } from "./wrangler.ts";

/** A database that can be migrated, on this machine or at Cloudflare. */
export interface MigratedDatabase {
  /** At the beginning of a sentence: "The database …". */
  name: string;
  query(sql: string): Promise<Record<string, unknown>[]>;
  /** Runs the statements of a file in one transaction. */
  run(file: string): Promise<void>;
}

/** The SQL files of one version of the code. */
export interface Schema {
  /** The newest version. */
  version: number;
  /** Makes a new database of the newest version. */
  file: string;
  /** Change an existing database: the first file leads from version 1 to version 2. */
  migrations: readonly string[];
}

/** Reads `schema.sql` and `migrations/NNNN-*.sql`. Without the folder, the newest version is 1. */
export function readSchema(folder: string = ROOT): Schema {
  const file = join(folder, "schema.sql");
  const migrations = listMigrations(join(folder, "migrations"));
  const version = migrations.length + 1;
  checkRecord(file, version);
  return { version, file, migrations };
}

function listMigrations(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith(".sql"));
  return names.sort().map((name, index) => {
    const version = index + 2;
    if (!name.startsWith(`${String(version).padStart(4, "0")}-`)) throw new Error(`${name} is not version ${version}.`);
    const file = join(folder, name);
    checkRecord(file, version);
    return file;
  });
}

/** Each file records its version at its end. If two processes run it at the same time, this makes the second one fail. */
function checkRecord(file: string, version: number): void {
  const record = `INSERT INTO schema_migrations (version) VALUES (${version});`;
  if (!readFileSync(file, "utf8").endsWith(`\n${record}\n`))
    throw new Error(`${basename(file)} does not end with ${record}`);
}

/**
 * Brings the database to the newest version. A file that fails leaves it as it was. If several processes do this at the
 * same time, each file takes effect once.
 */
export async function migrate(database: MigratedDatabase, schema: Schema): Promise<void> {
  let version = await readVersion(database, schema);
  while (version < schema.version) {
    const file = version === 0 ? schema.file : (schema.migrations[version - 1] as string);
    const failure = await database.run(file).then(() => null, String);
    const reached = await readVersion(database, schema);
    if (reached === version) {
      throw new Failure(`${basename(file)} failed. ${database.name} still has version ${version}.\n${failure}`);
    }
    version = reached;
  }
}

/** Returns 0 for an empty database. Throws if the database is not one of this service, is newer, or is damaged. */
export async function readVersion(database: Pick<MigratedDatabase, "name" | "query">, schema: Schema): Promise<number> {
  const refuse = (problem: string) => new Failure(`${database.name} ${problem} It is left as it is.`);
  const objects = await database.query(LIST_OBJECTS);
  if (objects.length === 0) return 0;
  if (!objects.some((object) => object["name"] === "schema_migrations"))
    throw refuse(`was not made by this service: it has ${objects.map((object) => object["name"]).join(", ")}.`);

  // The version and the objects in one query, because another process may migrate at this moment.
  const rows = await database.query(`${LIST_OBJECTS} UNION ALL SELECT NULL, max(version) FROM schema_migrations`);
  const version = Number(rows.find((row) => row["name"] === null)?.["sql"] ?? 0);
  if (version === 0) throw refuse("has no version in the table schema_migrations.");
  if (version > schema.version)
    throw refuse(`has version ${version}, but this code knows none after ${schema.version}. Use the newer code.`);
  if (version < schema.version) return version;

  const present = rows.filter((row) => row["name"] !== null) as unknown as SchemaObject[];
  const missing = missingFrom(schemaAfter([readFileSync(schema.file, "utf8")]), present);
  if (missing.length > 0)
    throw refuse(
      `has version ${version}, but these are missing or differ: ${shorten(missing)}. Use the code that made it.`,
    );
  return version;
}

/** The first names of a list. */
function shorten(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  return names.slice(0, MAX_NAMES).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

const MAX_NAMES = 5;
