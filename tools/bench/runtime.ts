import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "miniflare";
import { ROOT } from "../../test/e2e/support/build.ts";
import { isolateOptions, type IsolateOptions } from "../../test/e2e/support/isolate-options.ts";
import { memoryStorage } from "../../test/support/memory-storage.ts";

export const HOST = "tern.test";
/** Where the links lead. */
export const DESTINATION = "https://example.com/a/page?with=query";
/** URL of the webhooks. */
export const HOOKS = "https://hooks.tern-receiver.com/hooks";
/** Name of the Worker that takes all requests of the service to the internet. */
export const INTERNET = "internet";

export const BINDINGS = {
  BASE_URL: `http://${HOST}`,
  ENCRYPTION_KEYS: `bench:${Buffer.alloc(32, "k").toString("base64")}`,
  // Mails and lookups of passwords end at the Worker `INTERNET`.
  SIGN_UP: "open",
  MAIL_FROM: "tern@tern.test",
  MAIL_API_TOKEN: "https://mails.tern-receiver.com/mails token",
  PASSWORD_RANGE_URL: "https://passwords.tern-receiver.com/range/",
};
/** For the Workers that wrangler.toml does not describe. */
const COMPATIBILITY_DATE = "2026-10-20";
const socketAt = (port: number) => ({ unsafeDirectSockets: [{ host: "127.0.0.1", port }] });

/** As in isolateOptions, and the port; 0: a free one. */
export type ServiceOptions = Partial<IsolateOptions> & { port?: number };

export type WorkerOptions = Record<string, unknown>;

/**
 * Starts Workers by their names, each with its own socket. `internet` is the path of the script of the Worker `INTERNET`,
 * `options` are further ones of miniflare.
 */
export async function startRuntime(
  workers: Record<string, WorkerOptions>,
  internet = "tools/bench/workers/receiver.js",
  options: object = {},
) {
  const all: WorkerOptions[] = [];
  for (const [name, worker] of Object.entries({ ...workers, [INTERNET]: plainWorker(internet) }))
    all.push({ ...worker, name });
  const storage = mkdtempSync(join(memoryStorage() ?? tmpdir(), "tern-bench-"));
  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      host: "127.0.0.1",
      port: 0,
      cf: false,
      log: new Log(LogLevel.ERROR),
      logRequests: false,
      resourcePersistencePath: storage,
      handleStructuredLogs: () => undefined,
      workers: all as never,
      ...options,
    }),
  );
  await runtime.ready;
  return {
    addressOf: (worker: string): Promise<URL> => runtime.unsafeGetDirectURL(worker),
    /** Where the profilers of the Workers are, if `options` have `inspectorPort`. */
    inspector: () => runtime.getInspectorURL(),
    databaseOf: (worker: string): Promise<D1Database> => runtime.getD1Database("DB", worker),
    /** A namespace of Durable Objects. */
    objectsOf: async <T>(worker: string, binding: string) =>
      (await runtime.getDurableObjectNamespace(binding, worker)) as unknown as T,
    async stop() {
      await runtime.dispose();
      rmSync(storage, { recursive: true, force: true });
    },
  };
}

/** An isolate of the service with the configuration of wrangler.toml; `main` is its script or a Worker that wraps it. */
export function serviceWorker(
  name: string,
  owner: string,
  main: WorkerOptions,
  { quickQueues = false, pages = false, port = 0, bindings }: ServiceOptions = {},
): WorkerOptions {
  const options = isolateOptions(name, owner, { quickQueues, pages, bindings: { ...BINDINGS, ...bindings } });
  return { ...options, ...main, ...socketAt(port), outboundService: INTERNET };
}

/** A Worker of one file, given by its path in the repository. */
export function plainWorker(path: string, options: WorkerOptions = {}): WorkerOptions {
  return {
    modules: true,
    script: readFileSync(join(ROOT, path), "utf8"),
    compatibilityDate: COMPATIBILITY_DATE,
    bindings: { DESTINATION },
    ...socketAt(0),
    ...options,
  };
}

/** The cheapest redirect: the same response without any work. */
export const bareWorker = (): WorkerOptions => plainWorker("tools/bench/workers/bare.js");

export async function applySchema(db: D1Database): Promise<void> {
  const claimed = "UPDATE installation SET claimed_at = 1;";
  await db.prepare(`${readFileSync(join(ROOT, "schema.sql"), "utf8")}${claimed}`).run();
}
