import { existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "miniflare";
import { ROOT } from "../test/e2e/support/build.ts";
import { isolateOptions } from "../test/e2e/support/isolate-options.ts";

export const HOST = "tern.test";
export const DESTINATION = "https://example.com/a/page?with=query";
/** Where webhooks lead to. */
export const HOOKS = "https://hooks.tern-receiver.com/hooks";

/** What the service is told in every isolate of a benchmark. */
const BINDINGS = { BASE_URL: `http://${HOST}`, ENCRYPTION_KEYS: `bench:${Buffer.alloc(32, "k").toString("base64")}` };

/** Of a Worker without Durable Objects: any that the service's runs on. */
const COMPATIBILITY_DATE = "2026-10-20";

/** The name of the Worker that is the internet to the service. */
export const INTERNET = "internet";

const SOCKET = { unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }] };

type WorkerOptions = Record<string, unknown>;

/** Workers side by side in one runtime, each on a socket of its own. */
export interface Runtime {
  addressOf(name: string): Promise<URL>;
  databaseOf(name: string): Promise<D1Database>;
  /** The Durable Objects of an isolate. */
  objectsOf<T>(name: string, binding: string): Promise<T>;
  stop(): Promise<void>;
}

/** What the largest databases take, with room to spare. */
const STORAGE_BYTES = 4 * 1_024 ** 3;
const MEMORY = "/dev/shm";

/** Whether the storage of the runtime is in memory: on a disk, its speed is what most rows would measure. */
export function isStorageInMemory(): boolean {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize > STORAGE_BYTES;
}

/** `internet` is the script of what the service reaches outside. */
export async function startRuntime(workers: WorkerOptions[], internet = "bench/workers/receiver.js"): Promise<Runtime> {
  const storage = mkdtempSync(join(isStorageInMemory() ? MEMORY : tmpdir(), "tern-bench-"));
  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      host: "127.0.0.1",
      port: 0,
      cf: false,
      log: new Log(LogLevel.ERROR),
      logRequests: false,
      resourcePersistencePath: storage,
      handleStructuredLogs: () => undefined,
      workers: [...workers, plainWorker(INTERNET, internet)] as never,
    }),
  );
  await runtime.ready;
  return {
    addressOf: (name) => runtime.unsafeGetDirectURL(name),
    databaseOf: (name) => runtime.getD1Database("DB", name),
    objectsOf: async <T>(name: string, binding: string) =>
      (await runtime.getDurableObjectNamespace(binding, name)) as unknown as T,
    async stop() {
      await runtime.dispose();
      rmSync(storage, { recursive: true, force: true });
    },
  };
}

/** An isolate of the service, as wrangler.toml has it; `main` is its script, or what stands around it. */
export function serviceWorker(name: string, owner: string, main: WorkerOptions, quickQueues = false): WorkerOptions {
  return {
    ...isolateOptions(name, owner, { quickQueues, bindings: BINDINGS }),
    ...main,
    ...SOCKET,
    outboundService: INTERNET,
  };
}

/** A Worker of one file, at a path in the repository. */
export function plainWorker(name: string, path: string, options: WorkerOptions = {}): WorkerOptions {
  return {
    name,
    modules: true,
    script: readFileSync(join(ROOT, path), "utf8"),
    compatibilityDate: COMPATIBILITY_DATE,
    bindings: { DESTINATION },
    ...SOCKET,
    ...options,
  };
}

/** What a redirect costs at the least: the same answer, without a service behind it. */
export const bareWorker = (): WorkerOptions => plainWorker("bare", "bench/workers/bare.js");

export async function applySchema(db: D1Database): Promise<void> {
  await db.prepare(readFileSync(join(ROOT, "schema.sql"), "utf8")).run();
}

/** What the receiver of webhooks has got so far. */
export async function askReceiver(runtime: Runtime): Promise<{ delivered: number; signed: number }> {
  const answer = await fetch(await runtime.addressOf(INTERNET));
  return (await answer.json()) as { delivered: number; signed: number };
}
