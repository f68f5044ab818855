import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Unstable_Config } from "wrangler";
import { Failure } from "../command.ts";
import { deploymentConfig } from "../deployment-config.ts";
import { startDevServer, type DevServer } from "../dev-server.ts";
import { secretsFile } from "../encryption-key.ts";
import { readInstallation } from "../installation.ts";
import { localDatabaseId, withLocalDatabase } from "../local-database.ts";
import { choosePort } from "../port.ts";
import { readOrEmpty, writePrivateFile } from "../private-file.ts";
import { databaseFile, refuseRunningService } from "../state-lock.ts";
import { stopOnSignals } from "../stopping.ts";
import { CONFIG_FILE, readWrangler, ROOT, type Wrangler } from "../wrangler.ts";
import { installationOf, type Installation } from "./installation.ts";
import type { Target } from "./target.ts";
import type { Call } from "./worker.ts";

/** How often a Worker that is not ready yet is asked. */
const POLL_MS = 200;
const MAX_ATTEMPTS = 3;
/** The first wait between two attempts; the second is twice as long. */
const RETRY_MS = 1_000;

/**
 * Runs the temporary Worker, which is bound to the database and the ClickLogs, while `use` runs. Remotely it is a preview
 * of `wrangler dev --remote`: it is no deployed Worker, has no route, and ends with the session. Nothing is left after
 * Ctrl-C either.
 */
export async function withTemporaryWorker<T>(
  target: Target,
  wrangler: Wrangler,
  use: (installation: Installation) => Promise<T>,
): Promise<T> {
  const { signal, release } = stopOnSignals();
  try {
    if (!target.remote) await checkState(target);
    return await runWorker(target, wrangler, use, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    release();
  }
}

async function runWorker<T>(
  target: Target,
  wrangler: Wrangler,
  use: (installation: Installation) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "tern-backup-"));
  let server: DevServer | null = null;
  try {
    const secret = randomBytes(32).toString("hex");
    await writeFiles(folder, target, wrangler, secret);
    const port = await choosePort("0", undefined);
    signal.throwIfAborted();
    server = startDevServer(devArguments(folder, port, target));
    const send = <R>(call: Call) => sendCall<R>(`http://127.0.0.1:${port}/`, secret, call, signal);
    await untilReady(send, server, signal);
    return await use(installationOf((call) => withRetry(() => send(call), signal)));
  } finally {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Throws unless the folder has data of this service, of the newest version after this, that no service uses. */
async function checkState({ stateDirectory, environment }: Target): Promise<void> {
  if (!existsSync(databaseFile(stateDirectory)))
    throw new Failure(`There is no installation in ${stateDirectory}. npm start makes one.`);
  refuseRunningService(stateDirectory);
  await withLocalDatabase(stateDirectory, async () => {}, localDatabaseId(CONFIG_FILE, environment));
}

/** Writes the configuration of the temporary Worker, and its secrets where `wrangler dev` finds them. */
async function writeFiles(folder: string, target: Target, wrangler: Wrangler, secret: string): Promise<void> {
  const { environment, remote } = target;
  const config = readInstallation(remote ? deploymentConfig() : CONFIG_FILE, environment);
  const databaseId = remote ? await findDatabaseId(config, wrangler) : null;
  const text = JSON.stringify(temporaryConfig(config, databaseId));
  await writePrivateFile(join(folder, "wrangler.json"), text);
  // Remotely, only the deployed Worker has the keys.
  const vars = remote ? "" : await readOrEmpty(secretsFile(ROOT, environment));
  await writePrivateFile(join(folder, ".dev.vars"), `${vars}\nBACKUP_SECRET="${secret}"\n`);
}

type ServiceConfig = Pick<
  Unstable_Config,
  "name" | "compatibility_date" | "compatibility_flags" | "d1_databases" | "durable_objects" | "migrations"
>;

/**
 * The configuration of the temporary Worker for an installation. `databaseId` is null on this machine, where the Worker
 * takes the name of the service, because the name is part of where its Durable Objects are stored.
 */
export function temporaryConfig(config: ServiceConfig, databaseId: string | null): object {
  const local = databaseId === null;
  const name = config.name ?? "";
  const clickLog = config.durable_objects.bindings.find((binding) => binding.class_name === "ClickLog");
  return {
    name: local ? name : `${name}-backup`,
    main: join(ROOT, "tools/scripts/backup", local ? "local-worker.ts" : "worker.ts"),
    compatibility_date: config.compatibility_date,
    compatibility_flags: config.compatibility_flags,
    // `wrangler dev --remote` uses the preview database.
    d1_databases: config.d1_databases.map((database) => ({
      ...database,
      ...(databaseId !== null && { database_id: databaseId, preview_database_id: databaseId }),
    })),
    durable_objects: { bindings: [{ ...clickLog, ...(!local && { script_name: name }) }] },
    ...(local && { migrations: [{ tag: "v1", new_sqlite_classes: ["ClickLog"] }] }),
  };
}

/** Wrangler finds a database without id by its name, but not for a preview. */
async function findDatabaseId({ d1_databases: [database] }: ServiceConfig, wrangler: Wrangler): Promise<string> {
  if (database?.database_id !== undefined) return database.database_id;
  const output = await readWrangler(wrangler, ["d1", "list", "--json"]).catch((error: unknown) => {
    throw error instanceof Failure ? new Failure(`${error.message}\n\nThis needs a login: npx wrangler login`) : error;
  });
  const databases = JSON.parse(output.slice(output.search(/^\[/m))) as { name: string; uuid: string }[];
  const id = databases.find(({ name }) => name === database?.database_name)?.uuid;
  if (id !== undefined) return id;
  throw new Failure(
    `The account has no database "${database?.database_name}". Deploy the service first: npm run deploy`,
  );
}

/** The arguments of `wrangler dev`. */
export function devArguments(folder: string, port: number, { remote, stateDirectory }: Target): string[] {
  return [
    `--config=${join(folder, "wrangler.json")}`,
    `--port=${port}`,
    "--ip=127.0.0.1",
    "--inspector-port=0",
    "--log-level=error",
    "--show-interactive-dev-session=false",
    ...(remote ? ["--remote"] : [`--persist-to=${resolve(ROOT, stateDirectory)}`]),
  ];
}

async function untilReady(send: <T>(call: Call) => Promise<T>, server: DevServer, signal: AbortSignal): Promise<void> {
  const ended = server.ended.then((code) => {
    throw new Failure(`wrangler dev ended with exit code ${code}; its message is above.`);
  });
  ended.catch(() => {});
  while (!(await Promise.race([ended, isReady(send)]))) await sleep(POLL_MS, undefined, { signal });
}

async function isReady(send: <T>(call: Call) => Promise<T>): Promise<boolean> {
  try {
    await send({ type: "now" });
    return true;
  } catch (error) {
    if (error instanceof Failure) throw error;
    return false;
  }
}

/** Repeats a call that failed: a large backup makes thousands, and each may be repeated. */
async function withRetry<T>(run: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || signal.aborted) throw error;
      await sleep(attempt * RETRY_MS, undefined, { signal });
    }
  }
}

/** Throws a {@link Failure} with the message of the Worker, and another error if it does not respond. */
async function sendCall<T>(url: string, secret: string, call: Call, signal: AbortSignal): Promise<T> {
  const response = await fetch(url, {
    method: "POST",
    headers: { Authorization: `Bearer ${secret}` },
    body: JSON.stringify(call),
    signal,
  });
  const text = await response.text();
  if (response.status === 200) return (JSON.parse(text) as { result: T }).result;
  if (response.status === 500 && text.startsWith('{"error":'))
    throw new Failure((JSON.parse(text) as { error: string }).error);
  throw new Error(`The temporary Worker answered ${response.status}.`);
}
