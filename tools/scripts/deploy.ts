import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Unstable_Config } from "wrangler";
import { parseJson, resourcesOf, secretNames } from "./cloud-resources.ts";
import {
  ANOTHER_CODE,
  BUILD_KEY_ADVICE,
  buildAdvice,
  checkReachable,
  checkWorkerName,
  describeClaim,
  isCloudflareBuild,
  keepHost,
  readOwned,
  refuseWithoutHost,
} from "./cloudflare-build.ts";
import { Failure, runCommand, WRONG_USAGE } from "./command.ts";
import { checkNeeds, checkSettings } from "./deployed-settings.ts";
import { deploymentConfig, SETTINGS_FILE } from "./deployment-config.ts";
import { describeSettings } from "./describe-settings.ts";
import { ENCRYPTION_KEYS, firstEncryptionKey } from "./encryption-key.ts";
import { readInstallation } from "./installation.ts";
import { environmentOf, givenVariables, hasFlag, optionValue, optionValues, withoutOption } from "./options.ts";
import { describeSetupCode, provideSetupCode, type Query } from "./setup-code.ts";
import { checkAnonymousDomain, customDomain, parseServiceUrl } from "./service-url.ts";
import { CONFIG_FILE, readWrangler, ROOT, runWrangler, wrangler, WranglerFailure, type Wrangler } from "./wrangler.ts";
import { checkOptions } from "./wrangler-options.ts";

const USAGE = `Usage: npm run deploy -- --url https://go.example [--env NAME] [--dry-run] [OPTIONS of wrangler deploy]

Creates what is missing in your Cloudflare account (run npx wrangler login first) and deploys the service to
the URL: a domain in your account, or https://<name of the Worker>.<your subdomain>.workers.dev.
If there is a file ${SETTINGS_FILE}, its settings win over those of wrangler.toml.
  --url URL   the URL of the service; the environment variable TERN_URL and BASE_URL in the settings do the same
  --env NAME  the environment [env.NAME] of ${SETTINGS_FILE} or wrangler.toml
  --dry-run   shows what will be done
For the other options: npx wrangler deploy --help`;

/** `npm run deploy`: makes a running service of an empty account, or updates an older version. */
export async function deploy(args: string[], run: Wrangler = wrangler, folder: string = ROOT): Promise<void> {
  const others = withoutOption(args, "--url");
  await checkOptions("deploy", others);
  const environment = environmentOf(others);
  const given = withConfig(others, folder);
  const config = readInstallation(configFileOf(given), environment);
  const url = serviceUrl(args, config);
  const inBuild = isCloudflareBuild();
  if (inBuild) checkWorkerName(config);
  // If the file has environments, wrangler wants one to be named. The empty name is the top level.
  const namesNone = optionValue(given, "--env", "-e") === undefined && environment === undefined;
  const hasEnvironments = (config.definedEnvironments ?? []).length > 0;
  const passedOn = namesNone && hasEnvironments ? [...given, "--env="] : given;
  refuseOtherName(config, optionValue(passedOn, "--name"));
  const host = anonymousHostOf(config, url, passedOn);
  const variables = { ...config.vars, ...givenVariables(passedOn), BASE_URL: url?.origin ?? "" };
  checkSettings(variables);
  const command = deployCommand(url, host, config.name, passedOn);

  const dryRun = hasFlag(passedOn, "--dry-run", "--dryRun");
  const announce = (step: string) => console.log(dryRun ? `Dry run, not done: ${step}` : step);
  const options = sharedOptions(passedOn);
  const file = optionValue(passedOn, "--secrets-file", "--secretsFile");
  const needsKey = !dryRun && file === undefined;
  const listing = secretNames(options, run);
  const listed = await listing.catch(needsKey ? withAdvice("Workers Scripts") : () => null);
  const lacksKey = needsKey && listed?.has(ENCRYPTION_KEYS) !== true;
  if (lacksKey && !process.stdout.isTTY && !inBuild) throw new Failure(UNATTENDED_KEY_ADVICE);
  const secrets = listed === null || file === undefined ? listed : new Set([...listed, ...namesIn(file)]);
  checkNeeds(config, variables, secrets);
  for (const { purpose, permission, provide } of resourcesOf(config, options, run)) {
    announce(purpose);
    if (!dryRun) await provide().catch(withAdvice(permission));
  }
  const query = queryOf(options, run);
  const owned = inBuild && !dryRun ? await readOwned(query).catch(withAdvice("D1")) : null;
  if (owned !== null && url === null) refuseWithoutHost(owned);
  announce(`Create the secret ${ENCRYPTION_KEYS} unless it exists`);
  announce(`wrangler ${command.join(" ")}`);
  const upload = (...more: string[]) => runWrangler(run, [...command, ...more]).catch(withAdvice("Workers Scripts"));
  await (lacksKey ? withNewKey(upload) : upload());
  const described = describeSettings(config, variables, secrets);
  if (dryRun) return console.log(`\n${described.join("\n")}`);
  if (url !== null) await keepHost(query, url.origin);
  const envOption = environment === undefined ? "" : ` --env ${environment}`;
  console.log(
    `\n${runsAt(url?.origin ?? owned?.origin ?? "")}\n${described.join("\n")}\nTo create an account: npm run account -- create NAME --remote${envOption}`,
  );
  if (owned?.isClaimed === false) {
    // The deployment may have added secrets. A token that may not list them fails nothing now.
    const added = await secretNames(options, run).catch(() => null);
    console.log(`\n${describeClaim(url?.origin ?? null, added)}`);
  }
  // Other logs of unattended deployments are kept too, so only a terminal gets a code.
  if (process.stdout.isTTY) await printNewSetupCode(query, url?.origin);
}

/** The names in a file of secrets, and other words. */
function namesIn(file: string): string[] {
  return readFileSync(resolve(ROOT, file), "utf8").match(/\w+/g) ?? [];
}

/** The URL of the service; null: it takes the host at which it is claimed, which only a build of Cloudflare may leave open. */
function serviceUrl(args: string[], config: Unstable_Config): URL | null {
  const requested = optionValue(args, "--url") ?? process.env["TERN_URL"] ?? "";
  const text = requested === "" ? config.vars["BASE_URL"] : requested;
  if (typeof text === "string" && text !== "") return parseServiceUrl(text);
  // At a terminal, a forgotten --url would take the host away from an installation that has one.
  if (!isCloudflareBuild()) throw new Failure(USAGE, WRONG_USAGE);
  checkReachable(config);
  return null;
}

function runsAt(origin: string): string {
  return origin === "" ? "The service is deployed." : `The service runs at ${origin}`;
}

function queryOf(options: readonly string[], run: Wrangler): Query {
  return async (sql) => {
    const args = ["d1", "execute", "DB", "--remote", "--yes", "--json", `--command=${sql}`, ...options];
    return parseJson<{ results: unknown[] }>(await readWrangler(run, args)).flatMap(({ results }) => results);
  };
}

/** The service is deployed: a query that fails now fails nothing. */
async function printNewSetupCode(query: Query, origin: string | undefined): Promise<void> {
  try {
    const code = await provideSetupCode(query);
    if (code !== null) console.log(`\n${describeSetupCode(code, origin)}`);
  } catch (error) {
    console.log(
      `\nThe service is deployed, and no setup code could be made: ${String(error)}\nTo try again: ${ANOTHER_CODE}`,
    );
  }
}

/** Names the configuration with the operator's settings, unless the arguments name one or there are no settings. */
function withConfig(args: string[], folder: string): string[] {
  if (optionValue(args, "--config", "-c") !== undefined) return args;
  const file = deploymentConfig(folder);
  if (file === CONFIG_FILE) return args;
  console.log(`Settings: ${join(folder, SETTINGS_FILE)}`);
  return [`--config=${file}`, ...args];
}

/** The host of links without an account; '': the service's own. */
function anonymousHostOf({ vars, workers_dev }: Unstable_Config, url: URL | null, args: readonly string[]): string {
  if (optionValues(args, "--var").some((variable) => variable.startsWith("ANONYMOUS_HOST:")))
    throw new Failure(`Write ANONYMOUS_HOST into ${SETTINGS_FILE}: the next deployment would forget it.`, WRONG_USAGE);
  const { ANONYMOUS_HOST } = vars;
  const host = typeof ANONYMOUS_HOST === "string" ? ANONYMOUS_HOST : "";
  checkAnonymousDomain(host, url, workers_dev);
  return host;
}

function configFileOf(args: readonly string[]): string {
  const file = optionValue(args, "--config", "-c");
  return file === undefined ? CONFIG_FILE : resolve(ROOT, file);
}

/** Only the Worker would have the other name. It would use the database and the queues of the first one. */
function refuseOtherName(config: Unstable_Config, name: string | undefined): void {
  if (name === undefined || name === config.name) return;
  throw new Failure(
    `--name=${name} would deploy a second Worker with the database and the queues of "${config.name}".\n` +
      `Write the names into ${SETTINGS_FILE}, or add an environment (docs/second-installation.md) and use --env NAME.`,
    WRONG_USAGE,
  );
}

/**
 * The logs of an unattended deployment are kept, so a new key must not be printed there, and Cloudflare never shows a
 * secret again. A key that nobody can read would make every backup useless.
 */
const UNATTENDED_KEY_ADVICE = `The Worker has no secret ${ENCRYPTION_KEYS}, and without a terminal nobody could read a new one. Nothing was created or deployed.
Deploy once from a terminal, or make the key, keep a copy of the file, and pass it:
  node -p 'JSON.stringify({ ${ENCRYPTION_KEYS}: "k1:" + crypto.randomBytes(32).toString("base64") })' > secrets.json
  npm run deploy -- --url URL --secrets-file secrets.json`;

/**
 * Runs a deployment with a file that has a new encryption key, and deletes the file. Cloudflare never shows the key again,
 * so it is printed, also if the deployment fails: the Worker may have it.
 */
async function withNewKey(run: (option: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "tern-secrets-"));
  const key = firstEncryptionKey();
  let advice = FAILED_KEY_ADVICE;
  try {
    const file = join(folder, "secrets.json");
    await writeFile(file, JSON.stringify({ [ENCRYPTION_KEYS]: key }), { mode: 0o600 });
    await run(`--secrets-file=${file}`);
    advice = isCloudflareBuild() ? BUILD_KEY_ADVICE : KEY_ADVICE;
  } finally {
    await rm(folder, { recursive: true, force: true });
    console.log(`\n${ENCRYPTION_KEYS}: ${key}\n${advice}`);
  }
}

const KEY_ADVICE = "Keep this key: it is not shown again, and without it no backup can be restored.";
const FAILED_KEY_ADVICE =
  "The deployment failed, perhaps after the Worker got this key. Keep it, unless the next deployment prints another one.";
const LOGIN_ADVICE =
  "If wrangler is not logged in: npx wrangler login. If you have several accounts, name one in CLOUDFLARE_ACCOUNT_ID.";

/** Adds what the step needs to the message of a wrangler command that failed. */
function withAdvice(permission: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof WranglerFailure)) throw error;
    const token = `An API token needs the permission "Account, ${permission}: Edit" for this step (docs/builds.md).`;
    const advice = isCloudflareBuild() ? buildAdvice(permission) : `${LOGIN_ADVICE}\n${token}`;
    throw new Failure(`${error.message}\n\n${advice}`, error.exitCode);
  };
}

function deployCommand(url: URL | null, host: string, workerName: string | undefined, args: string[]): string[] {
  const own = url === null ? null : customDomain(url, workerName ?? "");
  const domains = [own ?? "", host].filter((domain) => domain !== "");
  const hasRoute = args.some((arg) => /^--(routes?|domains?)(=|$)/.test(arg));
  // Options that may have several values come first, so that they cannot take an argument of the caller as a value.
  const domainOptions = hasRoute ? [] : domains.map((domain) => `--domain=${domain}`);
  const variables = url === null ? [] : [`--var=BASE_URL:${url.origin}`];
  return ["deploy", ...variables, ...domainOptions, ...args];
}

/** Options that every wrangler command takes: the account and the configuration. */
function sharedOptions(args: string[]): string[] {
  return [["--config", "-c"], ["--env", "-e"], ["--profile"]].flatMap((names) => {
    const value = optionValue(args, ...names);
    return value === undefined ? [] : [`${names[0]}=${value}`];
  });
}

if (import.meta.main) await runCommand(deploy, USAGE);
