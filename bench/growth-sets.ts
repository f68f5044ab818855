import { clickLogName } from "../src/clicks/log-name.ts";
import { createAccount } from "../test/e2e/support/accounts.ts";
import { NOW, startMeteredService, type MeteredService } from "./metered-service.ts";
import { Operations, type Costs, type Person, type Subject } from "./operations.ts";
import { domainOf, insertAnswers, insertEvents, insertLinksOf, insertOthers } from "./population.ts";

/** What operations cost at several sizes. */
export interface GrowthSet {
  name: string;
  sizes: { links: number; costs: Costs }[];
  /** At the last size, once the database has statistics on its tables. */
  analyzed?: Costs;
}

const DAY_MS = 86_400_000;
const YEAR_DAYS = 365;
const LINKS_WITH_CLICKS = 1_000;
/** Read all that they are about, by design, until it is summarised. */
export const OF_ALL_LINKS = ["a day of all links", "a year of all links", "a year of all links, again"] as const;
/** Read at most so many rows: up to four for each day, by the other links that have clicks on it, and those of whole days. */
export const WITHIN_BOUNDS = { "a year of a link, of a country": 4 * YEAR_DAYS, "100 clicks of all links": 400 };

type Tell = (line: string) => void;

/** Links of the account under test while others grow. */
const LINKS_BESIDE_OTHERS = 1_000;

async function prepare(): Promise<Subject & { webhookId: string }> {
  const service = await startMeteredService();
  await service.control({ stopAt: NOW - 1_000 });
  const [ann, bob] = [await createAccount(service.db), await createAccount(service.db)] as [Person, Person];
  await service.db
    .prepare(
      `INSERT INTO domains (id, account_id, domain, token, status, check_at, created_at, updated_at)
       VALUES ('00000000-0000-7000-8000-000000000000', ?1, ?2, '', 'verified', ?3, 0, 0)`,
    )
    .bind(ann.accountId, domainOf(ann.accountId), NOW * 2)
    .run();
  const body = { url: "https://hooks.acme.com/in", events: ["link.create"] };
  const made = await service.callApi(bob.key, "POST", "/api/webhooks", body);
  const { webhook } = made.json() as { webhook: { id: string } };
  return { service, ann, bob, webhookId: webhook.id };
}

type Subjects = Awaited<ReturnType<typeof prepare>>;

/** The account under test has all of them. */
async function growOwn({ service, ann, bob, webhookId }: Subjects, first: number, last: number): Promise<void> {
  await insertLinksOf(service.db, ann.accountId, first, last);
  await insertAnswers(service.db, ann.accountId, first, last);
  await insertEvents(service.db, webhookId, first, last);
  await insertAnswers(service.db, bob.accountId, first, last);
}

/** Others have them. */
async function growOthers({ service, ann, webhookId }: Subjects, first: number, last: number): Promise<void> {
  if (first === 1) {
    await insertLinksOf(service.db, ann.accountId, 1, LINKS_BESIDE_OTHERS);
    await insertEvents(service.db, webhookId, 1, LINKS_BESIDE_OTHERS);
  }
  await insertOthers(service.db, first, last);
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
    await subjects.service.db.prepare("ANALYZE").run();
    return { name, sizes: measured, analyzed: await new Operations(subjects, measured.length).run() };
  } finally {
    await subjects.service.stop();
  }
}

/** The account has so many clicks of a year in its ClickLog, spread over a thousand links, and two a day of one more link. */
export async function measureClicks(sizes: readonly number[], tell: Tell = () => undefined): Promise<GrowthSet> {
  const service = await startMeteredService();
  try {
    const measured: GrowthSet["sizes"] = [];
    for (const clicks of sizes) {
      const started = performance.now();
      await service.control({ now: NOW - YEAR_DAYS * DAY_MS });
      const owner = await createAccount(service.db);
      const links = await addLinks(service.db, owner.accountId);
      await takeYear(service, owner.accountId, links, clicks);
      const costs = await askOfClicks(service, owner, links);
      measured.push({ links: clicks, costs });
      tell(`clicks of the account: ${clicks} in ${((performance.now() - started) / 1_000).toFixed(1)} s`);
    }
    return { name: "clicks of the account", sizes: measured };
  } finally {
    await service.stop();
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

async function takeYear(service: MeteredService, accountId: number, links: string[], clicks: number): Promise<void> {
  const [quiet = "", ...busy] = links;
  for (let day = 0; day < YEAR_DAYS; day++) {
    const from = NOW - (YEAR_DAYS - day) * DAY_MS;
    const until = from + DAY_MS - 1;
    const many = Math.round((clicks * (day + 1)) / YEAR_DAYS) - Math.round((clicks * day) / YEAR_DAYS);
    const spread = { accountId, perMessage: 1, perDelivery: 100, from, until };
    const others = Array.from({ length: many }, (_, n) => busy[(day * many + n) % busy.length]);
    if (many > 0) await service.control({ now: until, take: { ...spread, links: others, clicks: many } });
    await service.control({ now: until, take: { ...spread, links: [quiet], clicks: 2 } });
  }
  await service.control({ stopAt: NOW });
  await service.control({ night: clickLogName(accountId, "") });
}

async function askOfClicks(service: MeteredService, { accountId, key }: Person, links: string[]): Promise<Costs> {
  const [quiet = ""] = links;
  const costs: Costs = {};
  const ask = async (name: string, path: string) => {
    costs[name] = await service.measure(() => service.callApi(key, "GET", path));
  };
  const take = { accountId, links: [quiet], clicks: 1, perMessage: 1, perDelivery: 1, from: NOW - 1, until: NOW };
  // The key's use is written, and all links get their counters.
  await service.callApi(key, "GET", "/api/links?limit=1");
  costs["take in a click"] = await service.measure(() => service.control({ take }));
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
