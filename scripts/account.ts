import { parseArgs } from "node:util";
import { lineOfText } from "../src/http/validation.ts";
import { generateKey } from "../src/auth/key.ts";
import { MAX_ACCOUNT_NAME_CHARS } from "../src/limits.ts";
import { accountSql, insertAccount } from "./account-sql.ts";
import { Failure, runCommand, WRONG_USAGE } from "./command.ts";
import { DEFAULT_STATE_DIRECTORY, withLocalDatabase } from "./local-database.ts";
import { readWrangler } from "./wrangler.ts";

const USAGE = `Usage: npm run account -- create NAME [--remote | --persist-to DIR]

Makes an account with its first API key, which may do everything, and prints the key.
  NAME              1 to ${MAX_ACCOUNT_NAME_CHARS} characters; in quotes if there are spaces in it
  --remote          in the deployed service's database, not in the local one
  --persist-to DIR  in the database that npm start -- --persist-to DIR uses`;

/** `npm run account`: makes an account with its first key. */
async function createAccount(args: string[]): Promise<void> {
  const { name, remote, stateDirectory } = readArguments(args);
  const key = generateKey();
  const account = { name, keyName: "First key", key };
  if (remote) await runRemotely(await accountSql(account, Date.now()));
  else await withLocalDatabase(stateDirectory, (database) => insertAccount(database, account, Date.now()));
  console.log(
    `The account "${name}" is made ${remote ? "in the deployed service" : "in the local database"}.\n` +
      `API key: ${key}\n` +
      "Keep it in a safe place now: only its hash is stored, so it cannot be shown again.",
  );
}

interface Arguments {
  name: string;
  remote: boolean;
  stateDirectory: string;
}

function readArguments(args: string[]): Arguments {
  const { values, positionals } = parse(args);
  const { remote = false, "persist-to": stateDirectory } = values;
  const [action, text, ...more] = positionals;
  if (action !== "create" || text === undefined) throw wrongUsage("Say what to do: create NAME.");
  if (more.length > 0) throw wrongUsage("There is more than one name; put a name with spaces in quotes.");
  if (remote && stateDirectory !== undefined) throw wrongUsage("--remote and --persist-to exclude each other.");
  const name = lineOfText(MAX_ACCOUNT_NAME_CHARS).safeParse(text);
  if (!name.success) throw wrongUsage(`NAME ${name.error.issues.map(({ message }) => message).join(", ")}.`);
  return { name: name.data, remote, stateDirectory: stateDirectory ?? DEFAULT_STATE_DIRECTORY };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: { remote: { type: "boolean" }, "persist-to": { type: "string" } },
    });
  } catch (error) {
    throw wrongUsage((error as Error).message);
  }
}

function wrongUsage(message: string): Failure {
  return new Failure(`${message}\n\n${USAGE}`, WRONG_USAGE);
}

async function runRemotely(statements: string[]): Promise<void> {
  try {
    await readWrangler(["d1", "execute", "DB", "--remote", "--yes", `--command=${statements.join(";\n")};`]);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(
      `${error.message}\n\nThe account could not be made. It takes a login (npx wrangler login) and a deployed service (npm run deploy).`,
    );
  }
}

await runCommand(createAccount);
