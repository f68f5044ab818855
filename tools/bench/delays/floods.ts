import { setTimeout as sleep } from "node:timers/promises";
import { createAccount, createLink } from "../../../test/e2e/support/accounts.ts";
import { insertLinks } from "../../../test/e2e/support/many-links.ts";
import { startService, type Service } from "../../../test/e2e/support/service.ts";
import { UNCOUNTED } from "../instrumented/server.ts";
import { SECOND_MS } from "../../../src/limits.ts";
import { startProbe, type Probe, type ProbedRequests } from "../load/latency.ts";
import type { Sample } from "../load/probe.ts";

/** Requests beside which others are measured. */
export interface Flood {
  name: string;
  requests: Pick<ProbedRequests, "path" | "addresses" | "intervalMs"> | null;
}

const SECONDS = 10;
/** For the code to be compiled, and for addresses that search to have their look-ups. */
const WARM_UP_SECONDS = 5;
const COLD_INTERVAL_MS = 50;
const MANY_ADDRESSES = 1_000_000;
const DESTINATION = "https://example.com/";

export const FLOODS: readonly Flood[] = [
  { name: "no-flood", requests: null },
  { name: "flood-of-one-cached-link", requests: { path: "/hot-too", addresses: MANY_ADDRESSES, intervalMs: 1 } },
  { name: "flood-of-unknown-by-four", requests: { path: "/unknown-#", addresses: 4, intervalMs: 1 } },
  { name: "flood-of-unknown-by-many", requests: { path: "/unknown-#", addresses: MANY_ADDRESSES, intervalMs: 1 } },
  ...[50, 100, 500].map((perSecond) => ({
    name: `flood-of-${perSecond}-unknown`,
    requests: { path: "/unknown-#", addresses: 10_000, intervalMs: SECOND_MS / perSecond },
  })),
];

/** What was requested beside a flood, or the flood itself. */
export interface MeasuredBeside {
  what: string;
  samples: Sample[];
}

/** Measures hot redirects, redirects of links that no cache has, and calls of the API, beside a flood in the same isolate. */
export async function measureBeside({ requests }: Flood): Promise<MeasuredBeside[]> {
  const service = await startService(
    { here: "one" },
    { variables: { BASE_URL: "http://tern.test" }, productionTimes: true },
  );
  const probes: Record<string, Probe> = {};
  try {
    const { address } = service.isolates.here;
    for (const [what, probed] of Object.entries(await prepare(service)))
      probes[what] = await startProbe(address, probed);
    if (requests !== null)
      probes["the flood"] = await startProbe(address, {
        ...requests,
        headers: UNCOUNTED,
        status: null,
      });
    await sleep(WARM_UP_SECONDS * 1_000);
    await Promise.all(Object.values(probes).map((probe) => probe.take()));
    await sleep(SECONDS * 1_000);
    return await Promise.all(
      Object.entries(probes).map(async ([what, probe]) => ({ what, samples: await probe.take() })),
    );
  } finally {
    for (const probe of Object.values(probes)) await probe.stop();
    await service.stop();
  }
}

async function prepare({ db, isolates: { here } }: Service<"here">): Promise<Record<string, ProbedRequests>> {
  const { key } = await createAccount(db);
  for (const slug of ["hot", "hot-too"]) await createLink(here, key, { url: DESTINATION, slug });
  const { id } = await createLink(here, key, { url: DESTINATION });
  const last = ((WARM_UP_SECONDS + SECONDS) * 2_000) / COLD_INTERVAL_MS;
  await insertLinks(db, { prefix: "cold-", first: 0, last, url: DESTINATION });
  return {
    hot: { path: "/hot", headers: UNCOUNTED, status: null, intervalMs: 10 },
    cold: { path: "/cold-#", headers: UNCOUNTED, status: null, intervalMs: COLD_INTERVAL_MS },
    API: { path: `/api/links/${id}`, headers: { Authorization: `Bearer ${key}` }, status: null, intervalMs: 50 },
  };
}

/** How many samples have each status, such as `302: 190, 503: 10`. */
export function countStatuses(samples: readonly Sample[]): string {
  const counts = new Map<number, number>();
  for (const { status } of samples) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${status}: ${count}`).join(", ");
}
