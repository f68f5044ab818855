import type { Unstable_Config } from "wrangler";
import { MIN_SETUP_SECRET_CHARS } from "../../src/identity/setup/limits.ts";
import { IS_CLAIMED } from "../../src/platform/installation/store.ts";
import { literal } from "./account-sql.ts";
import { Failure, WRONG_USAGE } from "./command.ts";
import { SETTINGS_FILE } from "./deployment-config.ts";
import { ENCRYPTION_KEYS } from "./encryption-key.ts";
import type { Query } from "./setup-code.ts";

// `npm run deploy` in Workers Builds, the build of Cloudflare that the deploy button sets up (docs/builds.md).

export const ANOTHER_CODE = "npm run account -- setup-code --remote";

/** Whether this is a build of Cloudflare: it sets the variable, and its logs are readable in the dashboard. */
export function isCloudflareBuild(): boolean {
  return process.env["WORKERS_CI"] === "1";
}

/**
 * Throws unless wrangler would deploy the Worker that the configuration names. For another one, the list of secrets would
 * be that of the wrong Worker, and a new key would replace the key of the right one.
 */
export function checkWorkerName({ name }: Unstable_Config): void {
  const connected = process.env["WRANGLER_CI_OVERRIDE_NAME"] ?? "";
  if (connected === "" || connected === name) return;
  throw new Failure(
    `This build is connected to the Worker "${connected}", and the configuration names "${name}". Write name = "${connected}" into wrangler.toml or ${SETTINGS_FILE}.`,
    WRONG_USAGE,
  );
}

/** Throws if nobody could reach a Worker that is deployed without a URL. */
export function checkReachable({ workers_dev, routes = [] }: Unstable_Config): void {
  if (workers_dev !== false || routes.length > 0) return;
  throw new Failure(
    "Without a URL, the Worker needs workers_dev = true, or routes. Or set the build variable TERN_URL.",
    WRONG_USAGE,
  );
}

/** Who owns the deployed installation, and where. */
interface Owned {
  isClaimed: boolean;
  /** The origin that it took at its claim; '': none. */
  origin: string;
}

export async function readOwned(query: Query): Promise<Owned> {
  const [row] = (await query(`SELECT origin, ${IS_CLAIMED} AS is_claimed FROM installation`)) as {
    origin: string;
    is_claimed: number;
  }[];
  return { isClaimed: row?.is_claimed === 1, origin: row?.origin ?? "" };
}

/** A build without a URL keeps the host of the last deployment with one. The service is deployed: a failure is told, and fails nothing. */
export async function keepHost(query: Query, origin: string): Promise<void> {
  const host = literal(origin);
  try {
    await query(`UPDATE installation SET origin = ${host} WHERE ${IS_CLAIMED} AND origin <> ${host}`);
  } catch (error) {
    console.log(
      `\nThe service is deployed, but its host could not be stored: ${String(error)}\nA build of Cloudflare needs TERN_URL=${origin}.`,
    );
  }
}

/** Throws if the installation has an owner and would lose its host: it was deployed with a URL, and took none at its claim. */
export function refuseWithoutHost({ isClaimed, origin }: Owned): void {
  if (!isClaimed || origin !== "") return;
  throw new Failure(
    "This installation was deployed with a URL before, and would lose its host. Set the build variable TERN_URL to that URL. The code was not deployed.",
    WRONG_USAGE,
  );
}

/** What the log of the build says about a key that it made. */
export const BUILD_KEY_ADVICE = `Copy this key from this log now, and keep it apart from Cloudflare: it is nowhere else, no later build prints it, and without it no backup
can be restored. Everybody who can open the builds of this Worker in the Cloudflare dashboard can read this log. If some of them must not have
the key, replace it (docs/operations.md, Key rotation).`;

/** How the first person of an installation gets in. `secrets`: the names of the Worker's; null: they could not be listed. */
export function describeClaim(origin: string | null, secrets: ReadonlySet<string> | null): string {
  const title = "This installation has no owner yet.";
  if (secrets !== null && !secrets.has("SETUP_CODE"))
    return `${title} The Worker has no secret SETUP_CODE. Make a setup code in a clone of this repository: ${ANOTHER_CODE}`;
  const page = origin === null ? "/app at the address on workers.dev that is above" : `${origin}/app`;
  return `${title} Open ${page}, and enter the setup code that you typed into Cloudflare's form.
It counts for 7 days, and only with at least ${MIN_SETUP_SECRET_CHARS} letters and digits. To make another one in a clone of this repository: ${ANOTHER_CODE}`;
}

/** The token that Cloudflare makes for builds may edit Workers and routes only. */
export function buildAdvice(permission: string): string {
  return `If this is an authentication error: the API token of this build lacks the permission "Account, ${permission}: Edit".
A build needs Account: Workers Scripts, D1 and Queues, Edit, and with a host of your own Zone: Workers Routes, Edit. Cloudflare's own token for
builds has neither D1 nor Queues. Edit the token (My Profile, API Tokens), and retry the build. The secret ${ENCRYPTION_KEYS} is replaced by no build.`;
}
