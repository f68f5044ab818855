import { relative } from "node:path";
import type { Unstable_Config } from "wrangler";
import { ENCRYPTION_KEYS } from "./encryption-key.ts";
import { listMigrations, migrate, type MigratedDatabase } from "./migrations.ts";
import { readWrangler, ROOT, WranglerFailure, wranglerSucceeds } from "./wrangler.ts";

/** Something the Worker needs in the operator's account before it can be deployed. */
export interface Resource {
  /** What {@link provide} does, for the operator to read. */
  purpose: string;
  /** Does nothing where it is done already. */
  provide: () => Promise<void>;
}

type NamedResources = Pick<Unstable_Config, "d1_databases" | "queues">;

/** Everything that a deployment needs, in order. A new kind of resource gets its line here. */
export function resourcesOf(
  config: NamedResources,
  options: readonly string[],
  migrations: readonly string[] = listMigrations(),
): Resource[] {
  return [
    ...config.d1_databases.map(({ database_name, binding }) => database(database_name ?? binding, options)),
    ...config.d1_databases.map(({ binding }) => newestVersion(binding, options, migrations)),
    ...queueNames(config).map((name) => queue(name, options)),
  ];
}

function database(name: string, options: readonly string[]): Resource {
  return {
    purpose: `Make the D1 database "${name}" unless there is one`,
    async provide() {
      const databases = parseJson<{ name: string }>(await readWrangler(["d1", "list", "--json", ...options]));
      if (databases.some((database) => database.name === name)) return;
      // What this prints is advice to write an id into wrangler.toml, which would bind the file to one account.
      await readWrangler(["d1", "create", name, ...options]);
    },
  };
}

function newestVersion(binding: string, options: readonly string[], migrations: readonly string[]): Resource {
  return {
    purpose: `Bring ${binding} to version ${migrations.length} of the schema unless it is there`,
    provide: () => migrate(remoteDatabase(binding, options), migrations),
  };
}

/**
 * Files are run by `d1 execute`, which imports them as a whole or not at all. `d1 migrations apply` sends them as
 * queries, which have failed at triggers, and half-way: https://github.com/cloudflare/workers-sdk/issues/15178
 */
function remoteDatabase(binding: string, options: readonly string[]): MigratedDatabase {
  const execute = ["d1", "execute", binding, "--remote", "--yes", ...options];
  return {
    name: `The database ${binding}`,
    async query(sql) {
      const output = await readWrangler([...execute, "--json", `--command=${sql}`]);
      return parseJson<{ results: Record<string, unknown>[] }>(output).flatMap(({ results }) => results);
    },
    async run(file) {
      console.log(`Run ${relative(ROOT, file)}`);
      await readWrangler([...execute, `--file=${file}`]);
    },
  };
}

/** All queues that the configuration names; wrangler itself would make some of them and ask for others. */
function queueNames({ queues }: NamedResources): string[] {
  const names = [
    ...(queues.producers ?? []).map(({ queue }) => queue),
    ...(queues.consumers ?? []).flatMap(({ queue, dead_letter_queue }) => [queue, dead_letter_queue]),
  ];
  return [...new Set(names.filter((name) => name !== undefined))];
}

function queue(name: string, options: readonly string[]): Resource {
  return {
    purpose: `Make the queue "${name}" unless there is one`,
    async provide() {
      if (await wranglerSucceeds(["queues", "info", name, ...options])) return;
      await readWrangler(["queues", "create", name, ...options]);
    },
  };
}

/**
 * Whether the deployed Worker lacks its encryption key. A Worker that was never deployed lacks it; where wrangler
 * fails for another reason, that is thrown: a new key in place of the old would lose what the old one encrypted.
 */
export async function lacksEncryptionKey(options: readonly string[]): Promise<boolean> {
  try {
    const output = await readWrangler(["secret", "list", "--format=json", ...options]);
    return !parseJson<{ name: string }>(output).some(({ name }) => name === ENCRYPTION_KEYS);
  } catch (error) {
    if (error instanceof WranglerFailure && /\b10007\b|Worker "[^"]*" (was )?not found/i.test(error.message))
      return true;
    throw error;
  }
}

/** The list in what wrangler printed; a notice may come before it. */
function parseJson<T>(output: string): T[] {
  return JSON.parse(output.slice(output.search(/^\[/m))) as T[];
}
