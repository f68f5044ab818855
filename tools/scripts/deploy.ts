import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Unstable_Config } from "wrangler";
import { lacksEncryptionKey, parseJson, resourcesOf, secretNames } from "./cloud-resources.ts";
import { Failure, runCommand, WRONG_USAGE } from "./command.ts";
import { checkSettings, describeSettings, isOn } from "./deployed-settings.ts";
import { deploymentConfig, SETTINGS_FILE } from "./deployment-config.ts";
import { ENCRYPTION_KEYS, firstEncryptionKey } from "./encryption-key.ts";
import { readInstallation } from "./installation.ts";
import { environmentOf, givenVariables, hasFlag, optionValue, optionValues, withoutOption } from "./options.ts";
import { describeSetupCode, provideSetupCode } from "./setup-code.ts";
import { checkAnonymousDomain, customDomain, parseServiceUrl } from "./service-url.ts";
import { CONFIG_FILE, readWrangler, ROOT, runWrangler, wrangler, WranglerFailure, type Wrangler } from "./wrangler.ts";
import { checkOptions } from "./wrangler-options.ts";

const USAGE = `Usage: npm run deploy -- --url https://go.example [--env NAME] [--dry-run] [OPTIONS of wrangler deploy]

Creates what is missing in your Cloudflare account (run npx wrangler login first) and deploys the service to
the URL: a domain in your account, or https://<name of the Worker>.<your subdomain>.workers.dev.
If there is a file ${SETTINGS_FILE}, its settings win over those of wrangler.toml.
  --url URL   the URL of the service; the environment variable TERN_URL does the same
  --env NAME  the environment [env.NAME] of ${SETTINGS_FILE} or wrangler.toml
  --dry-run   shows what will be done
For the other options: npx wrangler deploy --help`;

/** `npm run deploy`: makes a running service of an empty account, or updates an older version. */
export async function deploy(args: string[], run: Wrangler = wrangler, folder: string = ROOT): Promise<void> {
  const requestedUrl = optionValue(args, "--url") ?? process.env["TERN_URL"];
  if (requestedUrl === undefined || requestedUrl === "") throw new Failure(USAGE, WRONG_USAGE);
  const url = parseServiceUrl(requestedUrl);
  const others = withoutOption(args, "--url");
  await checkOptions("deploy", others);
  const environment = environmentOf(others);
  const given = withConfig(others, folder);
  const config = readInstallation(configFileOf(given), environment);
  // If the file has environments, wrangler wants one to be named. The empty name is the top level.
  const namesNone = optionValue(given, "--env", "-e") === undefined && environment === undefined;
  const hasEnvironments = (config.definedEnvironments ?? []).length > 0;
  const passedOn = namesNone && hasEnvironments ? [...given, "--env="] : given;
  refuseOtherName(config, optionValue(passedOn, "--name"));
  const host = anonymousHostOf(config, url, passedOn);
  checkSettings({ ...config.vars, ...givenVariables(passedOn) });
  const command = deployCommand(url, host, config.name, passedOn);

  const dryRun = hasFlag(passedOn, "--dry-run", "--dryRun");
  const announce = (step: string) => console.log(dryRun ? `Dry run, not done: ${step}` : step);
  const options = sharedOptions(passedOn);
  const needsKey = !dryRun && !passedOn.some((arg) => /^--secrets-?file/i.test(arg));
  const lacksKey = needsKey && (await lacksEncryptionKey(options, run).catch(withAdvice));
  if (lacksKey && !process.stdout.isTTY) throw new Failure(UNATTENDED_KEY_ADVICE);
  for (const { purpose, provide } of resourcesOf(config, options, run)) {
    announce(purpose);
    if (!dryRun) await provide().catch(withAdvice);
  }
  announce(`Create the secret ${ENCRYPTION_KEYS} unless it exists`);
  announce(`wrangler ${command.join(" ")}`);
  await (lacksKey ? withNewKey((option) => runWrangler(run, [...command, option])) : runWrangler(run, command));
  if (dryRun) return;
  // The service is deployed: a token that may not list secrets fails nothing.
  const secrets = isOn(config.vars["SCREENING"]) ? await secretNames(options, run).catch(() => null) : null;
  const described = describeSettings(config, host, secrets);
  const envOption = environment === undefined ? "" : ` --env ${environment}`;
  console.log(
    `\nThe service runs at ${url.origin}\n${described.join("\n")}\nTo create an account: npm run account -- create NAME --remote${envOption}`,
  );
  const code = await newSetupCode(options, run);
  if (code !== null) console.log(`\n${describeSetupCode(code, url.origin)}`);
}

/** The logs of an unattended deployment are kept, so it makes no code. */
async function newSetupCode(options: readonly string[], run: Wrangler): Promise<string | null> {
  if (!process.stdout.isTTY) return null;
  const query = async (sql: string) => {
    const args = ["d1", "execute", "DB", "--remote", "--yes", "--json", `--command=${sql}`, ...options];
    return parseJson<{ results: unknown[] }>(await readWrangler(run, args)).flatMap(({ results }) => results);
  };
  return provideSetupCode(query, Date.now());
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
function anonymousHostOf({ vars, workers_dev }: Unstable_Config, url: URL, args: readonly string[]): string {
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
 * so it is printed.
 */
async function withNewKey(run: (option: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "tern-secrets-"));
  const key = firstEncryptionKey();
  try {
    const file = join(folder, "secrets.json");
    await writeFile(file, JSON.stringify({ [ENCRYPTION_KEYS]: key }), { mode: 0o600 });
    await run(`--secrets-file=${file}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  console.log(
    `\n${ENCRYPTION_KEYS}: ${key}\nKeep this key: it is not shown again, and without it no backup can be restored.`,
  );
}

function withAdvice(error: unknown): never {
  if (!(error instanceof WranglerFailure)) throw error;
  throw new Failure(
    `${error.message}\n\nIf wrangler is not logged in: npx wrangler login. If you have several accounts, name one in CLOUDFLARE_ACCOUNT_ID.`,
    error.exitCode,
  );
}

function deployCommand(url: URL, host: string, workerName: string | undefined, args: string[]): string[] {
  const domains = [customDomain(url, workerName ?? "") ?? "", host].filter((domain) => domain !== "");
  const hasRoute = args.some((arg) => /^--(routes?|domains?)(=|$)/.test(arg));
  // Options that may have several values come first, so that they cannot take an argument of the caller as a value.
  const domainOptions = hasRoute ? [] : domains.map((domain) => `--domain=${domain}`);
  return ["deploy", `--var=BASE_URL:${url.origin}`, ...domainOptions, ...args];
}

/** Options that every wrangler command takes: the account and the configuration. */
function sharedOptions(args: string[]): string[] {
  return [["--config", "-c"], ["--env", "-e"], ["--profile"]].flatMap((names) => {
    const value = optionValue(args, ...names);
    return value === undefined ? [] : [`${names[0]}=${value}`];
  });
}

if (import.meta.main) await runCommand(deploy, USAGE);
