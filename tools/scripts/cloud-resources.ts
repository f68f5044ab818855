import { relative } from "node:path";
import type { Unstable_Config } from "wrangler";
import { queueNames } from "./installation.ts";
import { migrate, readSchema, type MigratedDatabase, type Schema } from "./migrations.ts";
import { readWrangler, ROOT, WranglerFailure, type Wrangler } from "./wrangler.ts";

/** Something the Worker needs in the operator's account before it can be deployed. */
export interface Resource {
  /** Shown to the operator. */
  purpose: string;
  /** The permission that a token needs for it, in Cloudflare's words. */
  permission: "D1" | "Queues";
  /** Makes the resource unless it exists. */
  provide: () => Promise<void>;
}

type NamedResources = Pick<Unstable_Config, "d1_databases" | "queues">;

/** Runs a wrangler command for one account and configuration, and returns its output. */
type Read = (...args: string[]) => Promise<string>;

/** Returns everything a deployment needs, in order. */
export function resourcesOf(
  config: NamedResources,
  options: readonly string[],
  wrangler: Wrangler,
  schema: Schema = readSchema(),
): Resource[] {
  const read: Read = (...args) => readWrangler(wrangler, [...args, ...options]);
  return [
    ...config.d1_databases.flatMap(({ database_name, binding }) => [
      database(database_name ?? binding, read),
      newestVersion(binding, read, schema),
    ]),
    // wrangler itself would create some of them and ask for the others.
    ...queueNames(config).map((name) => queue(name, read)),
  ];
}

function database(name: string, read: Read): Resource {
  return {
    purpose: `Create the D1 database "${name}" unless it exists`,
    permission: "D1",
    async provide() {
      const databases = parseJson<{ name: string }>(await read("d1", "list", "--json"));
      if (databases.some((database) => database.name === name)) return;
      // The output is not shown: it advises to write an id into wrangler.toml, which would bind the file to one account.
      await read("d1", "create", name);
    },
  };
}

function newestVersion(binding: string, read: Read, schema: Schema): Resource {
  return {
    purpose: `Bring ${binding} to version ${schema.version} of the schema unless it has it`,
    permission: "D1",
    provide: () => migrate(remoteDatabase(binding, read), schema),
  };
}

/**
 * Files are run by `d1 execute`, which imports a file in one transaction. `d1 migrations apply` sends single queries:
 * it has failed at triggers, and after some of the queries (https://github.com/cloudflare/workers-sdk/issues/15178).
 */
function remoteDatabase(binding: string, read: Read): MigratedDatabase {
  const execute = (...args: string[]) => read("d1", "execute", binding, "--remote", "--yes", ...args);
  return {
    name: `The database ${binding}`,
    async query(sql) {
      const output = await execute("--json", `--command=${sql}`);
      return parseJson<{ results: Record<string, unknown>[] }>(output).flatMap(({ results }) => results);
    },
    async run(file) {
      console.log(`Run ${relative(ROOT, file)}`);
      await execute(`--file=${file}`);
    },
  };
}

function queue(name: string, read: Read): Resource {
  return {
    purpose: `Create the queue "${name}" unless it exists`,
    permission: "Queues",
    async provide() {
      const exists = await read("queues", "info", name).then(
        () => true,
        () => false,
      );
      if (!exists) await read("queues", "create", name);
    },
  };
}

/**
 * The names of the secrets of the deployed Worker; none if it was never deployed. Throws if wrangler fails for another
 * reason: a new encryption key in place of the old one would lose everything the old one encrypted.
 */
export async function secretNames(options: readonly string[], wrangler: Wrangler): Promise<Set<string>> {
  try {
    const output = await readWrangler(wrangler, ["secret", "list", "--format=json", ...options]);
    return new Set(parseJson<{ name: string }>(output).map(({ name }) => name));
  } catch (error) {
    if (error instanceof WranglerFailure && /\b10007\b|Worker "[^"]*" (was )?not found/i.test(error.message))
      return new Set();
    throw error;
  }
}

/** Reads the JSON array in wrangler's output, which may begin with a notice. */
export function parseJson<T>(output: string): T[] {
  return JSON.parse(output.slice(output.search(/^\[/m))) as T[];
}
