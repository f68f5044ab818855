import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { afterAll, beforeAll } from "vitest";
import { toMigrated } from "../../../scripts/local-database.ts";
import { migrate, readSchema } from "../../../scripts/migrations.ts";

/** More than the tests of one file use. */
const MAX_DATABASES = 40;

const names = Array.from({ length: MAX_DATABASES }, (_, number) => `DB${number}`);
let runtime: Miniflare;
let used = 0;

// One runtime for the databases of a file, because its start takes most of a second.
beforeAll(() => {
  runtime = new Miniflare(convertV4MiniflareOptions({ modules: true, script: "", cf: false, d1Databases: names }));
});
afterAll(() => runtime.dispose());

/** Returns a database in memory that no other test uses. */
export async function emptyDatabase(): Promise<D1Database> {
  const name = names[used++];
  if (name === undefined) throw new Error(`more than ${MAX_DATABASES} databases`);
  return runtime.getD1Database(name);
}

/** Returns such a database with the project's schema. */
export async function newDatabase(): Promise<D1Database> {
  const database = await emptyDatabase();
  await migrate(toMigrated(database, "The database"), readSchema());
  return database;
}
