import { readFileSync } from "node:fs";
import { join } from "node:path";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "miniflare";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { buildWorker, ROOT } from "../test/e2e/support/build.ts";

export const HOST = "tern.test";
export const DESTINATION = "https://example.com/a/page?with=query";

/** What a redirect costs at the least: the same answer, without a service behind it. */
const BARE = `export default {
  fetch: () => new Response(null, { status: 302, headers: { Location: ${JSON.stringify(DESTINATION)} } }),
};`;

export interface Server {
  bare: URL;
  /** Two isolates of the service that share database and cache. */
  first: URL;
  second: URL;
  db: D1Database;
  stop(): Promise<void>;
}

/** The built Worker and the bare one side by side in one runtime, each on a socket of its own. */
export async function startServer(): Promise<Server> {
  const { script } = await buildWorker();
  const { workerOptions } = unstable_getMiniflareWorkerOptions(join(ROOT, "wrangler.toml"));
  const { modulesRules: _, ...options } = workerOptions;
  const socket = { unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }] };
  const isolate = (name: string) => ({
    ...options,
    ...socket,
    name,
    modules: true,
    script,
    bindings: { ...(options["bindings"] as object), BASE_URL: `http://${HOST}` },
    d1Databases: { DB: "tern" },
    durableObjects: Object.fromEntries(
      Object.entries(options["durableObjects"] as Record<string, object>).map(([binding, object]) => [
        binding,
        name === "first" ? object : { ...object, scriptName: "first" },
      ]),
    ),
  });
  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      host: "127.0.0.1",
      port: 0,
      cf: false,
      log: new Log(LogLevel.ERROR),
      logRequests: false,
      workers: [
        isolate("first"),
        isolate("second"),
        { ...socket, name: "bare", modules: true, script: BARE, compatibilityDate: options["compatibilityDate"] },
      ] as never,
    }),
  );
  await runtime.ready;
  const db = (await runtime.getD1Database("DB", "first")) as unknown as D1Database;
  await db.prepare(readFileSync(join(ROOT, "schema.sql"), "utf8")).run();
  return {
    bare: await runtime.unsafeGetDirectURL("bare"),
    first: await runtime.unsafeGetDirectURL("first"),
    second: await runtime.unsafeGetDirectURL("second"),
    db,
    stop: () => runtime.dispose(),
  };
}
