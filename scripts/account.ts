import { parseArgs } from "node:util";
import { lineOfText } from "../src/http/validation.ts";
import { generateKey } from "../src/auth/key.ts";
import {
  DEFAULT_MAX_LINK_BYTES_PER_ACCOUNT,
  DEFAULT_MAX_LINKS_PER_ACCOUNT,
  MAX_ACCOUNT_NAME_CHARS,
  MAX_QUOTA,
} from "../src/limits.ts";
import { setQuotas, type NewQuotas } from "./account-quota.ts";
import { accountSql, insertAccount } from "./account-sql.ts";
import type { Target } from "./backup/target.ts";
import { Failure, runCommand, WRONG_USAGE } from "./command.ts";
import { DEFAULT_STATE_DIRECTORY, localDatabaseId, withLocalDatabase } from "./local-database.ts";
import { environmentOf } from "./options.ts";
import { CONFIG_FILE, readWrangler, wrangler, type Wrangler } from "./wrangler.ts";

const USAGE = `Usage: npm run account -- create NAME [--remote | --persist-to DIR] [--env NAME]
       npm run account -- quota ACCOUNT [--links N] [--link-bytes N] [--remote | --persist-to DIR] [--env NAME]

create makes an account with a first API key that has all permissions, and prints the key.
quota sets how many links an account may have and how many bytes they may take, and prints what it uses of that.
  NAME              1 to ${MAX_ACCOUNT_NAME_CHARS} characters; put a name with spaces in quotes
  ACCOUNT           the name of an account, or its id if several have the name
  --links N         maximum number of links, or "default": ${DEFAULT_MAX_LINKS_PER_ACCOUNT}
  --link-bytes N    maximum number of bytes, or "default": ${DEFAULT_MAX_LINK_BYTES_PER_ACCOUNT}
  --remote          use the deployed service's database instead of the local one
  --persist-to DIR  use the database of npm start -- --persist-to DIR
  --env NAME        use the environment [env.NAME] of wrangler.toml`;

/** `npm run account`. */
export async function manageAccount(args: string[], run: Wrangler = wrangler): Promise<void> {
  const request = readArguments(args);
  if (request.action === "create") return createAccount(request, run);
  await setQuotas(request, run, request.name, request.quotas);
}

/** Creates an account with a first key. */
async function createAccount({ name, remote, stateDirectory, environment }: Request, run: Wrangler): Promise<void> {
  const key = generateKey();
  const account = { name, keyName: "First key", key };
  if (remote) {
    await runRemotely(run, environment, await accountSql(account, Date.now()));
  } else {
    const id = localDatabaseId(CONFIG_FILE, environment);
    await withLocalDatabase(stateDirectory, (database) => insertAccount(database, account, Date.now()), id);
  }
  console.log(
    `Created the account "${name}" in the ${remote ? "deployed service" : "local database"}.\n` +
      `API key: ${key}\n` +
      "Store it in a safe place: only its hash is kept, so it cannot be shown again.",
  );
}

interface Request extends Target {
  action: "create" | "quota";
  /** The name of the new account; for a quota the name or the id of an account. */
  name: string;
  quotas: NewQuotas;
}

function readArguments(args: string[]): Request {
  const { values, positionals } = parse(args);
  const { remote = false, "persist-to": stateDirectory } = values;
  const [action, text, ...more] = positionals;
  if ((action !== "create" && action !== "quota") || text === undefined)
    throw wrongUsage("The action is missing or unknown. Use: create NAME, or quota ACCOUNT.");
  if (more.length > 0) throw wrongUsage("There is more than one name. Put a name with spaces in quotes.");
  if (remote && stateDirectory !== undefined) throw wrongUsage("--remote and --persist-to cannot be combined.");
  const name = lineOfText(MAX_ACCOUNT_NAME_CHARS).safeParse(text);
  if (!name.success) throw wrongUsage(`NAME ${name.error.issues.map(({ message }) => message).join(", ")}.`);
  const quotas = { links: readQuota(values, "links"), linkBytes: readQuota(values, "link-bytes") };
  if (action === "create" && Object.values(quotas).some((quota) => quota !== undefined))
    throw wrongUsage("create takes no quotas. Set them afterwards with: quota ACCOUNT.");
  return {
    action,
    name: name.data,
    quotas,
    remote,
    stateDirectory: stateDirectory ?? DEFAULT_STATE_DIRECTORY,
    environment: environmentOf(args),
  };
}

function readQuota(values: ReturnType<typeof parse>["values"], option: "links" | "link-bytes") {
  const text = values[option];
  if (text === undefined) return undefined;
  if (text === "default") return null;
  const isNumber = /^\d+$/.test(text) && Number(text) <= MAX_QUOTA;
  if (!isNumber) throw wrongUsage(`--${option} must be a whole number from 0 to ${MAX_QUOTA}, or "default".`);
  return Number(text);
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        links: { type: "string" },
        "link-bytes": { type: "string" },
        remote: { type: "boolean" },
        "persist-to": { type: "string" },
        env: { type: "string", short: "e" },
      },
    });
  } catch (error) {
    throw wrongUsage((error as Error).message);
  }
}

function wrongUsage(message: string): Failure {
  return new Failure(`${message}\n\n${USAGE}`, WRONG_USAGE);
}

async function runRemotely(run: Wrangler, environment: string | undefined, statements: string[]): Promise<void> {
  const envOption = environment === undefined ? [] : [`--env=${environment}`];
  try {
    await readWrangler(run, [
      "d1",
      "execute",
      "DB",
      "--remote",
      "--yes",
      `--command=${statements.join(";\n")};`,
      ...envOption,
    ]);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(
      `${error.message}\n\nThe account could not be created. This needs a login (npx wrangler login) and a deployed service (npm run deploy).`,
    );
  }
}

if (import.meta.main) await runCommand(manageAccount, USAGE);
