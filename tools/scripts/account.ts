import { generateKey } from "../../src/platform/auth/key.ts";
import { disableAccount, enableAccount, trustAccount } from "./account-access.ts";
import { readArguments, USAGE, type Request } from "./account-arguments.ts";
import { inviteOwner, prepareDelivery } from "./account-invitation.ts";
import { revokeKey } from "./account-key.ts";
import { describeCallLimits, setCallLimits } from "./account-limits.ts";
import { setOperator } from "./account-operator.ts";
import { setQuotas } from "./account-quota.ts";
import { makeSignInLink } from "./account-sign-in.ts";
import { accountSql, endSessionsSql, LIST_ACCOUNTS, type ListedAccount } from "./account-sql.ts";
import { announce, missingIn } from "./announce.ts";
import type { Target } from "./backup/target.ts";
import { countOf, Failure, runCommand } from "./command.ts";
import { queryDatabase } from "./database-query.ts";
import { installationOptions } from "./deployment-config.ts";
import { resetFactorsSql, type RemovedFactors } from "./factors-sql.ts";
import { printSetupCode } from "./setup-code.ts";
import { readWrangler, wrangler, type Wrangler } from "./wrangler.ts";

/** `npm run account`. */
export async function manageAccount(args: string[], run: Wrangler = wrangler): Promise<void> {
  const request = readArguments(args);
  announce(request);
  if (request.action === "create") return createAccount(request, run);
  if (request.action === "invite") return inviteOwner(request, run, request.subject, request.owner ?? "");
  if (request.action === "setup-code") return printSetupCode(request, run);
  if (request.action === "list") return listAccounts(request, run);
  if (request.action === "end-sessions") return endSessions(request, run);
  if (request.action === "reset-factors") return resetFactors(request, run);
  if (request.action === "revoke-key") return revokeKey(request, run, request.subject);
  if (request.action === "disable") return disableAccount(request, run, request.subject);
  if (request.action === "enable") return enableAccount(request, run, request.subject);
  if (request.action === "trust") return trustAccount(request, run, request.subject);
  if (request.action === "sign-in") return makeSignInLink(request, run, request.subject);
  if (request.action === "operator") return setOperator(request, run, request.subject, !request.remove);
  if (request.action === "limits") return setCallLimits(request, run, request.subject, request.limits);
  await setQuotas(request, run, request.subject, request.quotas);
}

/** Creates an account with a first key. */
async function createAccount(request: Request, run: Wrangler): Promise<void> {
  const { subject: name, owner, remote, environment } = request;
  const key = generateKey();
  const delivery = owner === undefined ? null : await prepareDelivery(request, run, owner);
  const account = { name, keyName: "First key", key, owner, tokenHash: delivery?.tokenHash ?? null };
  const statements = await accountSql(account, Date.now());
  if (remote) await runRemotely(run, environment, statements);
  else await queryDatabase(request, run, ...statements);
  console.log(
    `Created the account "${name}" in the ${remote ? "deployed service" : "local database"}.\n` +
      (delivery === null ? "" : `${delivery.report}\n`) +
      `API key: ${key}\n` +
      "Store it in a safe place: only its hash is kept, so it cannot be shown again.",
  );
}

async function listAccounts(target: Target, run: Wrangler): Promise<void> {
  const accounts = await queryDatabase<ListedAccount>(target, run, LIST_ACCOUNTS);
  for (const { id, name, created_at, keys, owners, disabled, deleted, untrusted, rate_limit_factor } of accounts) {
    const day = new Date(created_at).toISOString().slice(0, 10);
    const state = [...(disabled === 1 ? ["disabled"] : []), ...(deleted === 1 ? ["deleted"] : [])];
    if (untrusted === 1) state.push("not trusted yet");
    if (rate_limit_factor !== null) state.push(`rate limits ${describeCallLimits(rate_limit_factor)}`);
    console.log([id, day, countOf(keys, "key"), JSON.stringify(name), owners ?? "no owner", ...state].join("  "));
  }
  console.log(countOf(accounts.length, "account"));
}

async function endSessions(request: Request, run: Wrangler): Promise<void> {
  const { all, subject } = request;
  const ended = await queryDatabase<{ kind: string }>(request, run, ...endSessionsSql(all ? null : subject));
  const apps = ended.filter(({ kind }) => kind === "app").length;
  console.log(`Ended ${countOf(ended.length - apps, "session")} of ${all ? "all persons" : subject}.`);
  if (apps > 0) console.log(`Disconnected ${countOf(apps, "app")}.`);
}

async function resetFactors(request: Request, run: Wrangler): Promise<void> {
  const [removed] = await queryDatabase<RemovedFactors>(request, run, ...resetFactorsSql(request.subject, Date.now()));
  if (removed === undefined) throw missingIn(request, `No person has the address ${request.subject}`);
  const { apps, passkeys, codes } = removed;
  const parts = [countOf(apps, "authenticator app"), countOf(passkeys, "passkey"), countOf(codes, "recovery code")];
  console.log(`Removed ${parts.join(", ")} of ${request.subject}, ended all sessions and disconnected all apps.`);
}

async function runRemotely(run: Wrangler, environment: string | undefined, statements: string[]): Promise<void> {
  try {
    await readWrangler(run, [
      "d1",
      "execute",
      "DB",
      "--remote",
      "--yes",
      `--command=${statements.join(";\n")};`,
      ...installationOptions(environment),
    ]);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(
      `${error.message}\n\nThe account could not be created. This needs a login (npx wrangler login) and a deployed service (npm run deploy).`,
    );
  }
}

if (import.meta.main) await runCommand(manageAccount, USAGE);
