import { spawn, type ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { parse } from "smol-toml";
import { batchWithRetry } from "../../src/platform/database/batch.ts";
import { Failure } from "./command.ts";
import { DatabaseLocked, LOCK_WAIT_MS, retryWhileLocked } from "./database-lock.ts";
import { FailureReasons, isDamage, isLock } from "./database-failure.ts";
import { environmentOf } from "./options.ts";
import { migrate, readSchema, type MigratedDatabase, type Schema } from "./migrations.ts";
import { CONFIG_FILE, ROOT } from "./wrangler.ts";

/** Where `wrangler dev` keeps its state unless `--persist-to` names another folder. */
export const DEFAULT_STATE_DIRECTORY = ".wrangler/state";

const BINDING = "DB";

interface InstallationConfig {
  vars?: Record<string, string>;
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

/** The variable of the Worker in its configuration; undefined: it has none. */
export function configuredVariable(
  configFile: string,
  environment: string | undefined,
  name: string,
): string | undefined {
  const config = readConfig(configFile);
  return (environment === undefined ? config : config.env?.[environment])?.vars?.[name];
}

function readConfig(file: string): InstallationConfig & { env?: Record<string, InstallationConfig> } {
  try {
    return parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new Failure(`${file} cannot be read: ${(error as Error).message}`);
  }
}

/**
 * Opens the database that `wrangler dev` uses with the same `--persist-to`, migrated to the newest version. It runs in
 * this process, because each call of wrangler's own `d1 execute` takes two seconds. While another process has it locked,
 * such as the running service, this waits up to `lockWaitMs` and then calls `use` again.
 */
export function withLocalDatabase<T>(
  stateDirectory: string,
  use: (database: D1Database) => Promise<T>,
  id = localDatabaseId(CONFIG_FILE, environmentOf([])),
  lockWaitMs = LOCK_WAIT_MS,
  schema = readSchema(),
): Promise<T> {
  const directory = resolve(ROOT, stateDirectory);
  return retryWhileLocked(`The database in ${directory}`, () => openDatabase(directory, id, schema, use), lockWaitMs);
}

/** Throws {@link DatabaseLocked} if another process has the database locked. */
async function openDatabase<T>(
  directory: string,
  id: string,
  schema: Schema,
  use: (database: D1Database) => Promise<T>,
): Promise<T> {
  const reasons = new FailureReasons();
  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: "",
      cf: false,
      resourcePersistencePath: join(directory, "v3"),
      d1Databases: { [BINDING]: id },
      handleStructuredLogs: ({ message }) => reasons.add(message),
    }),
  );
  let problem: string | null = `The folder ${directory} cannot be used`;
  let guard: ChildProcess | undefined;
  try {
    const database = (await runtime.getD1Database(BINDING)) as unknown as D1Database;
    guard = guardRuntime();
    problem = "The local database cannot be read";
    await migrate(toMigrated(database, `The database in ${directory}`), schema);
    problem = null;
    return await use(database);
  } catch (error) {
    const reason = await reasons.of(error);
    if (isLock(reason)) throw new DatabaseLocked();
    if (problem === null) throw error;
    if (error instanceof Failure) throw new Failure(`${error.message}\n${DELETION_ADVICE}`, error.exitCode);
    throw new Failure(`${problem}: ${reason}.\n${isDamage(reason) ? DELETION_ADVICE : FOLDER_ADVICE}`);
  } finally {
    // A runtime that did not start fails again here.
    await runtime.dispose().catch(() => undefined);
    guard?.kill("SIGKILL");
  }
}

/** Kills the runtime's process if this one is killed, and could not do it: `read` ends then. */
function guardRuntime(): ChildProcess | undefined {
  if (process.platform === "win32") return undefined;
  const own = `ps -A -o pid= -o ppid= -o comm= | awk -v parent=$PPID '$2 == parent && $3 ~ /workerd/ { print $1 }'`;
  const guard = spawn("sh", ["-c", `runtimes=$(${own}); read -r _; kill -9 $runtimes`], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  // Without a shell there is no guard.
  return guard.on("error", () => undefined);
}

/** Advice for a database that stays unusable, and for no other: the deletion loses the links. */
const DELETION_ADVICE = "To start with an empty database, delete that folder or use another one: --persist-to DIR.";
const FOLDER_ADVICE = "Mend that and try again, or use another folder: --persist-to DIR.";

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
