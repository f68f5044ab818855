import { setTimeout as sleep } from "node:timers/promises";
import { isOwnUrl } from "../src/lib/hosts.ts";
import { Failure, runCommand } from "./command.ts";
import { DEMO_KEY_FILE, demoKey } from "./demo-key.ts";
import { runScheduled, startDevServer, type DevServer } from "./dev-server.ts";
import { DEV_VARS_FILE, provideEncryptionKey } from "./encryption-key.ts";
import { DEFAULT_STATE_DIRECTORY, withLocalDatabase } from "./local-database.ts";
import { optionValue, optionValues, withoutOption } from "./options.ts";
import { choosePort } from "./port.ts";

const READY_POLL_MS = 100;
const CRON_INTERVAL_MS = 5_000;
const PARENT_POLL_MS = 500;

/** `npm start [-- ARGS]`: the whole service on this machine, with a key to try it. ARGS go to `wrangler dev`. */
async function start(args: string[]): Promise<void> {
  const stopping = stopOnSignals();
  const port = await choosePort(optionValue(args, "--port"), optionValue(args, "--ip"));
  const stateDirectory = optionValue(args, "--persist-to") ?? DEFAULT_STATE_DIRECTORY;
  const key = await withLocalDatabase(stateDirectory, (database) => demoKey(database, DEMO_KEY_FILE, Date.now()));
  await provideEncryptionKey(DEV_VARS_FILE);
  if (stopping.aborted) return;

  const address = `${optionValue(args, "--local-protocol") ?? "http"}://${hostOf(args)}:${port}`;
  const baseUrl = askedBaseUrl(args);
  const server = startDevServer([
    `--port=${port}`,
    ...(baseUrl === undefined ? [`--var=BASE_URL:${address}`] : []),
    "--show-interactive-dev-session=false",
    // Without it wrangler warns that nobody runs the cron handler; here somebody does.
    "--test-scheduled",
    ...withoutOption(args, "--port"),
  ]);
  await serve(server, { address, baseUrl: baseUrl ?? address, key }, stopping);
}

/** Aborted by the first Ctrl-C or other request to end. */
function stopOnSignals(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => controller.abort());
  if (process.env["npm_lifecycle_event"] !== undefined) void whenOrphaned().then(() => controller.abort());
  return controller.signal;
}

/** npm passes a signal on to the shell between it and this process, and the shell ends without passing it on. */
async function whenOrphaned(): Promise<void> {
  const parent = process.ppid;
  while (process.ppid === parent) await sleep(PARENT_POLL_MS, undefined, { ref: false });
}

/** The address that the caller has chosen for the service, if any. */
function askedBaseUrl(args: string[]): string | undefined {
  const prefix = "BASE_URL:";
  const variable = optionValues(args, "--var").findLast((variable) => variable.startsWith(prefix));
  return variable?.slice(prefix.length);
}

/** The host by which the server can be reached from here. */
function hostOf(args: string[]): string {
  const ip = optionValue(args, "--ip") ?? "localhost";
  if (["*", "0.0.0.0", "::"].includes(ip)) return "localhost";
  return ip.includes(":") ? `[${ip}]` : ip;
}

interface Service {
  /** Where this command, and a browser, finds it. */
  address: string;
  /** What its links begin with. */
  baseUrl: string;
  key: string;
}

/** Stays with the server until it ends or is to end. */
async function serve(server: DevServer, service: Service, stopping: AbortSignal): Promise<void> {
  const over = new AbortController();
  const ended = server.ended.finally(() => over.abort());
  const wasReady = await runCron(service, AbortSignal.any([stopping, over.signal]));
  await server.stop();
  const exitCode = await ended;
  if (stopping.aborted || (exitCode === 0 && !wasReady)) return;
  throw new Failure(`wrangler dev ended by itself with exit code ${exitCode}.`, exitCode === 0 ? 1 : exitCode);
}

/**
 * Plays the platform's clock, which a local server lacks, until the end. The first answer says that the
 * server is ready; tells whether it ever was.
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

function welcome({ address, baseUrl, key }: Service): string {
  const foreign = URL.canParse(baseUrl) && !isOwnUrl(new URL(address), baseUrl);
  const host = foreign ? ` -H "Host: ${new URL(baseUrl).host}"` : "";
  return `
Tern is running at ${address}
API key: ${key}

To shorten a link:
curl ${address}/api/shorten${host} -H "Authorization: Bearer ${key}" -H "Content-Type: application/json" -d '{"url":"https://example.com/"}'

Ctrl-C ends it.
`;
}

await runCommand(start);
