import { parseArgs } from "node:util";
import type { ZodSafeParseResult } from "zod";
import { faultsOf, lineOfText } from "../../src/platform/http/validation.ts";
import { MAX_ACCOUNT_NAME_CHARS } from "../../src/limits.ts";
import { MAX_QUOTA, MAX_RATE_LIMIT_FACTOR } from "./limits.ts";
import { EmailInput } from "../../src/platform/mail/email-address.ts";
import type { NewCallLimits } from "./account-limits.ts";
import type { NewQuotas } from "./account-quota.ts";
import { readTarget, TARGET_OPTIONS, type Target } from "./backup/target.ts";
import { Failure, WRONG_USAGE } from "./command.ts";
import { MAX_EMAIL_CHARS } from "../../src/platform/mail/limits.ts";
import { DEFAULT_MAX_LINK_BYTES_PER_ACCOUNT, DEFAULT_MAX_LINKS_PER_ACCOUNT } from "../../src/access/usage/limits.ts";

const TARGET = "[--remote | --persist-to DIR] [--env NAME]";
export const USAGE = `Usage: npm run account -- create NAME [--owner ADDRESS] ${TARGET}
       npm run account -- invite ACCOUNT ADDRESS ${TARGET}
       npm run account -- setup-code ${TARGET}
       npm run account -- list ${TARGET}
       npm run account -- end-sessions ADDRESS | --all ${TARGET}
       npm run account -- reset-factors ADDRESS ${TARGET}
       npm run account -- sign-in ADDRESS ${TARGET}
       npm run account -- operator ADDRESS [--remove] ${TARGET}
       npm run account -- revoke-key KEY ${TARGET}
       npm run account -- disable ACCOUNT ${TARGET}
       npm run account -- enable ACCOUNT ${TARGET}
       npm run account -- trust ACCOUNT ${TARGET}
       npm run account -- quota ACCOUNT [--links N] [--link-bytes N] ${TARGET}
       npm run account -- limits ACCOUNT [--per-key [--factor N] | --per-address] ${TARGET}

create makes an account with a first API key that has all permissions, and prints the key.
invite invites a person as the owner of an account that has none, and ends its earlier invitation.
setup-code prints a new code with which somebody claims an installation that has no owner yet.
list shows all accounts with their owners.
end-sessions ends all sessions of a person and disconnects the person's apps; with --all those of everybody, as after a restore.
reset-factors does the same and removes the second factors of the person, who has lost them.
sign-in prints links with which a person signs in and sets a new password, each once.
operator lets a person take down links, accounts and domains of the service; with --remove that ends.
revoke-key ends an API key for good, such as one that leaked, and names the keys that were made with it.
disable refuses the keys and the members of an account; a person whose personal account it is cannot sign in.
enable takes that back.
trust lets the links of an account redirect without the page before that shows the destination.
quota sets how many links an account may have and how many bytes they may take, and prints what it uses of that.
limits sets whether the rate limits count the calls of an account for each key, or for each address, and prints it.
  NAME              1 to ${MAX_ACCOUNT_NAME_CHARS} characters; put a name with spaces in quotes
  ADDRESS           the e-mail address of a person
  KEY               an API key, or its id
  ACCOUNT           the name of an account, its id if several have the name, or the address of its person
  --owner ADDRESS   invite this person as the owner; the service sends the mail, or the command prints the link if no mail is set up
  --links N         maximum number of links, or "default": ${DEFAULT_MAX_LINKS_PER_ACCOUNT}
  --link-bytes N    maximum number of bytes, or "default": ${DEFAULT_MAX_LINK_BYTES_PER_ACCOUNT}
  --per-key         each key of the account has windows of its own, whatever address its calls come from
  --factor N        these windows are N times as large as the others: 1 (default) to ${MAX_RATE_LIMIT_FACTOR}
  --per-address     count for each address again
  --remote          use the deployed service's database instead of the local one
  --persist-to DIR  use the database of npm start -- --persist-to DIR
  --env NAME        use the environment [env.NAME] of deploy.toml, or on this machine of wrangler.toml`;

export const ACTIONS = [
  "create",
  "invite",
  "setup-code",
  "list",
  "end-sessions",
  "reset-factors",
  "sign-in",
  "operator",
  "revoke-key",
  "disable",
  "enable",
  "trust",
  "quota",
  "limits",
] as const;
type Action = (typeof ACTIONS)[number];

export interface Request extends Target {
  action: Action;
  /** Whether it is for all persons. */
  all: boolean;
  /** Whether the person is no operator any more. */
  remove: boolean;
  /** The name of the new account; for invite, disable, enable, trust, quota and limits the name, the id or the address of an account; the address of a person; a key or its id; '' for a list. */
  subject: string;
  /** The address of a person to invite. */
  owner: string | undefined;
  quotas: NewQuotas;
  limits: NewCallLimits;
}

/** Throws a {@link Failure} with the usage for wrong arguments. */
export function readArguments(args: string[]): Request {
  const { values, positionals } = parse(args);
  const [first, text, ...others] = positionals;
  const action = ACTIONS.find((name) => name === first);
  if (action === undefined) throw wrongUsage(UNKNOWN_ACTION);
  const [invited, ...more] = action === "invite" ? others : [undefined, ...others];
  if (action === "invite" && invited === undefined) throw wrongUsage(UNKNOWN_ACTION);
  const all = values.all === true;
  if (all && (action !== "end-sessions" || text !== undefined))
    throw wrongUsage("--all is only for end-sessions without an ADDRESS.");
  const remove = values.remove === true;
  if (remove && action !== "operator") throw wrongUsage("--remove is only for operator.");
  const hasSubject = action !== "list" && action !== "setup-code" && !all;
  if (hasSubject && text === undefined) throw wrongUsage(UNKNOWN_ACTION);
  if (more.length > 0) throw wrongUsage("There is more than one name. Put a name with spaces in quotes.");
  const quotas = { links: readQuota(values, "links"), linkBytes: readQuota(values, "link-bytes") };
  if (action !== "quota" && Object.values(quotas).some((quota) => quota !== undefined))
    throw wrongUsage(`${action} takes no quotas. Set them with: quota ACCOUNT.`);
  const limits = readLimits(values);
  if (action !== "limits" && limits !== undefined)
    throw wrongUsage(`${action} takes no limits. Set them with: limits ACCOUNT.`);
  if (action !== "create" && values.owner !== undefined) throw wrongUsage("--owner is only for create.");
  const owner = readAddress("ADDRESS", invited) ?? readAddress("--owner", values.owner);
  return {
    action,
    all,
    remove,
    subject: all ? "" : readSubject(action, text),
    owner,
    quotas,
    limits,
    ...targetOf(values),
  };
}

const UNKNOWN_ACTION =
  "The action is missing or unknown. Use: create NAME, invite ACCOUNT ADDRESS, setup-code, list, end-sessions ADDRESS, reset-factors ADDRESS, sign-in ADDRESS, operator ADDRESS, revoke-key KEY, disable ACCOUNT, enable ACCOUNT, trust ACCOUNT, quota ACCOUNT, or limits ACCOUNT.";

function readSubject(action: Action, text = ""): string {
  if (action === "list" || action === "setup-code") return "";
  if (["end-sessions", "reset-factors", "sign-in", "operator"].includes(action))
    return accept("ADDRESS", EmailInput.safeParse(text));
  const maxChars = action === "create" ? MAX_ACCOUNT_NAME_CHARS : Math.max(MAX_ACCOUNT_NAME_CHARS, MAX_EMAIL_CHARS);
  return accept("NAME", lineOfText(maxChars).safeParse(text));
}

function readAddress(name: string, text: string | undefined): string | undefined {
  return text === undefined ? undefined : accept(name, EmailInput.safeParse(text));
}

function accept(name: string, parsed: ZodSafeParseResult<string>): string {
  if (parsed.success) return parsed.data;
  throw wrongUsage(
    `${name} ${faultsOf(parsed.error)
      .map(({ message }) => message)
      .join(", ")}.`,
  );
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

const LIMIT_OPTIONS = {
  "per-key": { type: "boolean" },
  "per-address": { type: "boolean" },
  factor: { type: "string" },
} as const;

function readLimits(values: ReturnType<typeof parse>["values"]): NewCallLimits {
  const { "per-key": perKey = false, "per-address": perAddress = false, factor = "1" } = values;
  if (perKey && perAddress) throw wrongUsage("Choose one of --per-key and --per-address.");
  if (values.factor !== undefined && !perKey) throw wrongUsage("--factor needs --per-key.");
  const isFactor = /^\d+$/.test(factor) && Number(factor) >= 1 && Number(factor) <= MAX_RATE_LIMIT_FACTOR;
  if (!isFactor) throw wrongUsage(`--factor must be a whole number from 1 to ${MAX_RATE_LIMIT_FACTOR}.`);
  if (perAddress) return "per address";
  return perKey ? { factor: Number(factor) } : undefined;
}

function parse(args: string[]) {
  const text = { type: "string" } as const;
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        ...TARGET_OPTIONS,
        owner: text,
        all: { type: "boolean" },
        remove: { type: "boolean" },
        links: text,
        "link-bytes": text,
        ...LIMIT_OPTIONS,
      },
    });
  } catch (error) {
    throw wrongUsage((error as Error).message);
  }
}

function wrongUsage(message: string): Failure {
  return new Failure(`${message}\n\n${USAGE}`, WRONG_USAGE);
}
