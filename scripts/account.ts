import { parseArgs } from "node:util";
import type { ZodSafeParseResult } from "zod";
import { lineOfText } from "../src/http/validation.ts";
import { generateKey } from "../src/auth/key.ts";
import {
  DEFAULT_MAX_LINK_BYTES_PER_ACCOUNT,
  DEFAULT_MAX_LINKS_PER_ACCOUNT,
  MAX_ACCOUNT_NAME_CHARS,
  MAX_EMAIL_CHARS,
  MAX_QUOTA,
} from "../src/limits.ts";
import { EmailInput } from "../src/people/email.ts";
import { resetFactorsSql, type RemovedFactors } from "./factors-sql.ts";
import { disableAccount, enableAccount } from "./account-access.ts";
import { setQuotas, type NewQuotas } from "./account-quota.ts";
import { accountSql, endSessionsSql, LIST_ACCOUNTS, type ListedAccount } from "./account-sql.ts";
import { readTarget, TARGET_OPTIONS, type Target } from "./backup/target.ts";
import { Failure, runCommand, WRONG_USAGE } from "./command.ts";
import { queryDatabase } from "./database-query.ts";
import { readWrangler, wrangler, type Wrangler } from "./wrangler.ts";

const TARGET = "[--remote | --persist-to DIR] [--env NAME]";
const USAGE = `Usage: npm run account -- create NAME [--owner ADDRESS] ${TARGET}
       npm run account -- list ${TARGET}
       npm run account -- end-sessions ADDRESS ${TARGET}
       npm run account -- reset-factors ADDRESS ${TARGET}
       npm run account -- disable ACCOUNT ${TARGET}
       npm run account -- enable ACCOUNT ${TARGET}
       npm run account -- quota ACCOUNT [--links N] [--link-bytes N] ${TARGET}

create makes an account with a first API key that has all permissions, and prints the key.
list shows all accounts with their owners.
end-sessions signs a person out everywhere.
reset-factors removes the second factors of a person who has lost them, and signs the person out everywhere.
disable refuses the keys and the members of an account; a person whose personal account it is cannot sign in.
enable takes that back.
quota sets how many links an account may have and how many bytes they may take, and prints what it uses of that.
  NAME              1 to ${MAX_ACCOUNT_NAME_CHARS} characters; put a name with spaces in quotes
  ADDRESS           the e-mail address of a person
  ACCOUNT           the name of an account, its id if several have the name, or the address of its person
  --owner ADDRESS   invite this person as the owner; the running service sends the mail
  --links N         maximum number of links, or "default": ${DEFAULT_MAX_LINKS_PER_ACCOUNT}
  --link-bytes N    maximum number of bytes, or "default": ${DEFAULT_MAX_LINK_BYTES_PER_ACCOUNT}
  --remote          use the deployed service's database instead of the local one
  --persist-to DIR  use the database of npm start -- --persist-to DIR
  --env NAME        use the environment [env.NAME] of wrangler.toml`;

/** `npm run account`. */
export async function manageAccount(args: string[], run: Wrangler = wrangler): Promise<void> {
  const request = readArguments(args);
  if (request.action === "create") return createAccount(request, run);
  if (request.action === "list") return listAccounts(request, run);
  if (request.action === "end-sessions") return endSessions(request, run);
  if (request.action === "reset-factors") return resetFactors(request, run);
  if (request.action === "disable") return disableAccount(request, run, request.subject);
  if (request.action === "enable") return enableAccount(request, run, request.subject);
  await setQuotas(request, run, request.subject, request.quotas);
}

/** Creates an account with a first key. */
async function createAccount(request: Request, run: Wrangler): Promise<void> {
  const { subject: name, owner, remote, environment } = request;
  const key = generateKey();
  const statements = await accountSql({ name, keyName: "First key", key, owner }, Date.now());
  if (remote) await runRemotely(run, environment, statements);
  else await queryDatabase(request, run, ...statements);
  console.log(
    `Created the account "${name}" in the ${remote ? "deployed service" : "local database"}.\n` +
      (owner === undefined ? "" : `The service sends an invitation to ${owner} within a minute.\n`) +
      `API key: ${key}\n` +
      "Store it in a safe place: only its hash is kept, so it cannot be shown again.",
  );
}

async function listAccounts(target: Target, run: Wrangler): Promise<void> {
  const accounts = await queryDatabase<ListedAccount>(target, run, LIST_ACCOUNTS);
  for (const { id, name, created_at, keys, owners, disabled, deleted } of accounts) {
    const day = new Date(created_at).toISOString().slice(0, 10);
    const state = [...(disabled === 1 ? ["disabled"] : []), ...(deleted === 1 ? ["deleted"] : [])];
    console.log([id, day, countOf(keys, "key"), JSON.stringify(name), owners ?? "no owner", ...state].join("  "));
  }
  console.log(countOf(accounts.length, "account"));
}

async function endSessions(request: Request, run: Wrangler): Promise<void> {
  const ended = await queryDatabase(request, run, endSessionsSql(request.subject));
  console.log(`Ended ${countOf(ended.length, "session")} of ${request.subject}.`);
}

async function resetFactors(request: Request, run: Wrangler): Promise<void> {
  const [removed] = await queryDatabase<RemovedFactors>(request, run, ...resetFactorsSql(request.subject, Date.now()));
  if (removed === undefined) throw new Failure(`No person has the address ${request.subject}.`);
  const { apps, passkeys, codes } = removed;
  const parts = [countOf(apps, "authenticator app"), countOf(passkeys, "passkey"), countOf(codes, "recovery code")];
  console.log(`Removed ${parts.join(", ")} of ${request.subject} and ended all sessions.`);
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

const ACTIONS = ["create", "list", "end-sessions", "reset-factors", "disable", "enable", "quota"] as const;
type Action = (typeof ACTIONS)[number];

interface Request extends Target {
  action: Action;
  /** The name of the new account; for disable, enable and quota the name, the id or the address of an account; the address of a person; '' for a list. */
  subject: string;
  owner: string | undefined;
  quotas: NewQuotas;
}

function readArguments(args: string[]): Request {
  const { values, positionals } = parse(args);
  const [first, text, ...more] = positionals;
  const action = ACTIONS.find((name) => name === first);
  if (action === undefined) throw wrongUsage(UNKNOWN_ACTION);
  if (action !== "list" && text === undefined) throw wrongUsage(UNKNOWN_ACTION);
  if (more.length > 0) throw wrongUsage("There is more than one name. Put a name with spaces in quotes.");
  const quotas = { links: readQuota(values, "links"), linkBytes: readQuota(values, "link-bytes") };
  if (action !== "quota" && Object.values(quotas).some((quota) => quota !== undefined))
    throw wrongUsage(`${action} takes no quotas. Set them with: quota ACCOUNT.`);
  if (action !== "create" && values.owner !== undefined) throw wrongUsage("--owner is only for create.");
  const owner = values.owner === undefined ? undefined : accept("--owner", EmailInput.safeParse(values.owner));
  return { action, subject: readSubject(action, text), owner, quotas, ...targetOf(values) };
}

const UNKNOWN_ACTION =
  "The action is missing or unknown. Use: create NAME, list, end-sessions ADDRESS, reset-factors ADDRESS, disable ACCOUNT, enable ACCOUNT, or quota ACCOUNT.";

function readSubject(action: Action, text = ""): string {
  if (action === "list") return "";
  if (action === "end-sessions" || action === "reset-factors") return accept("ADDRESS", EmailInput.safeParse(text));
  const maxChars = action === "create" ? MAX_ACCOUNT_NAME_CHARS : Math.max(MAX_ACCOUNT_NAME_CHARS, MAX_EMAIL_CHARS);
  return accept("NAME", lineOfText(maxChars).safeParse(text));
}

function accept(name: string, parsed: ZodSafeParseResult<string>): string {
  if (parsed.success) return parsed.data;
  throw wrongUsage(`${name} ${parsed.error.issues.map(({ message }) => message).join(", ")}.`);
}

function targetOf(values: ReturnType<typeof parse>["values"]): Target {
  try {
    return readTarget(values);
  } catch (error) {
    throw wrongUsage((error as Error).message);
  }
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
  const text = { type: "string" } as const;
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: { ...TARGET_OPTIONS, owner: text, links: text, "link-bytes": text },
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
