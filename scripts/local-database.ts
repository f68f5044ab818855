import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { batchWithRetry } from "../src/database/retry.ts";
import { Failure } from "./command.ts";
import { migrate, readSchema, type MigratedDatabase } from "./migrations.ts";
import { ROOT } from "./wrangler.ts";

/** Where `wrangler dev` keeps its state unless `--persist-to` names another folder. */
export const DEFAULT_STATE_DIRECTORY = ".wrangler/state";

/** wrangler.toml gives the database no id, so wrangler uses the name of the binding locally. */
const LOCAL_ID = "DB";

/**
 * Opens the database that `wrangler dev` uses with the same `--persist-to`, migrated to the newest version. It runs in
 * this process, because each call of wrangler's own `d1 execute` takes two seconds.
 */
export async function withLocalDatabase<T>(
  stateDirectory: string,
  use: (database: D1Database) => Promise<T>,
  schema = readSchema(),
): Promise<T> {
  const directory = resolve(ROOT, stateDirectory);
  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: "",
      cf: false,
      resourcePersistencePath: join(directory, "v3"),
      d1Databases: { DB: LOCAL_ID },
    }),
  );
  try {
    const database = (await runtime.getD1Database("DB")) as unknown as D1Database;
    await migrate(toMigrated(database, `The database in ${directory}`), schema).catch(addAdvice);
    return await use(database);
  } finally {
    await runtime.dispose();
  }
}

function addAdvice(error: unknown): never {
  if (!(error instanceof Failure)) throw error;
  throw new Failure(
    `${error.message}\nTo start with an empty database, delete that folder or use another one: --persist-to DIR.`,
    error.exitCode,
  );
}

/** Lets {@link migrate} use a database of this process. */
export function toMigrated(database: D1Database, name: string): MigratedDatabase {
  return {
    name,
    query: async (sql) => (await batchWithRetry(database, [database.prepare(sql)])).flatMap(({ results }) => results),
    async run(file) {
      await batchWithRetry(database, [database.prepare(readFileSync(file, "utf8"))]);
    },
  };
}
