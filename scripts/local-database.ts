import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { parse } from "smol-toml";
import { batchWithRetry } from "../src/database/retry.ts";
import { Failure } from "./command.ts";
import { environmentOf } from "./options.ts";
import { migrate, readSchema, type MigratedDatabase } from "./migrations.ts";
import { CONFIG_FILE, ROOT } from "./wrangler.ts";

/** Where `wrangler dev` keeps its state unless `--persist-to` names another folder. */
export const DEFAULT_STATE_DIRECTORY = ".wrangler/state";

const BINDING = "DB";

interface DatabasesInConfig {
  d1_databases?: { binding?: string; database_id?: string; preview_database_id?: string }[];
}

/**
 * Returns the id that `wrangler dev` gives to the database of the configuration, or of one of its environments: the name of
 * the binding, unless the file has an id. wrangler itself would need more than a second to read it.
 */
export function localDatabaseId(configFile: string, environment: string | undefined): string {
  const config = readConfig(configFile);
  const { d1_databases = [] } = (environment === undefined ? undefined : config.env?.[environment]) ?? config;
  const database = d1_databases.find(({ binding }) => binding === BINDING);
  return database?.preview_database_id ?? database?.database_id ?? BINDING;
}

function readConfig(file: string): DatabasesInConfig & { env?: Record<string, DatabasesInConfig> } {
  try {
    return parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new Failure(`${file} cannot be read: ${(error as Error).message}`);
  }
}

/**
 * Opens the database that `wrangler dev` uses with the same `--persist-to`, migrated to the newest version. It runs in
 * this process, because each call of wrangler's own `d1 execute` takes two seconds.
 */
export async function withLocalDatabase<T>(
  stateDirectory: string,
  use: (database: D1Database) => Promise<T>,
  id = localDatabaseId(CONFIG_FILE, environmentOf([])),
): Promise<T> {
  const directory = resolve(ROOT, stateDirectory);
  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: "",
      cf: false,
      resourcePersistencePath: join(directory, "v3"),
      d1Databases: { [BINDING]: id },
      // Its messages about a damaged file are in the error too.
      handleStructuredLogs: () => {},
    }),
  );
  try {
    const database = (await runtime.getD1Database(BINDING).catch((error: unknown) => {
      throw new Failure(`The folder ${directory} cannot be used: ${reasonOf(error)}.\n${ADVICE}`);
    })) as unknown as D1Database;
    await migrate(toMigrated(database, `The database in ${directory}`), readSchema()).catch(addAdvice);
    return await use(database);
  } finally {
    // A runtime that did not start fails again here.
    await runtime.dispose().catch(() => undefined);
  }
}

function addAdvice(error: unknown): never {
  if (error instanceof Failure) throw new Failure(`${error.message}\n${ADVICE}`, error.exitCode);
  throw new Failure(`The local database cannot be read: ${reasonOf(error)}.\n${ADVICE}`);
}

const ADVICE = "To start with an empty database, delete that folder or use another one: --persist-to DIR.";

/** Returns what SQLite or the file system says. The runtime's own message is long and blames its configuration. */
function reasonOf(error: unknown): string {
  const { message } = error as Error;
  return /= ([^"=]*): SQLITE_\w+/.exec(message)?.[1] ?? message.split("\n", 1)[0] ?? message;
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
