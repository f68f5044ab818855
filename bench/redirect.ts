import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { setTimeout as sleep } from "node:timers/promises";
import { insertLinks } from "../test/e2e/support/many-links.ts";
import { insertManyLinks } from "../test/support/many-links.ts";
import { findRuntime, requireWrk, runRound, type Load, type Round } from "./load.ts";
import { ACCOUNT_ID, DESTINATION, HOST, startServer, type Server } from "./server.ts";

// How near the redirect is to a Worker that does nothing else. Both run in one runtime and take turns, so
// that whatever else the machine does hits both; what counts is the ratio within a turn.

const KINDS = {
  bare: "a Worker that answers 302 and does nothing else",
  hot: "one link, in the isolate's memory, no click recorded",
  ruled: "one link with ten rules, in memory, no click recorded, beside the same without rules",
  clicks: "fifty links, in memory, all kinds of visitors, until the last click is stored",
  cached: "another link each time, in the data centre's cache",
  cold: "another link each time, in the database alone",
  unknown: "another slug each time that is nowhere",
} as const;

/** As many as visitors.lua follows. */
const VISITED_LINKS = 50;
const PATIENCE_MS = 60_000;
const POLL_MS = 20;

type Kind = keyof typeof KINDS;
/**
 * `visited` is the bare Worker with the visitors of `clicks`, whose requests are larger; `plain` a link without
 * rules with the visitor of `ruled`.
 */
type Turn = Record<Exclude<Kind, "cached"> | "visited" | "plain", Round> & { cached: Round | null };

/** The middle of some turns, and between what half of them lie. */
interface Spread {
  median: number;
  low: number;
  high: number;
}

interface Line {
  kind: Kind;
  requestsPerSecond: Spread;
  /** Its requests per second by those of the bare Worker, or of the link without rules. */
  ofBare: Spread;
  /** CPU time of the runtime for a request, with the local stand-ins for database and cache. */
  cpuMicroseconds: Spread;
  /** The bare Worker's CPU time by this. */
  cpuOfBare: Spread;
}

async function takeTurn(server: Server, pid: number, turn: number, first: number, seconds: number): Promise<Turn> {
  const load = (address: URL, paths: Load, length = seconds) => runRound(pid, address, HOST, paths, length);
  const early = turn % 2 === 0 ? await load(server.bare, ONE_LINK) : null;
  const hot = await load(server.first, ONE_LINK);
  const bare = early ?? (await load(server.bare, ONE_LINK));
  const plainEarly = turn % 2 === 0 ? await load(server.first, { ...ONE_LINK, phone: true }) : null;
  const ruled = await load(server.first, { path: `/ruled-${RULED}`, phone: true });
  const plain = plainEarly ?? (await load(server.first, { ...ONE_LINK, phone: true }));
  // At the end of the load the queue waits up to a second for more, which must not weigh like a second of every few.
  const long = 4 * seconds;
  const visitedEarly = turn % 2 === 0 ? await load(server.bare, "visitors", long) : null;
  const clicks = await recordClicks(server, pid, long);
  const visited = visitedEarly ?? (await load(server.bare, "visitors", long));
  // One isolate puts links into the cache, the other finds them there as long as the first was ahead, and
  // for half a minute. It is several times as quick, so it gets a tenth of the time.
  const shortly = Math.ceil(seconds / 3);
  const cold = await load(server.first, { prefix: "/l", first }, 10 * shortly);
  const cached = await load(server.second, { prefix: "/l", first }, shortly);
  const unknown = await load(server.first, { prefix: "/unknown-", first });
  for (const { errors } of [bare, hot, ruled, plain, clicks, visited, cold, cached])
    if (errors > 0) throw new Error("not every answer was a redirect");
  // Where it was not, that round says nothing.
  return {
    bare,
    hot,
    ruled,
    plain,
    clicks,
    visited,
    cached: cached.requests < cold.requests ? cached : null,
    cold,
    unknown,
  };
}

const ONE_LINK = { path: "/l1" };

/** Its number, which no other link has. */
const RULED = 1_000_000;

/** Conditions of every kind; only the last rule fits the visitor with the phone. */
const RULES = [
  { countries: ["FR", "BE", "CH"] },
  { regions: ["US-CA", "DE-BY"] },
  { devices: ["desktop", "tablet"] },
  { os: ["Android"], countries: ["DE"] },
  { languages: ["fr", "it"] },
  { referrers: ["news.example", "social.example"] },
  { startsAt: 4_000_000_000_000 },
  { percentage: 0.000_001 },
  { countries: ["AT"], languages: ["de"] },
  { countries: ["DE"], devices: ["mobile"], languages: ["de"] },
].map((conditions, place) => Object.assign(conditions, { url: `${DESTINATION}&rule=${place}` }));

/** What a kind is measured by. */
const BASES: Partial<Record<Kind, "visited" | "plain">> = { clicks: "visited", ruled: "plain" };

/** A round in which every visitor is recorded, and which ends when all of them are counted. */
async function recordClicks(server: Server, pid: number, seconds: number): Promise<Round> {
  const before = await server.countClicks();
  return runRound(pid, server.first, HOST, "visitors", seconds, async (requests) => {
    const deadline = performance.now() + PATIENCE_MS;
    while ((await server.countClicks()) < before + requests) {
      if (performance.now() > deadline) throw new Error("not every click was counted");
      await sleep(POLL_MS);
    }
  });
}

async function measure(server: Server, turns: number, seconds: number): Promise<Line[]> {
  const pid = findRuntime();
  const taken: Turn[] = [];
  let first = 2;
  // The first turn warms up.
  for (let turn = 0; turn <= turns; turn++) {
    const result = await takeTurn(server, pid, turn, first, seconds);
    first += result.cold.requests;
    if (turn > 0) taken.push(result);
  }
  return (Object.keys(KINDS) as Kind[]).map((kind) => {
    const over = (value: (round: Round, bare: Round) => number) =>
      spreadOf(
        taken.flatMap((turn) => {
          const round = turn[kind];
          return round === null ? [] : [value(round, turn[BASES[kind] ?? "bare"])];
        }),
      );
    return {
      kind,
      requestsPerSecond: over((round) => round.requestsPerSecond),
      ofBare: over((round, bare) => round.requestsPerSecond / bare.requestsPerSecond),
      cpuMicroseconds: over((round) => round.cpuMicroseconds),
      cpuOfBare: over((round, bare) => bare.cpuMicroseconds / round.cpuMicroseconds),
    };
  });
}

function spreadOf(values: number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => {
    const place = share * (sorted.length - 1);
    const [below = Number.NaN, above = Number.NaN] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
    return below + (above - below) * (place % 1);
  };
  return { median: at(0.5), low: at(0.25), high: at(0.75) };
}

function print(lines: Line[]): void {
  const show = ({ median, low, high }: Spread, digits: number) =>
    `${median.toFixed(digits)} (${low.toFixed(digits)} to ${high.toFixed(digits)})`;
  const cells = lines.map(({ kind, requestsPerSecond, ofBare, cpuMicroseconds, cpuOfBare }) => [
    kind,
    show(requestsPerSecond, 0),
    show(ofBare, 2),
    show(cpuMicroseconds, 1),
    show(cpuOfBare, 2),
    KINDS[kind],
  ]);
  for (const row of [["", "requests/s", "of bare", "CPU µs/request", "bare's CPU of it", ""], ...cells]) {
    console.log(
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(9) : cell.padEnd(24)))
        .join("")
        .trimEnd(),
    );
  }
}

const { values: options } = parseArgs({
  options: {
    json: { type: "string" },
    turns: { type: "string", default: "7" },
    seconds: { type: "string", default: "3" },
  },
});
requireWrk();
const server = await startServer();
try {
  await insertManyLinks(server.db, ACCOUNT_ID, VISITED_LINKS);
  await insertLinks(server.db, { prefix: "l", first: 1, last: 500_000, url: DESTINATION });
  await insertLinks(server.db, { prefix: "ruled-", first: RULED, last: RULED, url: DESTINATION });
  await server.db
    .prepare("UPDATE links SET rules = ?1 WHERE slug = ?2")
    .bind(JSON.stringify(RULES), `ruled-${RULED}`)
    .run();
  const lines = await measure(server, Number(options.turns), Number(options.seconds));
  print(lines);
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(lines, null, 2)}\n`);
} finally {
  await server.stop();
}
