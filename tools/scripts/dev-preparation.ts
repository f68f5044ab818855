import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Failure, runCommand } from "./command.ts";
import { ENCRYPTION_KEYS, provideEncryptionKey, secretsFile } from "./encryption-key.ts";
import { DEFAULT_STATE_DIRECTORY, localDatabaseId, withLocalDatabase } from "./local-database.ts";
import { cannotSwitchOff, listensBeyond, namesWranglerDev, writeWranglerDev } from "./local-routes.ts";
import { readSchema } from "./migrations.ts";
import { environmentOf, hasFlag, optionValue } from "./options.ts";
import { describeSetupCode, provideSetupCode } from "./setup-code.ts";
import { refuseStarted } from "./state-lock.ts";
import { CONFIG_FILE, ROOT } from "./wrangler.ts";
import { findWrangler } from "./wrangler-arguments.ts";

/** Called by the build hook, for the `wrangler dev` that runs it. */
export async function prepareForWrangler(): Promise<void> {
  const wrangler = findWrangler();
  await runCommand(() => prepareDev(wrangler?.args ?? [], wrangler?.id));
  if (process.exitCode === undefined || wrangler === undefined) return;
  // Otherwise wrangler would print an object of 70 lines after the reason.
  await sleep(MESSAGE_DELAY_MS);
  process.kill(wrangler.id);
}

/** How long wrangler may take to print what this process says. */
const MESSAGE_DELAY_MS = 500;

/**
 * Prepares what a `wrangler dev` with these arguments needs and does not make itself: the tables and the encryption key.
 * With `--remote` it uses nothing on this machine. `wranglerId` is its process; undefined: the arguments are not known.
 */
async function prepareDev(args: readonly string[], wranglerId: number | undefined): Promise<void> {
  if (hasFlag(args, "--remote", "-r")) return;
  // wrangler would watch its own output there, and build without end.
  if (process.cwd() === join(ROOT, "src"))
    throw new Failure("wrangler dev cannot run in the folder src. Use another one.");
  const config = optionValue(args, "--config", "-c");
  const configFile = config === undefined ? CONFIG_FILE : resolve(config);
  const environment = environmentOf(args);
  const secrets = secretsFile(dirname(configFile), environment);
  if (readsFile(args, secrets)) {
    await provideEncryptionKey(secrets);
    const isBeyond = listensBeyond(args, configFile);
    await writeWranglerDev(secrets, isBeyond ? (wranglerId ?? null) : null, wranglerId === undefined);
  } else if (listensBeyond(args, configFile) && !namesWranglerDev(args)) throw cannotSwitchOff();
  const persistTo = optionValue(args, "--persist-to", "--persistTo");
  const state = persistTo === undefined ? join(dirname(configFile), DEFAULT_STATE_DIRECTORY) : resolve(persistTo);
  refuseStarted(state);
  await prepareDatabase(state, localDatabaseId(configFile, environment));
}

/** Whether wrangler reads its variables from the file. */
function readsFile(args: readonly string[], file: string): boolean {
  if (optionValue(args, "--env-file", "--envFile") !== undefined) return false;
  // wrangler reads the environment's variables only if there is no file, so a new file would replace them.
  return process.env[ENCRYPTION_KEYS] === undefined || existsSync(file);
}

/** Each change of the code runs the build hook, so a database that is known to be new is not opened again. */
async function prepareDatabase(state: string, id: string): Promise<void> {
  const stamp = join(state, "v3/d1/prepared");
  const newest = `${id} ${schemaHash()}\n`;
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === newest) return;
  const code = await withLocalDatabase(
    state,
    (database) => provideSetupCode(async (sql) => (await database.prepare(sql).all()).results),
    id,
  );
  writeFileSync(stamp, newest);
  const option = resolve(ROOT, DEFAULT_STATE_DIRECTORY) === state ? "" : ` --persist-to "${state}"`;
  console.log(
    `The local database in ${state} is ready. To create an account:\n  npm run account -- create NAME${option}`,
  );
  if (code !== null) console.log(describeSetupCode(code));
}

function schemaHash(): string {
  const { file, migrations } = readSchema();
  const hash = createHash("sha256");
  for (const each of [file, ...migrations]) hash.update(readFileSync(each)).update("\0");
  return hash.digest("hex");
}
