import { STALE_KEPT_MS } from "../../src/limits.ts";
import { exchange } from "../../test/e2e/support/http.ts";
import { numberOf, runRound, type Load } from "../load/wrk.ts";
import { UNCOUNTED } from "../instrumented/server.ts";
import type { Row } from "../row.ts";
import { HOST } from "../runtime.ts";
import { CACHED_LINKS, CACHED_ROUNDS, FEW_LINKS, MANY_LINKS, type Server } from "../server.ts";

/** Requests that fill the cache at the same time. */
const AT_ONCE = 16;

const cached: Row<Server> = {
  name: "cached",
  title: "redirect: another link each time, in the data centre's cache and no longer fresh in memory",
  against: "bare",
  seconds: 2,
  async prepare({ pid, addresses }) {
    const load = (address: URL): Load => {
      return { address, ask: { path: "/l#", numbers: { next: 0, below: CACHED_LINKS } }, headers: UNCOUNTED };
    };
    const visit = async (method: string, path: string, body?: string) => {
      const headers = { ...UNCOUNTED, Host: HOST };
      const { status } = await exchange({ address: addresses.cached, method, path, headers, body });
      if (status >= 400) throw new Error(`${path}: ${status}`);
    };
    return {
      async row(seconds) {
        await visit("POST", "/", String(STALE_KEPT_MS));
        // Twice, since links that an isolate meets again are always put into the cache.
        for (let n = 0; n < 2 * CACHED_LINKS; n += AT_ONCE)
          await Promise.all(
            Array.from({ length: AT_ONCE }, (_, more) => visit("GET", `/l${numberOf(n + more, CACHED_LINKS)}`)),
          );
        const round = await runRound(pid, load(addresses.cached), seconds);
        if (round.operations > CACHED_ROUNDS * CACHED_LINKS) throw new Error("the cache was read for too long");
        return round;
      },
      reference: (seconds) => runRound(pid, load(addresses.bare), seconds),
    };
  },
};

/**
 * In isolates of their own. Of many links each is asked for once; of few, again and again, while days pass for the
 * isolate, so that no link stays in memory or cache: see clocked.js.
 */
function cold(links: number, service: "coldOfFew" | "coldOfMany", reads: "readsOfFew" | "readsOfMany"): Row<Server> {
  const size = links.toLocaleString("en");
  return {
    name: `cold-${links}`,
    title: `redirect: another link each time, in the database alone, of ${size}`,
    against: "reads",
    goal: 0.9,
    seconds: 2,
    warmUpSeconds: 6,
    async prepare({ pid, addresses }) {
      const side = (address: URL) => {
        const load: Load = {
          address,
          ask: { path: "/l#", numbers: { next: 0, below: links } },
          headers: UNCOUNTED,
        };
        return (seconds: number) => runRound(pid, load, seconds);
      };
      return { row: side(addresses[service]), reference: side(addresses[reads]) };
    },
  };
}

export const coldRedirects = [
  cached,
  cold(FEW_LINKS, "coldOfFew", "readsOfFew"),
  cold(MANY_LINKS, "coldOfMany", "readsOfMany"),
];
