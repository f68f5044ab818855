import { unstable_readConfig, type Unstable_Config } from "wrangler";
import { Failure } from "./command.ts";
import { editedFile } from "./deployment-config.ts";
import { CONFIG_FILE } from "./wrangler.ts";

/**
 * Reads the configuration of one installation: the top level of the file or one of its environments. Throws if it would
 * use the Worker, a database or a queue of another installation in the file, or if it lacks a binding of
 * wrangler.toml. wrangler accepts both, because an environment inherits the code and no bindings.
 */
export function readInstallation(configFile: string, environment: string | undefined): Unstable_Config {
  const config = readConfig(configFile, environment);
  const title = environment === undefined ? "The top level" : `[env.${environment}]`;
  const others = [undefined, ...(config.definedEnvironments ?? [])].filter((name) => name !== environment);
  const needed = bindingsOf(readConfig(CONFIG_FILE, undefined));
  const missing = needed.filter((binding) => !bindingsOf(config).includes(binding));
  const edited = editedFile(configFile);
  if (missing.length > 0) throw new Failure(`${title} of ${edited} lacks ${missing.join(", ")}. Repeat them there.`);
  for (const other of others) {
    const taken = namesOf(readConfig(configFile, other));
    const shared = namesOf(config).filter((name) => taken.includes(name));
    if (shared.length === 0) continue;
    const otherTitle = other === undefined ? "the top level" : `[env.${other}]`;
    throw new Failure(`${title} of ${edited} and ${otherTitle} share ${shared.join(", ")}. Give each its own names.`);
  }
  return config;
}

function readConfig(config: string, env: string | undefined): Unstable_Config {
  try {
    // An empty name is the top level, whatever CLOUDFLARE_ENV says.
    return unstable_readConfig({ config, env: env ?? "" }, { hideWarnings: true });
  } catch (error) {
    throw new Failure((error as Error).message);
  }
}

/** What each installation needs, under the same names in each of them. */
function bindingsOf({ d1_databases, durable_objects, queues, secrets, vars }: Unstable_Config): string[] {
  return [
    ...Object.keys(vars).map((name) => `the variable ${name}`),
    ...(secrets?.required ?? []).map((name) => `the required secret ${name}`),
    ...d1_databases.map(({ binding }) => `the database ${binding}`),
    ...durable_objects.bindings.map(({ name }) => `the Durable Object ${name}`),
    ...(queues.producers ?? []).map(({ binding }) => `the queue ${binding}`),
    ...(queues.consumers ?? []).map((_, index) => `consumer ${index + 1} of a queue`),
  ];
}

/** What no other installation in the account may use. */
function namesOf(config: Unstable_Config): string[] {
  return [
    `the Worker "${config.name}"`,
    ...config.d1_databases.map(({ database_name }) => `the database "${database_name}"`),
    ...queueNames(config).map((name) => `the queue "${name}"`),
  ];
}

/** Returns the names of all queues in the configuration, each once. */
export function queueNames({ queues }: Pick<Unstable_Config, "queues">): string[] {
  const names = [
    ...(queues.producers ?? []).map(({ queue }) => queue),
    ...(queues.consumers ?? []).flatMap(({ queue, dead_letter_queue }) => [queue, dead_letter_queue]),
  ];
  return [...new Set(names.filter((name) => name !== undefined))];
}
