import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { LIST_REFRESH_MS } from "../../src/safety/screener/limits.ts";
import { insertLinks } from "../../test/e2e/support/many-links.ts";
import { startInstrumented } from "../instrumented/server.ts";
import { findRuntime } from "../load/process.ts";
import { measureRound, type Round } from "../load/round.ts";
import type { Row } from "../row.ts";
import { DESTINATION } from "../runtime.ts";
import { HOT_PATH } from "../worst-calls/account.ts";
import { latenciesIn, p99Of } from "../worst-calls/latency.ts";
import { startProbe } from "../worst-calls/measure.ts";
import { monotonicMs } from "../worst-calls/probe.ts";

const ENTRIES = 1_000_000;
const HOSTS_PER_CHUNK = 1_000;

/** A list file of a million hosts. */
function* chunks(): Generator<string> {
  for (let first = 0; first < ENTRIES; first += HOSTS_PER_CHUNK)
    yield Array.from({ length: HOSTS_PER_CHUNK }, (_, n) => `host-${first + n}.bad.example.com\n`).join("");
}

type ListServer = Awaited<ReturnType<typeof startLists>>;

/** Starts the service with one list file of a million hosts, which is read once before. */
export async function startLists() {
  const files = createServer((_, response) => void Readable.from(chunks()).pipe(response));
  await new Promise<void>((done) => files.listen(0, "127.0.0.1", done));
  const { port } = files.address() as AddressInfo;
  const server = await startInstrumented("bench/workers/local-internet.js", { bindings: { SCREENING: "on" } });
  await insertLinks(server.db, { prefix: "l", first: 1, last: 1, url: DESTINATION });
  await server.db
    .prepare(
      `INSERT INTO screening_rules (id, kind, value, entry, verdict, reason, created_at, created_by)
       VALUES ('list', 'hosts', ?1, ?1, 'block', 'phishing', 0, 'operator')`,
    )
    .bind(`https://lists.example.com/${port}/hosts.txt`)
    .run();
  const refresh = () => server.control({ advance: LIST_REFRESH_MS, cron: true });
  await refresh();
  const probe = await startProbe(server.address);
  const stop = async () => {
    await probe.stop();
    await server.stop();
    files.close();
  };
  return { probe, refresh, stop };
}

/** Redirects, also between the look at the clock and the last of them. */
async function measureRedirects({ probe }: ListServer, run: () => Promise<unknown>): Promise<Round> {
  let latency = Number.NaN;
  const round = await measureRound(findRuntime(), async () => {
    await probe.take();
    const from = monotonicMs();
    await run();
    const latencies = latenciesIn(await probe.take(), [{ from, to: monotonicMs() }]);
    latency = p99Of(latencies);
    return { operations: latencies.length };
  });
  return { ...round, latencyMilliseconds: latency };
}

export const listRefreshes: Row<ListServer> = {
  name: "list-refreshes",
  title: `GET ${HOT_PATH} while the Screener reads a list file of a million hosts; compared with the p99 latency without that`,
  unit: "redirects",
  against: "idle",
  latency: "p99",
  seconds: 5,
  prepare: async (server) => ({
    row: () => measureRedirects(server, server.refresh),
    reference: (seconds) => measureRedirects(server, () => sleep(seconds * 1_000)),
  }),
};
