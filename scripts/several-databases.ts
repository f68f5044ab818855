import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parse, stringify } from "smol-toml";
import { Failure, WRONG_USAGE } from "./command.ts";
import { NEXT_ACCOUNT } from "../src/database/account-ranges.ts";
import { askedCount, bindingOf, DATABASES, withFurther, type Listed } from "./database-bindings.ts";
import { MAX_LOCAL_DATABASES } from "./limits.ts";
import { DEFAULT_STATE_DIRECTORY, withLocalDatabase } from "./local-database.ts";
import { environmentOf, optionValue, withoutOption } from "./options.ts";
import { CONFIG_FILE, ROOT } from "./wrangler.ts";

/** wrangler.toml with further databases, for wrangler. */
const GENERATED_FILE = join(ROOT, "wrangler.databases.toml");

interface LocalDatabases {
  /** The arguments for wrangler. */
  args: string[];
  count: number;
}

/**
 * The databases that the arguments of `npm start` ask for, or else those that the folder of the data has. Throws if the folder has more:
 * the links in the others would not be found.
 */
export function localDatabases(args: readonly string[]): LocalDatabases {
  const stored = storedCount(stateOf(args));
  const asked = askedCount(args, MAX_LOCAL_DATABASES);
  const count = asked ?? stored;
  const rest = withoutOption(args, DATABASES);
  if (count < stored) throw tooFew(stateOf(args), stored);
  if (count === 1) return { args: rest, count };
  if (environmentOf(args) !== undefined || optionValue(args, "--config", "-c") !== undefined)
    throw new Failure(`Several databases cannot be used with --env or --config yet.`, WRONG_USAGE);
  writeFileSync(GENERATED_FILE, configFor(count));
  return { args: [...rest, `--config=${GENERATED_FILE}`], count };
}

/** Makes the further databases, and lets accounts that are created from now on be dealt to all of them in turn. */
export async function prepareDatabases({ args, count }: LocalDatabases): Promise<void> {
  if (count > 1) await makeDatabases(stateOf(args), count);
}

/** Makes the databases that an empty folder needs for a backup. With rows in it the restore is refused. */
export async function prepareRestore(stateDirectory: string, count: number): Promise<void> {
  const state = resolve(ROOT, stateDirectory);
  if (count <= storedCount(state)) return;
  const isUsed = await withLocalDatabase(state, (core) => core.prepare("SELECT 1 FROM accounts LIMIT 1").first());
  if (isUsed === null) await makeDatabases(state, count);
}

async function makeDatabases(state: string, count: number): Promise<void> {
  for (const name of namesOf(count)) await withLocalDatabase(state, async () => {}, name);
  // First, so that no account is in a database that the next start does not know of.
  mkdirSync(dirname(countFile(state)), { recursive: true });
  writeFileSync(countFile(state), `${count}\n`);
  await withLocalDatabase(state, async (core) => spreadAccounts(core, count));
}

/** The bindings of the databases that the folder has. */
export function localBindings<T extends Listed>(listed: readonly T[], state: string): (T | Listed)[] {
  return withFurther(listed, storedCount(resolve(ROOT, state)));
}

/** Throws if the folder has several databases, which `wrangler dev` with this configuration would not use. */
export function requireOneDatabase(state: string, configFile: string): void {
  const stored = storedCount(state);
  if (stored > 1 && resolve(configFile) !== GENERATED_FILE) throw tooFew(state, stored);
}

async function spreadAccounts(core: D1Database, count: number): Promise<void> {
  await core
    .prepare(
      `INSERT INTO account_ranges (first_account_id, database, spread)
       SELECT ${NEXT_ACCOUNT}, 0, ?1
       WHERE (SELECT spread FROM account_ranges ORDER BY first_account_id DESC LIMIT 1) IS NOT ?1
       ON CONFLICT (first_account_id) DO UPDATE SET database = excluded.database, spread = excluded.spread`,
    )
    .bind(count)
    .run();
}

function configFor(count: number): string {
  const tracked = parse(readFileSync(CONFIG_FILE, "utf8"));
  const databases = withFurther(tracked["d1_databases"] as unknown as Listed[], count);
  return `# Made of wrangler.toml: change that.\n${stringify({ ...tracked, d1_databases: databases })}`;
}

/** The bindings of the further databases. */
function namesOf(count: number): string[] {
  return Array.from({ length: count - 1 }, (_, n) => bindingOf(n + 1));
}

function stateOf(args: readonly string[]): string {
  return resolve(ROOT, optionValue(args, "--persist-to", "--persistTo") ?? DEFAULT_STATE_DIRECTORY);
}

const countFile = (state: string) => join(state, "v3/d1/databases");

function storedCount(state: string): number {
  return existsSync(countFile(state)) ? Number(readFileSync(countFile(state), "utf8")) : 1;
}

function tooFew(state: string, stored: number): Failure {
  return new Failure(
    `The data in ${state} is in ${stored} databases. Start the service with npm start -- ${DATABASES} ${stored}.`,
  );
}
