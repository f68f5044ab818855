import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { batchWithRetry } from "../src/database/retry.ts";
import { Failure } from "./command.ts";
import { listMigrations, migrate, type MigratedDatabase } from "./migrations.ts";
import { ROOT } from "./wrangler.ts";

/** Where `wrangler dev` keeps what it stores, unless `--persist-to` says otherwise. */
export const DEFAULT_STATE_DIRECTORY = ".wrangler/state";

/** wrangler.toml gives the database no id, so locally wrangler takes its binding's name for one. */
const LOCAL_ID = "DB";

/**
 * Opens the database that `wrangler dev` uses with the same `--persist-to`, brought to the newest
 * version. In this process, because each call of wrangler's own `d1 execute` takes two seconds.
 */
export async function withLocalDatabase<T>(
  stateDirectory: string,
  use: (database: D1Database) => Promise<T>,
  migrations: readonly string[] = listMigrations(),
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
    await migrateIn(directory, database, migrations);
    return await use(database);
  } finally {
    await runtime.dispose();
  }
}

async function migrateIn(directory: string, database: D1Database, migrations: readonly string[]): Promise<void> {
  try {
    await migrate(toMigrate(database, `The database in ${directory}`), migrations);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(
      `${error.message}\nTo start afresh, delete that folder, or use another one: --persist-to DIR.`,
      error.exitCode,
    );
  }
}

/** A database of this process, as migrations need it. */
export function toMigrate(database: D1Database, name: string): MigratedDatabase {
  return {
    name,
    query: async (sql) => (await batchWithRetry(database, [database.prepare(sql)])).flatMap(({ results }) => results),
    async run(file) {
      await batchWithRetry(database, [database.prepare(readFileSync(file, "utf8"))]);
    },
  };
}
