import { readFileSync } from "node:fs";
import { join } from "node:path";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "miniflare";
import { clickLogName } from "../src/clicks/log-name.ts";
import { buildWorker, ROOT } from "../test/e2e/support/build.ts";
import { isolateOptions } from "../test/e2e/support/isolate-options.ts";

export const HOST = "tern.test";
export const DESTINATION = "https://example.com/a/page?with=query";

/** What a redirect costs at the least: the same answer, without a service behind it. */
const BARE = `export default {
  fetch: () => new Response(null, { status: 302, headers: { Location: ${JSON.stringify(DESTINATION)} } }),
};`;

/** The account whose links are visited. */
export const ACCOUNT_ID = 1;

export interface Server {
  bare: URL;
  /** Two isolates of the service that share database and cache. */
  first: URL;
  second: URL;
  db: D1Database;
  /** Clicks that the account's ClickLog has stored. */
  countClicks(): Promise<number>;
  stop(): Promise<void>;
}

/** The built Worker and the bare one side by side in one runtime, each on a socket of its own. */
export async function startServer(): Promise<Server> {
  const { script } = await buildWorker();
  const socket = { unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }] };
  const isolate = (name: string) => ({
    ...isolateOptions(name, "first", { quickQueues: false, bindings: { BASE_URL: `http://${HOST}` } }),
    ...socket,
    modules: true,
    script,
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
        { ...socket, name: "bare", modules: true, script: BARE, compatibilityDate: "2026-10-20" },
      ] as never,
    }),
  );
  await runtime.ready;
  const db = (await runtime.getD1Database("DB", "first")) as unknown as D1Database;
  await db.prepare(readFileSync(join(ROOT, "schema.sql"), "utf8")).run();
  await db.prepare("INSERT INTO accounts (id, uuid, name, created_at) VALUES (?1, '', '', 0)").bind(ACCOUNT_ID).run();
  return {
    bare: await runtime.unsafeGetDirectURL("bare"),
    first: await runtime.unsafeGetDirectURL("first"),
    second: await runtime.unsafeGetDirectURL("second"),
    db,
    async countClicks() {
      const logs = (await runtime.getDurableObjectNamespace("CLICK_LOG", "first")) as unknown as Env["CLICK_LOG"];
      const counters = await logs.getByName(clickLogName(ACCOUNT_ID, "")).changedCounters();
      return counters.reduce((sum, { clicks }) => sum + clicks, 0);
    },
    stop: () => runtime.dispose(),
  };
}
