import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify, type TomlTable } from "smol-toml";
import { Failure } from "./command.ts";
import { CONFIG_FILE, ROOT } from "./wrangler.ts";

/** What the operator sets apart from wrangler.toml, so that a new version of wrangler.toml conflicts with nothing. */
export const SETTINGS_FILE = "deploy.toml";

/** wrangler.toml with the operator's settings. Commands write it for wrangler. */
const GENERATED_FILE = "wrangler.deploy.toml";

/** What operators may set. The rest of wrangler.toml belongs to the code and changes with it. */
const SETTINGS = [
  "alias",
  "d1_databases",
  "durable_objects",
  "env",
  "limits",
  "logpush",
  "name",
  "observability",
  "placement",
  "preview_urls",
  "queues",
  "routes",
  "secrets",
  "send_email",
  "tail_consumers",
  "vars",
  "workers_dev",
];

/**
 * Returns the configuration of the deployed installations: wrangler.toml, or a new file that also has the settings of the
 * deploy.toml in the folder. Throws if deploy.toml sets what the code does not know.
 */
export function deploymentConfig(folder: string = ROOT): string {
  const file = join(folder, SETTINGS_FILE);
  if (!existsSync(file)) return CONFIG_FILE;
  const tracked = parse(readFileSync(CONFIG_FILE, "utf8"));
  const settings = readSettings(file);
  checkSettings(file, settings, tracked);
  const text = `# Made of wrangler.toml and ${SETTINGS_FILE}: change those.\n${stringify(merge(tracked, settings))}`;
  const generated = join(folder, GENERATED_FILE);
  writeWhole(generated, text);
  return generated;
}

/** The options with which wrangler finds a deployed installation. */
export function installationOptions(environment: string | undefined, folder: string = ROOT): string[] {
  const config = deploymentConfig(folder);
  return [
    ...(config === CONFIG_FILE ? [] : [`--config=${config}`]),
    ...(environment === undefined ? [] : [`--env=${environment}`]),
  ];
}

/** Returns the file in which an operator corrects what is wrong in the configuration. */
export function editedFile(config: string): string {
  return config.endsWith(GENERATED_FILE) ? config.slice(0, -GENERATED_FILE.length) + SETTINGS_FILE : config;
}

function readSettings(file: string): TomlTable {
  try {
    return parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new Failure(`${file} cannot be read: ${(error as Error).message}`);
  }
}

/** wrangler would only warn of a misspelled name, and the service would run without the setting. */
function checkSettings(file: string, settings: TomlTable, tracked: TomlTable): void {
  const { env = {} } = settings;
  const tables: [string, TomlTable][] = [["", settings]];
  if (isTable(env)) for (const [name, table] of Object.entries(env)) tables.push([`env.${name}.`, asTable(table)]);
  const known = Object.keys(asTable(tracked["vars"]));
  for (const [prefix, table] of tables) {
    const others = Object.keys(table).filter((key) => !SETTINGS.includes(key));
    if (others.length > 0)
      throw new Failure(`${file} cannot set ${named(prefix, others)}. It may set ${SETTINGS.join(", ")}.`);
    const unknown = Object.keys(asTable(table["vars"])).filter((name) => !known.includes(name));
    if (unknown.length > 0)
      throw new Failure(
        `${file} sets ${named(`${prefix}vars.`, unknown)}, but the service has no such variable. docs/configuration.md lists them.`,
      );
  }
}

const named = (prefix: string, keys: readonly string[]) => keys.map((key) => prefix + key).join(", ");

/** Tables are merged key by key. Every other value, also a list, replaces the one of wrangler.toml. */
function merge(base: TomlTable, settings: TomlTable): TomlTable {
  const merged = { ...base };
  for (const [key, value] of Object.entries(settings)) {
    const before = merged[key];
    merged[key] = isTable(before) && isTable(value) ? merge(before, value) : value;
  }
  return merged;
}

function isTable(value: unknown): value is TomlTable {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

const asTable = (value: unknown): TomlTable => (isTable(value) ? value : {});

/** Writes the file in one step: another command may read it. */
function writeWhole(file: string, text: string): void {
  if (existsSync(file) && readFileSync(file, "utf8") === text) return;
  const made = `${file}.${process.pid}`;
  writeFileSync(made, text);
  renameSync(made, file);
}
