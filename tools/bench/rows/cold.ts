import { exchange } from "../../../test/e2e/support/http.ts";
import { numberOf, runRound, type Load } from "../load/wrk.ts";
import { UNCOUNTED } from "../instrumented/server.ts";
import type { Row, Sides } from "../row.ts";
import { HOST } from "../runtime.ts";
import { CACHED_LINKS, CACHED_ROUNDS, FEW_LINKS, MANY_LINKS, type Server } from "../server.ts";
import { STALE_ENTRY_TTL_MS } from "../../../src/redirect/limits.ts";

/** Parallel requests that fill the cache. */
const AT_ONCE = 16;

/** Requests each of the links `/l1` and up in turn. */
function linksUpTo(below: number): Omit<Load, "address"> {
  return { ask: { path: "/l#", numbers: { next: 0, below } }, headers: UNCOUNTED };
}

async function send(address: URL, method: string, path: string, body?: object): Promise<void> {
  const headers = { ...UNCOUNTED, Host: HOST };
  const { status } = await exchange({ address, method, path, headers, ...(body && { body: JSON.stringify(body) }) });
  if (status >= 400) throw new Error(`${path}: ${status}`);
}

/** Changes the clock of an isolate: see clocked.js. */
const setClock = (address: URL, settings: object) => send(address, "POST", "/", settings);

async function requestEach(address: URL, below: number): Promise<void> {
  for (let n = 0; n < below; n += AT_ONCE)
    await Promise.all(
      Array.from({ length: AT_ONCE }, (_, more) => send(address, "GET", `/l${numberOf(n + more, below)}`)),
    );
}

const cached: Row<Server> = {
  name: "cached",
  title: "redirect: another link each time, in the edge cache and no longer fresh in memory",
  against: "bare",
  seconds: 2,
  async prepare({ pid, addresses }) {
    const [load, bareLoad] = [linksUpTo(CACHED_LINKS), linksUpTo(CACHED_LINKS)];
    return {
      async row(seconds) {
        await setClock(addresses.cached, { jumpMs: STALE_ENTRY_TTL_MS });
        await requestEach(addresses.cached, CACHED_LINKS);
        const round = await runRound(pid, { ...load, address: addresses.cached }, seconds);
        if (round.operations > CACHED_ROUNDS * CACHED_LINKS) throw new Error("the cache was read for too long");
        return round;
      },
      reference: (seconds) => runRound(pid, { ...bareLoad, address: addresses.bare }, seconds),
    };
  },
};

/** The links of each isolate. All rows of an isolate continue the same sequence, so no link comes again too early. */
const links = {
  coldOfFew: linksUpTo(FEW_LINKS),
  readsOfFew: linksUpTo(FEW_LINKS),
  coldOfMany: linksUpTo(MANY_LINKS),
  readsOfMany: linksUpTo(MANY_LINKS),
};

/** The service beside the reference (reads.js), in isolates of their own. */
function besideReads(
  { pid, addresses }: Server,
  service: "coldOfFew" | "coldOfMany",
  reads: "readsOfFew" | "readsOfMany",
): Sides {
  const side = (name: keyof typeof links) => (seconds: number) =>
    runRound(pid, { ...links[name], address: addresses[name] }, seconds);
  return { row: side(service), reference: side(reads) };
}

const AGAINST_READS = { against: "reads", goal: 0.8, seconds: 2, warmUpSeconds: 6 } as const;

/**
 * Of many links each is requested once. Few links are requested again and again while days pass for the isolate and it
 * moves between data centres, so that neither cache has them: see clocked.js.
 */
const coldOfFew: Row<Server> = {
  ...AGAINST_READS,
  name: `cold-${FEW_LINKS}`,
  title: `redirect: another link each time, in the database alone, of ${FEW_LINKS.toLocaleString("en")}`,
  prepare: async (server) => besideReads(server, "coldOfFew", "readsOfFew"),
};

const coldOfMany: Row<Server> = {
  ...AGAINST_READS,
  name: `cold-${MANY_LINKS}`,
  title: `redirect: another link each time, in the database alone, of ${MANY_LINKS.toLocaleString("en")}`,
  prepare: async (server) => besideReads(server, "coldOfMany", "readsOfMany"),
};

/** Each link is requested again after two or three steps of the clock. */
const LATER_CLOCK = { stepMs: 60_000, requestsPerStep: 0.45 * FEW_LINKS, requestsPerDataCentre: null };

/** The reference is that of `cold`. */
const later: Row<Server> = {
  ...AGAINST_READS,
  name: "later",
  title: `redirect: another link each time, in both caches and minutes old, so no longer fresh, of ${FEW_LINKS.toLocaleString("en")}`,
  async prepare(server) {
    await setClock(server.addresses.coldOfFew, LATER_CLOCK);
    await requestEach(server.addresses.coldOfFew, FEW_LINKS);
    return besideReads(server, "coldOfFew", "readsOfFew");
  },
};

export const coldRedirects = [cached, coldOfFew, coldOfMany, later];
