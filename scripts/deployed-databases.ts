import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse, type TomlTable } from "smol-toml";
import type { Unstable_Config } from "wrangler";
import { NEXT_ACCOUNT, OPENED_DATABASES } from "../src/database/account-ranges.ts";
import type { MigratedDatabase } from "./migrations.ts";
import { countDatabases, DATABASES } from "./database-bindings.ts";
import { SETTINGS_FILE, type AskedDatabases } from "./deployment-config.ts";
import { Failure, WRONG_USAGE } from "./command.ts";

/** Throws if the installation would have fewer databases than before. */
export function refuseFewer(asked: number, config: Unstable_Config): void {
  const count = countDatabases(config.d1_databases);
  if (asked >= count) return;
  throw new Failure(
    `The installation has ${count} databases and cannot have ${asked}: the links in the others would not be found.`,
    WRONG_USAGE,
  );
}

/** Throws if accounts are in databases that the Worker would not be bound to. */
export async function requireDatabases(core: MigratedDatabase, count: number): Promise<void> {
  const opened = await readOpened(core);
  if (opened <= count) return;
  throw new Failure(
    `The installation has ${opened} databases, and its settings name ${count}. Nothing was deployed.\n` +
      `Bring back its ${SETTINGS_FILE}, or deploy with ${DATABASES} ${opened}.`,
  );
}

async function readOpened(core: MigratedDatabase): Promise<number> {
  const [row] = await core.query(`SELECT ${OPENED_DATABASES} AS opened`);
  return Number(row?.["opened"]);
}

/**
 * Lets new accounts go to the databases that were added, once every Worker is bound to them. Within an hour the cron deals them to all
 * databases that have room (src/directory/account-range.ts).
 */
export function openDatabases(count: number): string {
  return `INSERT INTO account_ranges (first_account_id, database, spread)
    SELECT ${NEXT_ACCOUNT}, opened, ${count} - opened FROM (SELECT ${OPENED_DATABASES} AS opened) WHERE opened < ${count}
    ON CONFLICT (first_account_id) DO UPDATE SET database = excluded.database, spread = excluded.spread`;
}

/** Writes the number of databases into deploy.toml, which keeps everything else, comments too. */
export function rememberDatabases(folder: string, { environment, count }: AskedDatabases): void {
  const file = join(folder, SETTINGS_FILE);
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  const changed = withCount(text, environment, count);
  if (numberIn(parse(changed), environment) !== count || !isSameOtherwise(text, changed))
    throw new Failure(`${file} could not be changed. Write databases = ${count} into it, and deploy again.`);
  if (changed !== text) writeFileSync(file, changed);
}

function withCount(text: string, environment: string | undefined, count: number): string {
  const line = `databases = ${count}`;
  const header = environment === undefined ? null : `[env.${environment}]`;
  const lines = text.split("\n");
  const start = header === null ? 0 : lines.findIndex((each) => each.trim().startsWith(header)) + 1;
  if (header !== null && start === 0)
    return `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}\n${header}\n${line}\n`;
  const next = lines.findIndex((each, n) => n >= start && each.trim().startsWith("["));
  const end = next === -1 ? lines.length : next;
  const found = lines.findIndex((each, n) => n >= start && n < end && /^\s*databases\s*=/.test(each));
  if (found === -1) lines.splice(start, 0, line);
  else lines[found] = (lines[found] as string).replace(/=\s*\d+/, `= ${count}`);
  return lines.join("\n");
}

function numberIn(settings: TomlTable, environment: string | undefined): unknown {
  const { env = {} } = settings as { env?: Record<string, TomlTable> };
  return (environment === undefined ? settings : env[environment])?.["databases"];
}

/** A value of several lines may look like a table. */
function isSameOtherwise(before: string, after: string): boolean {
  const others = (text: string) =>
    JSON.stringify(parse(text), (key, value: unknown) => (key === "databases" ? undefined : value));
  return others(before) === others(after);
}
