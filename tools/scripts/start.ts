import { setTimeout as sleep } from "node:timers/promises";
import { dirname, resolve } from "node:path";
import { hashKey } from "../../src/platform/auth/key.ts";
import { findCredential } from "../../src/platform/auth/store/keys.ts";
import { isLoopbackName, isOwnUrl } from "../../src/platform/lib/hosts.ts";
import { checkClickRetention, CLICK_RETENTION_DAYS } from "./click-retention.ts";
import { Failure, runCommand, WRONG_USAGE } from "./command.ts";
import { DEMO_KEY_FILE, demoKey } from "./demo-key.ts";
import { demoPerson, type DemoPerson } from "./demo-person.ts";
import { runScheduled, startDevServer, type DevServer } from "./dev-server.ts";
import { provideEncryptionKey, secretsFile } from "./encryption-key.ts";
import { configuredVariable, DEFAULT_STATE_DIRECTORY, localDatabaseId, withLocalDatabase } from "./local-database.ts";
import { listensBeyond, namesWranglerDev, WRANGLER_DEV } from "./local-routes.ts";
import { environmentOf, givenVariables, optionValue, withoutOption } from "./options.ts";
import { choosePort } from "./port.ts";
import { provideSample } from "./sample/provide.ts";
import { checkAnonymousHost } from "./service-url.ts";
import { describeSetupCode, replaceSetupCode } from "./setup-code.ts";
import { lockState } from "./state-lock.ts";
import { stopOnSignals } from "./stopping.ts";
import { CONFIG_FILE, ROOT } from "./wrangler.ts";
import { checkOptions } from "./wrangler-options.ts";

const USAGE = `Usage: npm start -- [--port NUMBER] [--persist-to DIR] [--env NAME] [--sample | --unclaimed] [OPTIONS of wrangler dev]

Runs the service on this machine, with an API key to try it.
  --port NUMBER     the port; without it, the first free one from 8787 on
  --persist-to DIR  the folder of the data; without it, .wrangler/state
  --env NAME        the environment [env.NAME] of wrangler.toml
  --sample          fills the demo account with links and eight weeks of clicks, unless it has links
  --unclaimed       as a new installation, which somebody claims with the code that is printed
  --var BASE_URL:http://go.localhost:PORT
                    as on a public host: visitors of links without an account first see where they lead
For the other options: npx wrangler dev --help`;

const SAMPLE = "--sample";
const UNCLAIMED = "--unclaimed";
const ANONYMOUS_HOST = "ANONYMOUS_HOST";
/** How often a server that is not ready yet is asked. */
const READY_POLL_MS = 100;
/** How often the cron handler runs. */
const CRON_INTERVAL_MS = 5_000;

/** `npm start [-- ARGS]`. ARGS go to `wrangler dev`. */
async function start(all: string[]): Promise<void> {
  const { signal: stopping } = stopOnSignals();
  const args = all.filter((arg) => arg !== SAMPLE && arg !== UNCLAIMED);
  await checkOptions("dev", args);
  const port = await choosePort(optionValue(args, "--port"), optionValue(args, "--ip"));
  const stateDirectory = optionValue(args, "--persist-to", "--persistTo") ?? DEFAULT_STATE_DIRECTORY;
  const configFile = resolve(ROOT, optionValue(args, "--config", "-c") ?? CONFIG_FILE);
  checkSample(all, configFile);
  const environment = environmentOf(args);
  const given = givenVariables(args);
  const baseUrl = given["BASE_URL"];
  const anonymousHost = given[ANONYMOUS_HOST] ?? configuredVariable(configFile, environment, ANONYMOUS_HOST) ?? "";
  checkClickRetention({
    [CLICK_RETENTION_DAYS]: configuredVariable(configFile, environment, CLICK_RETENTION_DAYS),
    ...given,
  });
  checkAnonymousHost(anonymousHost, URL.parse(baseUrl ?? "")?.hostname);
  const address = `${optionValue(args, "--local-protocol", "--localProtocol") ?? "http"}://${hostOf(args)}:${port}`;
  lockState(stateDirectory, address);
  const prepare: Prepare = all.includes(UNCLAIMED) ? prepareUnclaimed : prepareDemo;
  const databaseId = localDatabaseId(configFile, environment);
  const owner = await withLocalDatabase(stateDirectory, prepare, databaseId);
  const secrets = secretsFile(dirname(configFile), environment);
  await provideEncryptionKey(secrets);
  if (stopping.aborted) return;
  if (all.includes(SAMPLE) && "key" in owner)
    owner.sample = await provideSample({ remote: false, stateDirectory, environment }, databaseId, owner);
  if (stopping.aborted) return;

  const isLocal = !listensBeyond(args, configFile) || namesWranglerDev(args);
  const server = startDevServer([
    `--port=${port}`,
    ...(baseUrl === undefined ? [`--var=BASE_URL:${address}`] : []),
    // Not "on", because runCron below runs the cron.
    `--var=${WRANGLER_DEV}:${isLocal ? "off" : "network"}`,
    "--show-interactive-dev-session=false",
    // Without it, wrangler warns that nothing runs the cron handler; runCron below does.
    "--test-scheduled",
    ...withoutOption(args, "--port"),
  ]);
  await serve(server, { address, baseUrl: baseUrl ?? address, isLocal, owner }, stopping);
}

/** The sample is written by the project's own configuration, into the demo account. */
function checkSample(args: string[], configFile: string): void {
  if (!args.includes(SAMPLE)) return;
  const other = args.includes(UNCLAIMED) ? UNCLAIMED : configFile === CONFIG_FILE ? null : "--config";
  if (other !== null) throw new Failure(`${SAMPLE} and ${other} cannot be combined.`, WRONG_USAGE);
}

/** Returns the host at which this machine reaches the server. */
function hostOf(args: string[]): string {
  const ip = optionValue(args, "--ip") ?? "localhost";
  if (["*", "0.0.0.0", "::"].includes(ip)) return "localhost";
  return ip.includes(":") ? `[${ip}]` : ip;
}

interface Service {
  /** Where this command and a browser find it. */
  address: string;
  /** The beginning of its short URLs. */
  baseUrl: string;
  /** Whether the service has the local routes. */
  isLocal: boolean;
  owner: Demo | Unclaimed;
}

/** The demo account. */
interface Demo {
  accountId: number;
  /** What is said of the sample. */
  sample?: string;
  key: string;
  person: DemoPerson;
}

/** An installation without an owner. */
interface Unclaimed {
  /** The setup code. */
  code: string;
}

type Prepare = (database: D1Database) => Promise<Service["owner"]>;

async function prepareUnclaimed(database: D1Database): Promise<Unclaimed> {
  const code = await replaceSetupCode(async (sql) => (await database.prepare(sql).all()).results);
  if (code === null)
    throw new Failure(`The data has an owner already. Use ${UNCLAIMED} with --persist-to DIR and a new folder.`);
  return { code };
}

/** Makes a key and a person of the demo account. */
async function prepareDemo(database: D1Database): Promise<Demo> {
  const now = Date.now();
  const key = await demoKey(database, DEMO_KEY_FILE, now);
  const credential = await findCredential(database, await hashKey(key));
  if (credential === null) throw new Error("the demo key is not in the database");
  const { accountId } = credential;
  return { accountId, key, person: await demoPerson(database, accountId, now) };
}

/** Runs the cron until the server ends or `stopping` is aborted, and then stops the server. */
async function serve(server: DevServer, service: Service, stopping: AbortSignal): Promise<void> {
  const over = new AbortController();
  const ended = server.ended.finally(() => over.abort());
  const wasReady = await runCron(service, AbortSignal.any([stopping, over.signal]));
  await server.stop();
  const exitCode = await ended;
  if (stopping.aborted || (exitCode === 0 && !wasReady)) return;
  throw new Failure(`wrangler dev ended unexpectedly with exit code ${exitCode}.`, exitCode === 0 ? 1 : exitCode);
}

/**
 * Runs the cron handler, which a local server does not run by itself, until the end. The first run that succeeds shows
 * that the server is ready. Returns whether it ever was.
 */
async function runCron(service: Service, end: AbortSignal): Promise<boolean> {
  let ready = false;
  while (!end.aborted) {
    const done = await runScheduled(service.address, end);
    if (done && !ready) {
      ready = true;
      console.log(welcome(service));
    }
    await sleep(ready ? CRON_INTERVAL_MS : READY_POLL_MS, undefined, { signal: end }).catch(() => {});
  }
  return ready;
}

function welcome({ address, baseUrl, isLocal, owner }: Service): string {
  const title = `\nTern is running at ${address}\n`;
  if ("code" in owner) return `${title}${describeSetupCode(owner.code, baseUrl)}\n\n${STOP}\n`;
  const { key, person, sample } = owner;
  const foreign = URL.canParse(baseUrl) && !isOwnUrl(new URL(address), baseUrl);
  const host = foreign ? ` -H "Host: ${new URL(baseUrl).host}"` : "";
  return `${title}API key: ${key}
${signInLine(baseUrl, isLocal, person)}${sample === undefined ? "" : `\n${sample}`}

To shorten a link:
curl ${address}/api/shorten${host} -H "Authorization: Bearer ${key}" -H "Content-Type: application/json" -d '{"url":"https://example.com/"}'

${STOP}
`;
}

const STOP = "Press Ctrl-C to stop it.";

/** Links to sign in work on this machine only. */
function signInLine(baseUrl: string, isLocal: boolean, { email, token }: DemoPerson): string {
  if (!URL.canParse(baseUrl) || !isLoopbackName(new URL(baseUrl).hostname)) return "";
  if (!isLocal)
    return `Other machines can reach it, so it has no link to sign in and no outbox. As ${email}, ask for a new password: its link is printed here.`;
  return `To sign in as ${email}, once: ${baseUrl}/app/sign-in#token=${token}`;
}

await runCommand(start, USAGE);
