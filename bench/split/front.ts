import { writeSplitFiles } from "../../scripts/split.ts";
import { CONFIG_FILE } from "../../scripts/wrangler.ts";
import { buildWorker } from "../../test/e2e/support/build.ts";
import { insertLinks } from "../../test/e2e/support/many-links.ts";
import { applySchema, DESTINATION, HOST, plainWorker, startRuntime } from "../runtime.ts";

const NAME = "front";

export async function buildFront(): Promise<string> {
  const { redirect } = await writeSplitFiles(CONFIG_FILE, undefined);
  return (await buildWorker("src/redirect-worker.ts", redirect)).script;
}

/**
 * Starts the redirect Worker in a process of its own, in front of the full Worker at this address. Two local runtimes cannot share a
 * database, so it has one with the link that is redirected.
 */
export async function startFront(full: URL) {
  const worker = plainWorker("bench/workers/bare.js", {
    script: await buildFront(),
    bindings: { BASE_URL: `http://${HOST}` },
    d1Databases: { DB: NAME },
    serviceBindings: { FULL_WORKER: { external: { address: full.host, http: {} } } },
  });
  const runtime = await startRuntime({ [NAME]: worker });
  const db = await runtime.databaseOf(NAME);
  await applySchema(db);
  await insertLinks(db, { prefix: "l", first: 1, last: 1, url: DESTINATION });
  return { address: await runtime.addressOf(NAME), stop: () => runtime.stop() };
}
