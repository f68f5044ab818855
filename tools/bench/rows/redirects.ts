import { setTimeout as sleep } from "node:timers/promises";
import { insertLinks } from "../../../test/e2e/support/many-links.ts";
import { insertManyLinks } from "../../../test/support/many-links.ts";
import { measureStored } from "../load/stored.ts";
import type { Round } from "../load/round.ts";
import { runRound, type Load } from "../load/wrk.ts";
import { UNCOUNTED } from "../instrumented/server.ts";
import type { Row, Sides } from "../row.ts";
import { DESTINATION } from "../runtime.ts";
import type { Server } from "../server.ts";

/** The same load for two Workers. */
function compare(
  { addresses, pid }: Server,
  [row, reference]: [keyof Server["addresses"], keyof Server["addresses"]],
  load: Omit<Load, "address">,
): Sides {
  const side = (address: URL) => (seconds: number) => runRound(pid, { ...load, address }, seconds);
  return { row: side(addresses[row]), reference: side(addresses[reference]) };
}

const bare: Row<Server> = {
  name: "bare",
  title: "a Worker that only responds 302",
  against: null,
  seconds: 2,
  async prepare(server) {
    const load = { address: server.addresses.bare, ask: { path: "/l1" }, headers: UNCOUNTED };
    return { row: (seconds) => runRound(server.pid, load, seconds), reference: null };
  },
};

const hot: Row<Server> = {
  name: "hot",
  title: "redirect: one link in the memory cache, no click recorded",
  against: "bare",
  goal: 0.9,
  seconds: 2,
  prepare: async (server) => compare(server, ["service", "bare"], { ask: { path: "/l1" }, headers: UNCOUNTED }),
};

const assets: Row<Server> = {
  name: "assets",
  title: "redirect: as hot, behind the local router of the static files",
  against: "hot",
  seconds: 2,
  prepare: async (server) => compare(server, ["routed", "service"], { ask: { path: "/l1" }, headers: UNCOUNTED }),
};

/** A visitor with a phone in Germany. */
const PHONE = {
  "CF-Connecting-IP": UNCOUNTED["CF-Connecting-IP"],
  "User-Agent":
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1",
  "Accept-Language": "de-DE,de;q=0.9,en;q=0.8",
  Referer: "https://www.search.example/find?q=tern",
  "MF-CF-Blob": '{"country":"DE","regionCode":"BE","city":"Berlin","continent":"EU"}',
};

/** Conditions of every kind. Only the last rule matches {@link PHONE}. */
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

/** A number that no other link has. */
const RULED = 2_000_000;

const ruled: Row<Server> = {
  name: "ruled",
  title: "redirect: one link with ten rules in the memory cache, no click recorded",
  against: "bare",
  goal: 0.6,
  seconds: 2,
  async prepare(server) {
    const slug = `ruled-${RULED}`;
    await insertLinks(server.db, { prefix: "ruled-", first: RULED, last: RULED, url: DESTINATION });
    const change = server.db.prepare("UPDATE links SET rules = ?1 WHERE slug_key = ?2 AND domain = ''");
    await change.bind(JSON.stringify(RULES), slug).run();
    return compare(server, ["service", "bare"], { ask: { path: `/${slug}` }, headers: { ...PHONE, ...UNCOUNTED } });
  },
};

/** The links that visitors.lua requests. */
const VISITED_LINKS = 50;
/** The queue waits for a second before it delivers the first clicks. */
const LEAD_IN_SECONDS = 2;
const PATIENCE_MS = 60_000;
const POLL_MS = 20;

/** Measures the clicks stored a second under load. Fails unless every click is stored in the end. */
async function storeClicks(server: Server, clicks: Omit<Load, "address">, seconds: number): Promise<Round> {
  const before = await server.countClicks();
  const loadSeconds = LEAD_IN_SECONDS + seconds;
  let redirected: number | null = null;
  const load: Load = { address: server.addresses.service, ...clicks };
  const [stored] = await Promise.all([
    measureStored(server, () => redirected !== null),
    runRound(server.pid, load, loadSeconds, async (requests) => {
      redirected = requests;
      const deadline = performance.now() + PATIENCE_MS;
      while ((await server.countClicks()) < before + requests) {
        if (performance.now() > deadline) throw new Error("not every click was counted");
        await sleep(POLL_MS);
      }
    }),
  ]);
  // The clicks of the first seconds are stored later, so for a while more are stored than made.
  return { ...stored, perSecond: Math.min(stored.perSecond, (redirected ?? 0) / loadSeconds) };
}

// Clicks are stored in batches of about a second. A round has many, so that one more or less changes little.
const ROUND = { seconds: 15, leastSeconds: 5 };

/** Clicks from the redirect to the ClickLog, compared with the same requests for `bare`. */
const stored = async (server: Server, load: Omit<Load, "address">): Promise<Sides> => ({
  row: (seconds) => storeClicks(server, load, seconds),
  reference: (seconds) => runRound(server.pid, { ...load, address: server.addresses.bare }, seconds),
});

/** One link of the account, which a visitor requests again and again. */
async function oneLink({ db, accountId }: Server): Promise<Omit<Load, "address">> {
  await insertManyLinks(db, accountId, 1);
  const newest = db.prepare("SELECT slug FROM links WHERE account_id = ?1 ORDER BY seq DESC LIMIT 1").bind(accountId);
  return { ask: { path: `/${await newest.first<string>("slug")}` }, headers: PHONE };
}

async function fiftyLinks({ db, accountId }: Server): Promise<Omit<Load, "address">> {
  await insertManyLinks(db, accountId, VISITED_LINKS);
  return { ask: "visitors" };
}

const click: Row<Server> = {
  name: "click",
  title: "redirect: one link in the memory cache, each click recorded; clicks stored a second",
  against: "bare",
  goal: 0.8,
  ...ROUND,
  prepare: async (server) => stored(server, await oneLink(server)),
};

const capturedClick: Row<Server> = {
  name: "click-captured",
  title: "redirect: as click, with a ClickLog that does nothing",
  against: "bare",
  seconds: 2,
  prepare: async (server) => compare(server, ["capturing", "bare"], await oneLink(server)),
};

const clicks: Row<Server> = {
  name: "clicks",
  title: "redirect: fifty links in the memory cache, all kinds of visitors; clicks stored a second",
  against: "bare",
  goal: 0.65,
  ...ROUND,
  prepare: async (server) => stored(server, await fiftyLinks(server)),
};

const capturedClicks: Row<Server> = {
  name: "clicks-captured",
  title: "redirect: as clicks, with a ClickLog that does nothing",
  against: "bare",
  goal: 0.75,
  seconds: 2,
  prepare: async (server) => compare(server, ["capturing", "bare"], await fiftyLinks(server)),
};

const unknown: Row<Server> = {
  name: "unknown",
  title: "another unknown slug each time, among 1,000,000 links",
  against: "bare",
  seconds: 2,
  async prepare({ pid, addresses }) {
    const ask = { path: "/unknown-#", numbers: { next: 0 } };
    const load = (address: URL): Load => ({ address, ask, headers: UNCOUNTED });
    return {
      row: (seconds) => runRound(pid, { ...load(addresses.service), refused: true }, seconds),
      reference: (seconds) => runRound(pid, load(addresses.bare), seconds),
    };
  },
};

export const redirects = [bare, hot, assets, ruled, click, capturedClick, clicks, capturedClicks, unknown];
