import { parseArgs } from "node:util";
import { lineOfText } from "../src/http/validation.ts";
import { generateKey } from "../src/auth/key.ts";
import { MAX_ACCOUNT_NAME_CHARS } from "../src/limits.ts";
import { accountSql, insertAccount } from "./account-sql.ts";
import { Failure, runCommand, WRONG_USAGE } from "./command.ts";
import { DEFAULT_STATE_DIRECTORY, localDatabaseId, withLocalDatabase } from "./local-database.ts";
import { environmentOf } from "./options.ts";
import { CONFIG_FILE, readWrangler, wrangler, type Wrangler } from "./wrangler.ts";

const USAGE = `Usage: npm run account -- create NAME [--remote | --persist-to DIR] [--env NAME]

Creates an account with a first API key that has all permissions, and prints the key.
  NAME              1 to ${MAX_ACCOUNT_NAME_CHARS} characters; put a name with spaces in quotes
  --remote          use the deployed service's database instead of the local one
  --persist-to DIR  use the database of npm start -- --persist-to DIR
  --env NAME        use the environment [env.NAME] of wrangler.toml`;

/** `npm run account`: creates an account with a first key. */
export async function createAccount(args: string[], run: Wrangler = wrangler): Promise<void> {
  const { name, remote, stateDirectory, environment } = readArguments(args);
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

interface Arguments {
  name: string;
  remote: boolean;
  stateDirectory: string;
  /** Undefined: the top level of wrangler.toml. */
  environment: string | undefined;
}

function readArguments(args: string[]): Arguments {
  const { values, positionals } = parse(args);
  const { remote = false, "persist-to": stateDirectory } = values;
  const [action, text, ...more] = positionals;
  if (action !== "create" || text === undefined)
    throw wrongUsage("The action is missing or unknown. Use: create NAME.");
  if (more.length > 0) throw wrongUsage("There is more than one name. Put a name with spaces in quotes.");
  if (remote && stateDirectory !== undefined) throw wrongUsage("--remote and --persist-to cannot be combined.");
  const name = lineOfText(MAX_ACCOUNT_NAME_CHARS).safeParse(text);
  if (!name.success) throw wrongUsage(`NAME ${name.error.issues.map(({ message }) => message).join(", ")}.`);
  return {
    name: name.data,
    remote,
    stateDirectory: stateDirectory ?? DEFAULT_STATE_DIRECTORY,
    environment: environmentOf(args),
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
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

if (import.meta.main) await runCommand(createAccount, USAGE);
