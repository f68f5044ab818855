import { accountLogName } from "../../../src/click-log/click-log-name.ts";
import { createAccount } from "../../../test/e2e/support/accounts.ts";
import type { Account } from "../account.ts";
import { call, startInstrumented, type InstrumentedServer } from "../instrumented/server.ts";
import { DAY_MS, eachDayOfYear, NOW, YEAR_DAYS } from "../instrumented/year.ts";
import {
  domainOf,
  insertDeliveries,
  insertDomainOf,
  insertIdempotencyKeys,
  insertLinksOf,
  insertOthers,
} from "./fill.ts";
import { measureOperations, toCost, type Costs, type Subjects } from "./operations.ts";

/** What operations cost at several sizes. */
export interface GrowthTable {
  name: string;
  /** `links` is the number of links, or of clicks. */
  sizes: { links: number; costs: Costs }[];
  /** At the last size, after ANALYZE. */
  analyzed?: Costs;
}

/** Read all clicks in the period, by design, until a day has a summary. */
export const OF_ALL_LINKS = [
  "a day of all links",
  "a year of all links",
  "a year of all links, again",
  "a year of all links, compared",
  "30 days of all links, of two countries",
  "30 days of the links with a tag",
  "30 days of the links of a domain",
] as const;

/**
 * Largest number of rows that a query may read. A year of a link has two clicks a day, a few rows more or less by chance.
 * With a country it reads up to four rows a day. The clicks of all links are read in whole days.
 */
export const WITHIN_BOUNDS = {
  "a year of a link": 800,
  "100 clicks of a link": 130,
  "a year of a link, of a country": 4 * YEAR_DAYS,
  "a year of a link, not of two countries": 4 * YEAR_DAYS,
  "a year of a link by its id": 800,
  "30 days of 100 links by their ids": 30 * 4 * 100,
  "page 10 of the values of a link": 130,
  "30 days of a link, in hours, compared": 260,
  "today of a link": 50,
  "100 clicks of all links": 400,
};

type Tell = (line: string) => void;

const secondsSince = (start: number) => ((performance.now() - start) / 1_000).toFixed(1);

/** Links of the measured account while the links of others grow. */
const LINKS_BESIDE_OTHERS = 1_000;
const LINKS_WITH_CLICKS = 1_000;
const VISITOR = "Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0";

type LinkSubjects = Subjects & { webhookId: string };

async function prepareSubjects(server: InstrumentedServer): Promise<LinkSubjects> {
  const { db } = server;
  await server.control({ hold: true, stopAt: NOW - 1_000 });
  const [owner, subscriber] = [await createAccount(db), await createAccount(db)];
  // A creation reads the last time of the one before. So all passes read one.
  await db.prepare(`UPDATE account_usage SET recent_links = '{"0":1}'`).run();
  await insertDomainOf(db, owner.accountId);
  const body = { url: "https://hooks.acme.com/in", events: ["link.create"] };
  const created = await call(server, subscriber.key, "POST", "/api/webhooks", body);
  const { webhook } = created.json() as { webhook: { id: string } };
  return { server, owner, subscriber, webhookId: webhook.id };
}

const FILL = {
  async "links of the account"({ server, owner, subscriber, webhookId }: LinkSubjects, first: number, last: number) {
    const { db } = server;
    await insertLinksOf(db, owner.accountId, first, last);
    await insertIdempotencyKeys(db, owner.accountId, first, last);
    await insertDeliveries(db, webhookId, first, last);
    await insertIdempotencyKeys(db, subscriber.accountId, first, last);
  },
  async "links of others"({ server, owner, webhookId }: LinkSubjects, first: number, last: number) {
    const { db } = server;
    if (first === 1) {
      await insertLinksOf(db, owner.accountId, 1, LINKS_BESIDE_OTHERS);
      await insertDeliveries(db, webhookId, 1, LINKS_BESIDE_OTHERS);
    }
    await insertOthers(db, first, last);
  },
};

export async function measureLinks(
  name: keyof typeof FILL,
  sizes: readonly number[],
  tell: Tell = () => undefined,
): Promise<GrowthTable & { analyzed: Costs }> {
  // The cron would take in old links, up to a number that does not grow, and lists would read a row more for each of these.
  const server = await startInstrumented(undefined, { bindings: { DESTINATION_WATCH: "off" } });
  try {
    const subjects = await prepareSubjects(server);
    const measured: GrowthTable["sizes"] = [];
    let links = 0;
    for (const size of sizes) {
      const started = performance.now();
      await FILL[name](subjects, links + 1, size);
      links = size;
      const filling = secondsSince(started);
      measured.push({ links, costs: await measureOperations(subjects, measured.length) });
      tell(`${name}: ${links} links, filled in ${filling} s, measured after ${secondsSince(started)} s`);
    }
    await server.db.prepare("ANALYZE").run();
    return { name, sizes: measured, analyzed: await measureOperations(subjects, measured.length) };
  } finally {
    await server.stop();
  }
}

/** An account has clicks of a year: `sizes` of a thousand links, and two a day of another link. */
export async function measureClicks(sizes: readonly number[], tell: Tell = () => undefined): Promise<GrowthTable> {
  const server = await startInstrumented();
  try {
    const measured: GrowthTable["sizes"] = [];
    for (const clicks of sizes) {
      const started = performance.now();
      await server.control({ now: NOW - YEAR_DAYS * DAY_MS });
      const owner = await createAccount(server.db);
      await insertLinksOf(server.db, owner.accountId, 1, LINKS_WITH_CLICKS);
      const select = server.db.prepare("SELECT id FROM links WHERE account_id = ?1 ORDER BY seq").bind(owner.accountId);
      const [quiet = "", ...busy] = (await select.all<{ id: string }>()).results.map(({ id }) => id);
      const bytes = await createYear(server, owner, { quiet, busy, clicks });
      measured.push({ links: clicks, costs: await measureQueries(server, owner, quiet, busy) });
      const each = Math.round(bytes / (clicks + 2 * YEAR_DAYS));
      tell(`clicks of the account: ${clicks} in ${secondsSince(started)} s, ${each} bytes a click`);
    }
    return { name: "clicks of the account", sizes: measured };
  } finally {
    await server.stop();
  }
}

/** Returns the size of the ClickLog in bytes. */
async function createYear(
  server: InstrumentedServer,
  { accountId }: Account,
  { quiet, busy, clicks }: { quiet: string; busy: string[]; clicks: number },
): Promise<number> {
  await eachDayOfYear(NOW, clicks, async (day, index) => {
    const take = { ...day, accountId, perMessage: 1, perDelivery: 100 };
    const links = Array.from({ length: day.clicks }, (_, n) => busy[(index * day.clicks + n) % busy.length]);
    if (day.clicks > 0) await server.control({ now: day.until, take: { ...take, links } });
    await server.control({ now: day.until, take: { ...take, links: [quiet], clicks: 2 } });
  });
  await server.control({ stopAt: NOW });
  return (await server.control({ night: accountLogName(accountId) })).bytes;
}

async function measureQueries(
  server: InstrumentedServer,
  { accountId, key }: Account,
  link: string,
  others: readonly string[],
): Promise<Costs> {
  const costs: Costs = {};
  const measure = async (name: string, run: () => Promise<unknown>) => {
    costs[name] = toCost(await server.count(run));
  };
  const get = (name: string, path: string) => measure(name, () => call(server, key, "GET", path));
  const click = { accountId, links: [link], clicks: 1, perMessage: 1, perDelivery: 1, from: NOW - 1, until: NOW };
  // The click of a bot would leave the counter of the link as it is.
  const take = { ...click, userAgent: VISITOR };
  // The first visitor of a day writes its salt.
  await server.control({ take: { ...take, from: NOW - 2, until: NOW - 1 } });
  // Writes the use of the key, and the counters of all links.
  await call(server, key, "GET", "/api/links?limit=1");
  await measure("take in a click", () => server.control({ take }));
  await get("get a link that has new clicks", `/api/links/${link}`);
  await get("a year of a link", `/api/links/${link}/clicks?interval=1y`);
  await get("a year of a link, of a country", `/api/links/${link}/clicks?interval=1y&country=AE`);
  await get("a year of a link, not of two countries", `/api/links/${link}/clicks?interval=1y&country=!AE&country=!AF`);
  await get("page 10 of the values of a link", `/api/links/${link}/clicks?interval=30d&page=10`);
  await get(
    "30 days of a link, in hours, compared",
    `/api/links/${link}/clicks?interval=30d&bucket=hour&compare=previous`,
  );
  await get("today of a link", `/api/links/${link}/clicks?interval=today`);
  await get("a year of a link by its id", `/api/clicks?interval=1y&linkIds=${link}`);
  const ids = [link, ...others.slice(0, 99)].map((id) => `linkIds=${id}`).join("&");
  await get("30 days of 100 links by their ids", `/api/clicks?interval=30d&${ids}`);
  await get("100 clicks of a link", `/api/links/${link}/clicks/records?limit=100`);
  await get("100 clicks of all links", "/api/clicks/records?limit=100");
  const [day, year, again, compared, filtered, tagged, onDomain] = OF_ALL_LINKS;
  await get(day, "/api/clicks?interval=24h");
  await get(year, "/api/clicks?interval=1y");
  await get(again, "/api/clicks?interval=1y");
  await get(compared, "/api/clicks?interval=1y&compare=previous");
  await get(filtered, "/api/clicks?interval=30d&country=AE&country=AF");
  await get(tagged, "/api/clicks?interval=30d&tag=tag-7");
  await get(onDomain, `/api/clicks?interval=30d&domain=${domainOf(accountId)}`);
  return costs;
}
