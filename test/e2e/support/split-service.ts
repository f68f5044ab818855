import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare, Response as HookResponse } from "miniflare";
import { toMigrated } from "../../../scripts/local-database.ts";
import { migrate, readSchema } from "../../../scripts/migrations.ts";
import { writeSplitFiles } from "../../../scripts/split.ts";
import { CONFIG_FILE, ROOT } from "../../../scripts/wrangler.ts";
import { buildWorker } from "./build.ts";
import { isolateOptions } from "./isolate-options.ts";
import { ON_REQUEST, serveModules } from "./served-modules.ts";
import { Isolate, ORIGIN } from "./service.ts";

const FULL = "tern";
const FAILING = "failing";
const ALONE = "alone";
const ENTRY = "entry-in-data-centre.js";

export interface SplitService<Name extends string> {
  /** The redirect Workers. Each is in a data centre of its own. */
  fronts: Record<Name, Isolate>;
  /** A redirect Worker whose full Worker fails. */
  alone: Isolate;
  /** The full Worker, which no caller reaches in production. */
  full: Isolate;
  db: D1Database;
  logLines: string[];
  stop(): Promise<void>;
}

/** Starts the full Worker, and a redirect Worker in front of it for each name. No two of them share an edge cache. */
export async function startSplitService<Name extends string>(
  names: readonly Name[],
  variables: Record<string, string> = {},
): Promise<SplitService<Name>> {
  const files = await writeSplitFiles(CONFIG_FILE, undefined);
  const [fullBuild, front] = await Promise.all([buildWorker(), buildWorker("src/redirect-worker.ts", files.redirect)]);
  const bindings = {
    BASE_URL: ORIGIN,
    ENCRYPTION_KEYS: `test:${Buffer.alloc(32, "k").toString("base64")}`,
    SPLIT: "on",
    ...variables,
  };
  const { compatibilityDate, compatibilityFlags, queueProducers, ...fullOptions } = isolateOptions(FULL, FULL, {
    bindings: { ...bindings, DATA_CENTRE: "of the full Worker" },
  });
  const logLines: string[] = [];
  const common = { compatibilityDate, compatibilityFlags, modulesRoot: "/" };
  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      host: "127.0.0.1",
      port: 0,
      cf: false,
      ...serveModules({ "/full/index.js": fullBuild.script }),
      log: new Log(LogLevel.NONE),
      logRequests: false,
      handleStructuredLogs: ({ message }: { message: string }) => logLines.push(message),
      workers: [
        ...[...names, ALONE].map((name) => ({
          name,
          compatibilityDate,
          compatibilityFlags,
          modulesRoot: "/",
          modules: [entryIn("/"), { type: "ESModule", path: "/index.js", contents: front.script }],
          bindings: { BASE_URL: bindings.BASE_URL, DATA_CENTRE: name },
          d1Databases: { DB: "tern" },
          durableObjects: { CLICK_LOG: { className: "ClickLog", scriptName: FULL, useSQLite: true } },
          queueProducers: { CLICKS: (queueProducers as Record<string, object>)["CLICKS"] },
          serviceBindings: { FULL_WORKER: name === ALONE ? FAILING : FULL },
          unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
        })),
        { ...common, name: FAILING, modules: true, script: "export default { fetch() { throw new Error('down'); } }" },
        {
          ...fullOptions,
          ...common,
          queueProducers,
          ...ON_REQUEST,
          modules: [entryIn("/full/")],
          serviceBindings: { ASSETS: readAsset },
          unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
        },
      ],
    } as never),
  );
  await runtime.ready;
  const fronts = {} as Record<Name, Isolate>;
  const { host } = new URL(bindings.BASE_URL);
  const isolateOf = async (name: string) => new Isolate(name, await runtime.unsafeGetDirectURL(name), host);
  for (const name of names) fronts[name] = await isolateOf(name);
  const [alone, full] = [await isolateOf(ALONE), await isolateOf(FULL)];
  const db = (await runtime.getD1Database("DB", FULL)) as unknown as D1Database;
  await migrate(toMigrated(db, "The database"), readSchema());
  return { fronts, alone, full, db, logLines, stop: () => runtime.dispose() };
}

function readAsset(request: { url: string }): HookResponse {
  const file = join(ROOT, "dist", new URL(request.url).pathname);
  return existsSync(file) ? new HookResponse(readFileSync(file)) : new HookResponse(null, { status: 404 });
}

/** The entry point, which imports `index.js` from the same folder. */
function entryIn(folder: string) {
  const contents = readFileSync(join(import.meta.dirname, ENTRY), "utf8");
  return { type: "ESModule", path: folder + ENTRY, contents };
}
