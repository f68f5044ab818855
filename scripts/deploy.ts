import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unstable_readConfig } from "wrangler";
import { lacksEncryptionKey, resourcesOf } from "./cloud-resources.ts";
import { Failure, runCommand, WRONG_USAGE } from "./command.ts";
import { ENCRYPTION_KEYS, firstEncryptionKey } from "./encryption-key.ts";
import { optionValue, withoutOption } from "./options.ts";
import { customDomain, parseServiceUrl } from "./service-url.ts";
import { ROOT, runWrangler, WranglerFailure } from "./wrangler.ts";

const USAGE = `Usage: npm run deploy -- --url https://go.example [--dry-run] [ARGS for wrangler deploy]

Makes what is missing in your Cloudflare account (run npx wrangler login first) and deploys the service to
the URL: a domain in your account, or https://<name of the Worker>.<your subdomain>.workers.dev.`;

/** `npm run deploy`: from an empty account, or from an older version, to the running service. */
async function deploy(args: string[]): Promise<void> {
  const asked = optionValue(args, "--url");
  if (asked === undefined) throw new Failure(USAGE, WRONG_USAGE);
  const url = parseServiceUrl(asked);
  const own = withoutOption(args, "--url");
  const config = unstable_readConfig({ config: optionValue(own, "--config") ?? `${ROOT}/wrangler.toml` });
  const command = deployCommand(url, optionValue(own, "--name") ?? config.name, own);

  const dryRun = own.some((arg) => /^--dry-?run(=true)?$/i.test(arg));
  const announce = (step: string) => console.log(dryRun ? `Dry run, not done: ${step}` : step);
  for (const { purpose, provide } of resourcesOf(config, sharedOptions(own))) {
    announce(purpose);
    if (!dryRun) await provide().catch(withAdvice);
  }
  announce(`Make the secret ${ENCRYPTION_KEYS} unless there is one`);
  const named = optionValue(own, "--name");
  const options = named === undefined ? sharedOptions(own) : [...sharedOptions(own), `--name=${named}`];
  const needsKey = !dryRun && !own.some((arg) => arg.startsWith("--secrets-file"));
  const lacksKey = needsKey && (await lacksEncryptionKey(options).catch(withAdvice));
  announce(`wrangler ${command.join(" ")}`);
  await (lacksKey ? withNewKey((option) => runWrangler([...command, option])) : runWrangler(command));
  if (dryRun) return;
  console.log(`\nThe service is at ${url.origin}\nTo make an account: npm run account -- create NAME --remote`);
}

/** Runs a deployment that brings the Worker its encryption key; the file it reads it from is gone afterwards. */
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
  // Options that may have several values come first, so that they take no argument of the caller's for one.
  const domainOption = domain === null || hasRoute ? [] : [`--domain=${domain}`];
  return ["deploy", `--var=BASE_URL:${url.origin}`, ...domainOption, "--minify", ...args];
}

/** Options that wrangler takes with every command: whose account, and which configuration. */
function sharedOptions(args: string[]): string[] {
  return ["--config", "--env", "--profile"].flatMap((name) => {
    const value = optionValue(args, name);
    return value === undefined ? [] : [`${name}=${value}`];
  });
}

await runCommand(deploy);
