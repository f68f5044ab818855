import { clickLogName } from "../../src/clicks/click-log-name.ts";
import { createAccount } from "../../test/e2e/support/accounts.ts";
import { call, startMetered, type MeteredServer } from "../metered/server.ts";
import { DAY_MS, NOW } from "../metered/year.ts";
import { Operations, toCost, type Costs, type Person, type Subject } from "./operations.ts";
import { domainOf, insertAnswers, insertEvents, insertLinksOf, insertOthers } from "./population.ts";

/** What operations cost at several sizes. */
export interface GrowthSet {
  name: string;
  sizes: { links: number; costs: Costs }[];
  /** At the last size, once the database has statistics on its tables. */
  analyzed?: Costs;
}

const YEAR_DAYS = 365;
const LINKS_WITH_CLICKS = 1_000;
/** Read all that they are about, by design, until it is summarised. */
export const OF_ALL_LINKS = ["a day of all links", "a year of all links", "a year of all links, again"] as const;
/**
 * Read at most so many rows: of one link a few more or less by chance, of a country up to four for each day, by the other
 * links that have clicks on it, of all links those of whole days.
 */
export const WITHIN_BOUNDS = {
  "a year of a link": 800,
  "100 clicks of a link": 130,
  "a year of a link, of a country": 4 * YEAR_DAYS,
  "100 clicks of all links": 400,
};

type Tell = (line: string) => void;

/** Links of the account under test while others grow. */
const LINKS_BESIDE_OTHERS = 1_000;

async function prepare(): Promise<Subject & { webhookId: string }> {
  const server = await startMetered();
  await server.control({ hold: true, stopAt: NOW - 1_000 });
  const [ann, bob] = [await createAccount(server.db), await createAccount(server.db)] as [Person, Person];
  await server.db
    .prepare(
      `INSERT INTO domains (id, account_id, domain, token, status, check_at, created_at, updated_at)
       VALUES ('00000000-0000-7000-8000-000000000000', ?1, ?2, '', 'verified', ?3, 0, 0)`,
    )
    .bind(ann.accountId, domainOf(ann.accountId), NOW * 2)
    .run();
  const body = { url: "https://hooks.acme.com/in", events: ["link.create"] };
  const made = await call(server, bob.key, "POST", "/api/webhooks", body);
  const { webhook } = made.json() as { webhook: { id: string } };
  return { server, ann, bob, webhookId: webhook.id };
}

type Subjects = Awaited<ReturnType<typeof prepare>>;

/** The account under test has all of them. */
async function growOwn({ server, ann, bob, webhookId }: Subjects, first: number, last: number): Promise<void> {
  await insertLinksOf(server.db, ann.accountId, first, last);
  await insertAnswers(server.db, ann.accountId, first, last);
  await insertEvents(server.db, webhookId, first, last);
  await insertAnswers(server.db, bob.accountId, first, last);
}

/** Others have them. */
async function growOthers({ server, ann, webhookId }: Subjects, first: number, last: number): Promise<void> {
  if (first === 1) {
    await insertLinksOf(server.db, ann.accountId, 1, LINKS_BESIDE_OTHERS);
    await insertEvents(server.db, webhookId, 1, LINKS_BESIDE_OTHERS);
  }
  await insertOthers(server.db, first, last);
}

const SETS = { "links of the account": growOwn, "links of others": growOthers };

export async function measureLinks(
  name: keyof typeof SETS,
  sizes: readonly number[],
  tell: Tell = () => undefined,
): Promise<GrowthSet & { analyzed: Costs }> {
  const subjects = await prepare();
  try {
    const measured: GrowthSet["sizes"] = [];
    let links = 0;
    for (const size of sizes) {
      const started = performance.now();
      await SETS[name](subjects, links + 1, size);
      links = size;
      const filled = performance.now();
      measured.push({ links, costs: await new Operations(subjects, measured.length).run() });
      const seconds = (from: number, to: number) => ((to - from) / 1_000).toFixed(1);
      tell(
        `${name}: ${links} links in ${seconds(started, filled)} s, asked in ${seconds(filled, performance.now())} s`,
      );
    }
    await subjects.server.db.prepare("ANALYZE").run();
    return { name, sizes: measured, analyzed: await new Operations(subjects, measured.length).run() };
  } finally {
    await subjects.server.stop();
  }
}

/** The account has so many clicks of a year in its ClickLog, spread over a thousand links, and two a day of one more link. */
export async function measureClicks(sizes: readonly number[], tell: Tell = () => undefined): Promise<GrowthSet> {
  const server = await startMetered();
  try {
    const measured: GrowthSet["sizes"] = [];
    for (const clicks of sizes) {
      const started = performance.now();
      await server.control({ now: NOW - YEAR_DAYS * DAY_MS });
      const owner = await createAccount(server.db);
      const links = await addLinks(server.db, owner.accountId);
      await takeYear(server, owner.accountId, links, clicks);
      const costs = await askOfClicks(server, owner, links);
      measured.push({ links: clicks, costs });
      tell(`clicks of the account: ${clicks} in ${((performance.now() - started) / 1_000).toFixed(1)} s`);
    }
    return { name: "clicks of the account", sizes: measured };
  } finally {
    await server.stop();
  }
}

async function addLinks(db: D1Database, accountId: number): Promise<string[]> {
  await insertLinksOf(db, accountId, 1, LINKS_WITH_CLICKS);
  const { results } = await db
    .prepare("SELECT id FROM links WHERE account_id = ?1 ORDER BY seq")
    .bind(accountId)
    .all<{ id: string }>();
  return results.map(({ id }) => id);
}

async function takeYear(server: MeteredServer, accountId: number, links: string[], clicks: number): Promise<void> {
  const [quiet = "", ...busy] = links;
  for (let day = 0; day < YEAR_DAYS; day++) {
    const from = NOW - (YEAR_DAYS - day) * DAY_MS;
    const until = from + DAY_MS - 1;
    const many = Math.round((clicks * (day + 1)) / YEAR_DAYS) - Math.round((clicks * day) / YEAR_DAYS);
    const spread = { accountId, perMessage: 1, perDelivery: 100, from, until };
    const others = Array.from({ length: many }, (_, n) => busy[(day * many + n) % busy.length]);
    if (many > 0) await server.control({ now: until, take: { ...spread, links: others, clicks: many } });
    await server.control({ now: until, take: { ...spread, links: [quiet], clicks: 2 } });
  }
  await server.control({ stopAt: NOW });
  await server.control({ night: clickLogName(accountId, "") });
}

async function askOfClicks(server: MeteredServer, { accountId, key }: Person, links: string[]): Promise<Costs> {
  const [quiet = ""] = links;
  const costs: Costs = {};
  const measure = async (run: () => Promise<unknown>) => toCost(await server.measure(run));
  const ask = async (name: string, path: string) => {
    costs[name] = await measure(() => call(server, key, "GET", path));
  };
  const take = { accountId, links: [quiet], clicks: 1, perMessage: 1, perDelivery: 1, from: NOW - 1, until: NOW };
  // The key's use is written, and all links get their counters.
  await call(server, key, "GET", "/api/links?limit=1");
  costs["take in a click"] = await measure(() => server.control({ take }));
  await ask("get a link that has new clicks", `/api/links/${quiet}`);
  await ask("a year of a link", `/api/links/${quiet}/clicks?interval=1y`);
  await ask("a year of a link, of a country", `/api/links/${quiet}/clicks?interval=1y&country=AA`);
  await ask("100 clicks of a link", `/api/links/${quiet}/clicks/records?limit=100`);
  await ask("100 clicks of all links", "/api/clicks/records?limit=100");
  const [day, year, again] = OF_ALL_LINKS;
  await ask(day, "/api/clicks?interval=24h");
  await ask(year, "/api/clicks?interval=1y");
  await ask(again, "/api/clicks?interval=1y");
  return costs;
}
