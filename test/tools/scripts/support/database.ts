import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { toMigrated } from "../../../../tools/scripts/local-database.ts";
import { migrate, readSchema } from "../../../../tools/scripts/migrations.ts";
import { atEndOfFile } from "../../../support/end-of-file.ts";

/** More than the tests of one file use. */
const MAX_DATABASES = 40;

const names = Array.from({ length: MAX_DATABASES }, (_, number) => `DB${number}`);

// One runtime for the databases of a file, because its start takes most of a second.
let runtime: Miniflare | undefined;
let used = 0;

/** Returns a database in memory that no other test uses. */
export async function emptyDatabase(): Promise<D1Database> {
  runtime ??= startRuntime();
  const name = names[used++];
  if (name === undefined) throw new Error(`more than ${MAX_DATABASES} databases`);
  return runtime.getD1Database(name);
}

function startRuntime(): Miniflare {
  const started = new Miniflare(
    convertV4MiniflareOptions({ modules: true, script: "", cf: false, d1Databases: names }),
  );
  used = 0;
  atEndOfFile(async () => {
    runtime = undefined;
    await started.dispose();
  });
  return started;
}

/** Returns such a database with the project's schema. */
export async function newDatabase(): Promise<D1Database> {
  const database = await emptyDatabase();
  await migrate(toMigrated(database, "The database"), readSchema());
  return database;
}
