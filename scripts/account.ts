import { parseArgs } from "node:util";
import { lineOfText } from "../src/http/validation.ts";
import { generateKey } from "../src/auth/key.ts";
import { MAX_ACCOUNT_NAME_CHARS } from "../src/limits.ts";
import { EmailInput } from "../src/people/email.ts";
import { accountSql, endSessionsSql, LIST_ACCOUNTS, type ListedAccount } from "./account-sql.ts";
import { readTarget, TARGET_OPTIONS, type Target } from "./backup/target.ts";
import { parseJson } from "./cloud-resources.ts";
import { Failure, runCommand, WRONG_USAGE } from "./command.ts";
import { localDatabaseId, withLocalDatabase } from "./local-database.ts";
import { CONFIG_FILE, readWrangler, wrangler, type Wrangler } from "./wrangler.ts";

const USAGE = `Usage: npm run account -- create NAME [--owner ADDRESS] [--remote | --persist-to DIR] [--env NAME]
       npm run account -- list [--remote | --persist-to DIR] [--env NAME]
       npm run account -- end-sessions ADDRESS [--remote | --persist-to DIR] [--env NAME]

create makes an account with a first API key that has all permissions, and prints the key. list shows all accounts with
their owners. end-sessions signs a person out everywhere.
  NAME              1 to ${MAX_ACCOUNT_NAME_CHARS} characters; put a name with spaces in quotes
  --owner ADDRESS   invite the person with this e-mail address as the owner; the running service sends the mail
  --remote          use the deployed service's database instead of the local one
  --persist-to DIR  use the database of npm start -- --persist-to DIR
  --env NAME        use the environment [env.NAME] of wrangler.toml`;

/** `npm run account`: creates and lists accounts, and ends sessions. */
export async function manageAccounts(args: string[], run: Wrangler = wrangler): Promise<void> {
  const { action, subject, owner, target } = readArguments(args);
  if (action === "list") return listAccounts(run, target);
  return action === "create" ? createAccount(run, target, subject, owner) : endSessions(run, target, subject);
}

async function createAccount(run: Wrangler, target: Target, text: string, owner: string | undefined): Promise<void> {
  const name = parseOr("NAME", lineOfText(MAX_ACCOUNT_NAME_CHARS).safeParse(text));
  const email = owner === undefined ? undefined : parseOr("--owner", EmailInput.safeParse(owner));
  const key = generateKey();
  await query(run, target, await accountSql({ name, keyName: "First key", key, owner: email }, Date.now()));
  const place = target.remote ? "deployed service" : "local database";
  console.log(
    `Created the account "${name}" in the ${place}.\n` +
      (email === undefined ? "" : `The service sends an invitation to ${email} within a minute.\n`) +
      `API key: ${key}\n` +
      "Store it in a safe place: only its hash is kept, so it cannot be shown again.",
  );
}

async function listAccounts(run: Wrangler, target: Target): Promise<void> {
  const accounts = await query<ListedAccount>(run, target, [LIST_ACCOUNTS]);
  for (const { id, name, created_at, keys, owners } of accounts) {
    const day = new Date(created_at).toISOString().slice(0, 10);
    console.log(
      `${id}  ${day}  ${keys} ${keys === 1 ? "key " : "keys"}  ${JSON.stringify(name)}  ${owners ?? "no owner"}`,
    );
  }
  console.log(`${accounts.length} ${accounts.length === 1 ? "account" : "accounts"}`);
}

async function endSessions(run: Wrangler, target: Target, text: string): Promise<void> {
  const email = parseOr("ADDRESS", EmailInput.safeParse(text));
  const ended = await query(run, target, endSessionsSql(email, Date.now()));
  console.log(`Ended ${ended.length} ${ended.length === 1 ? "session" : "sessions"} of ${email}.`);
}

interface Arguments {
  action: "create" | "list" | "end-sessions";
  subject: string;
  owner: string | undefined;
  target: Target;
}

function readArguments(args: string[]): Arguments {
  const { values, positionals } = parse(args);
  const [action, subject = "", ...more] = positionals;
  if (action !== "create" && action !== "list" && action !== "end-sessions")
    throw wrongUsage("The action is missing or unknown. Use: create NAME, list or end-sessions ADDRESS.");
  if (action !== "list" && positionals.length < 2)
    throw wrongUsage(`Use: ${action} ${action === "create" ? "NAME" : "ADDRESS"}.`);
  if (more.length > 0) throw wrongUsage("There is more than one name. Put a name with spaces in quotes.");
  if (values.owner !== undefined && action !== "create") throw wrongUsage("--owner is only for create.");
  try {
    return { action, subject, owner: values.owner, target: readTarget(values) };
  } catch (error) {
    throw wrongUsage((error as Error).message);
  }
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, allowPositionals: true, options: { ...TARGET_OPTIONS, owner: { type: "string" } } });
  } catch (error) {
    throw wrongUsage((error as Error).message);
  }
}

type Parsed = { success: true; data: string } | { success: false; error: { issues: { message: string }[] } };

function parseOr(name: string, parsed: Parsed): string {
  if (parsed.success) return parsed.data;
  throw wrongUsage(`${name} ${parsed.error.issues.map(({ message }) => message).join(", ")}.`);
}

function wrongUsage(message: string): Failure {
  return new Failure(`${message}\n\n${USAGE}`, WRONG_USAGE);
}

/** Runs the statements in one transaction. Returns the rows of the last one. */
async function query<Row>(run: Wrangler, target: Target, statements: string[]): Promise<Row[]> {
  return target.remote ? queryRemotely<Row>(run, target, statements) : queryLocally<Row>(target, statements);
}

async function queryLocally<Row>({ stateDirectory, environment }: Target, statements: string[]): Promise<Row[]> {
  const run = async (database: D1Database) =>
    database.batch<Row>(statements.map((statement) => database.prepare(statement)));
  const results = await withLocalDatabase(stateDirectory, run, localDatabaseId(CONFIG_FILE, environment));
  return results.at(-1)?.results ?? [];
}

async function queryRemotely<Row>(run: Wrangler, { environment }: Target, statements: string[]): Promise<Row[]> {
  const envOption = environment === undefined ? [] : [`--env=${environment}`];
  const command = `--command=${statements.join(";\n")};`;
  try {
    const output = await readWrangler(run, [
      "d1",
      "execute",
      "DB",
      "--remote",
      "--yes",
      "--json",
      command,
      ...envOption,
    ]);
    return parseJson<{ results: Row[] }>(output).at(-1)?.results ?? [];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(
      `${error.message}\n\nThe database could not be used. This needs a login (npx wrangler login) and a deployed service (npm run deploy).`,
    );
  }
}

if (import.meta.main) await runCommand(manageAccounts, USAGE);
