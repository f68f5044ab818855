import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unstable_readConfig } from "wrangler";
import { lacksEncryptionKey, resourcesOf } from "./cloud-resources.ts";
import { Failure, runCommand, WRONG_USAGE } from "./command.ts";
import { ENCRYPTION_KEYS, firstEncryptionKey } from "./encryption-key.ts";
import { optionValue, withoutOption } from "./options.ts";
import { customDomain, parseServiceUrl } from "./service-url.ts";
import { ROOT, runWrangler, wrangler, WranglerFailure, type Wrangler } from "./wrangler.ts";

const USAGE = `Usage: npm run deploy -- --url https://go.example [--dry-run] [ARGS for wrangler deploy]

Creates what is missing in your Cloudflare account (run npx wrangler login first) and deploys the service to
the URL: a domain in your account, or https://<name of the Worker>.<your subdomain>.workers.dev.`;

/** `npm run deploy`: makes a running service of an empty account, or updates an older version. */
export async function deploy(args: string[], run: Wrangler = wrangler): Promise<void> {
  const requestedUrl = optionValue(args, "--url");
  if (requestedUrl === undefined) throw new Failure(USAGE, WRONG_USAGE);
  const url = parseServiceUrl(requestedUrl);
  const passedOn = withoutOption(args, "--url");
  const config = unstable_readConfig({ config: optionValue(passedOn, "--config") ?? `${ROOT}/wrangler.toml` });
  const name = optionValue(passedOn, "--name");
  const command = deployCommand(url, name ?? config.name, passedOn);

  const dryRun = passedOn.some((arg) => /^--dry-?run(=true)?$/i.test(arg));
  const announce = (step: string) => console.log(dryRun ? `Dry run, not done: ${step}` : step);
  const options = sharedOptions(passedOn);
  for (const { purpose, provide } of resourcesOf(config, options, run)) {
    announce(purpose);
    if (!dryRun) await provide().catch(withAdvice);
  }
  announce(`Create the secret ${ENCRYPTION_KEYS} unless it exists`);
  const workerOptions = name === undefined ? options : [...options, `--name=${name}`];
  const needsKey = !dryRun && !passedOn.some((arg) => arg.startsWith("--secrets-file"));
  const lacksKey = needsKey && (await lacksEncryptionKey(workerOptions, run).catch(withAdvice));
  announce(`wrangler ${command.join(" ")}`);
  await (lacksKey ? withNewKey((option) => runWrangler(run, [...command, option])) : runWrangler(run, command));
  if (dryRun) return;
  console.log(`\nThe service runs at ${url.origin}\nTo create an account: npm run account -- create NAME --remote`);
}

/** Runs a deployment with a file that has a new encryption key, and deletes the file. */
async function withNewKey(run: (option: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "tern-secrets-"));
  try {
    const file = join(folder, "secrets.json");
    await writeFile(file, JSON.stringify({ [ENCRYPTION_KEYS]: firstEncryptionKey() }), { mode: 0o600 });
    await run(`--secrets-file=${file}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function withAdvice(error: unknown): never {
  if (!(error instanceof WranglerFailure)) throw error;
  throw new Failure(
    `${error.message}\n\nIf wrangler is not logged in: npx wrangler login. If you have several accounts, name one in CLOUDFLARE_ACCOUNT_ID.`,
    error.exitCode,
  );
}

function deployCommand(url: URL, workerName: string | undefined, args: string[]): string[] {
  const domain = customDomain(url, workerName ?? "");
  const hasRoute = args.some((arg) => /^--(routes?|domains?)(=|$)/.test(arg));
  // Options that may have several values come first, so that they cannot take an argument of the caller as a value.
  const domainOption = domain === null || hasRoute ? [] : [`--domain=${domain}`];
  return ["deploy", `--var=BASE_URL:${url.origin}`, ...domainOption, "--minify", ...args];
}

/** Options that every wrangler command takes: the account and the configuration. */
function sharedOptions(args: string[]): string[] {
  return ["--config", "--env", "--profile"].flatMap((name) => {
    const value = optionValue(args, name);
    return value === undefined ? [] : [`${name}=${value}`];
  });
}

if (import.meta.main) await runCommand(deploy);
