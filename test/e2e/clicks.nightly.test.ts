import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { Clicks } from "../../src/clicks/analytics/contract.ts";
import type { Link } from "../../src/links/contract.ts";
import { DAY_MS } from "../../src/limits.ts";
import { callApi, createAccount, createLink } from "./support/accounts.ts";
import { startService, type Isolate, type Service } from "./support/service.ts";
import { Visitors, type Expected, type Target } from "./support/visitors.ts";

// Redirects of the built Worker in several isolates, with its real queue and consumer, compared with what the API returns.

/** Requests; with faults half as many. */
const REQUESTS = Number(process.env["CLICKS"] ?? 1_500);
const LINKS_PER_ACCOUNT = 25;
/** A limit for a test that hangs. */
const SETTLE_TIMEOUT_MS = 600_000;
vi.setConfig({ testTimeout: 2 * SETTLE_TIMEOUT_MS });

interface Account {
  key: string;
  links: Target[];
}

let service: Service<"first" | "second" | "third">;
let isolates: Isolate[];
let failing = false;

beforeAll(async () => {
  service = await startService({ first: "one", second: "one", third: "two" }, { productionTimes: true });
  isolates = Object.values(service.isolates);
  // At noon, so that the test alone decides when a day ends.
  const now = Date.now();
  const noon = Math.floor(now / DAY_MS) * DAY_MS + 1.5 * DAY_MS;
  for (const isolate of isolates) await isolate.advance(noon - now);
});
afterAll(() => service.stop());

async function accountWithLinks(): Promise<Account> {
  const { key } = await createAccount(service.db);
  const links: Target[] = [];
  for (let n = 0; n < LINKS_PER_ACCOUNT; n++)
    links.push(await createLink(service.isolates.first, key, { url: "https://example.com/page" }));
  return { key, links };
}

/** While faults are injected, a query fails if the ClickLog restarts. It is sent again. */
async function query(key: string, path: string, again = 5): Promise<unknown> {
  const response = await callApi(service.isolates.second, key, "GET", path);
  if (response.status >= 500 && failing && again > 0) return query(key, path, again - 1);
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${response.text}`);
  return response.json();
}
const clicksOf = async (key: string, path: string) => ((await query(key, path)) as { clicks: Clicks }).clicks;
const linksOf = async (key: string) => ((await query(key, "/api/links?limit=100")) as { links: Link[] }).links;

/** Reads counters until it is stopped; fails if one has become smaller. */
function watchCounters({ key }: Account) {
  const seen = new Map<string, number>();
  const decreases: string[] = [];
  const look = (what: string, value: number) => {
    const before = seen.get(what) ?? 0;
    if (value < before) decreases.push(`${what}: ${before}, then ${value}`);
    seen.set(what, value);
  };
  const stopped = new AbortController();
  const watching = (async () => {
    while (!stopped.signal.aborted) {
      const [links, all] = await Promise.all([linksOf(key), clicksOf(key, "/api/clicks?interval=7d")]);
      for (const { id, clicks, lastClickedAt } of links) {
        look(`clicks of ${id}`, clicks);
        look(`lastClickedAt of ${id}`, lastClickedAt ?? 0);
      }
      look("all clicks", all.total);
      look("all visitors", all.unique);
      look("all crawlers", all.bots);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })();
  // A failure is reported where the promise is awaited.
  watching.catch(() => undefined);
  return async () => {
    stopped.abort();
    await watching;
    expect(decreases).toEqual([]);
  };
}

/** Lets visitors follow the links of both accounts on two days, until all their clicks are counted. */
async function followLinks(accounts: Account[], visitors: Visitors, requests: number): Promise<void> {
  const links = accounts.flatMap((account) => account.links);
  const stops = accounts.map(watchCounters);
  await visitors.follow(links, isolates, requests / 2);
  // The last clicks of the day have not arrived yet.
  for (const isolate of isolates) await isolate.advance(DAY_MS);
  visitors.sleep();
  await visitors.follow(links, isolates, requests / 2);
  visitors.stop();
  const { total, bots } = visitors.all;
  await expect.poll(() => countAll(accounts), { timeout: SETTLE_TIMEOUT_MS, interval: 200 }).toBe(total + bots);
  await Promise.all(stops.map((stop) => stop()));
}

async function countAll(accounts: Account[]): Promise<number> {
  const counts = await Promise.all(accounts.map(({ key }) => clicksOf(key, "/api/clicks?interval=7d")));
  return counts.reduce((sum, { total, bots }) => sum + total + bots, 0);
}

function compare(clicks: Clicks, { total, unique, bots, counts }: Expected): void {
  const dimensions = Object.keys(counts) as (keyof Clicks)[];
  const found = dimensions.map((dimension) => {
    const values = clicks[dimension] as { value: string; clicks: number }[];
    return [dimension, Object.fromEntries(values.map(({ value, clicks }) => [value, clicks]))];
  });
  expect({ total: clicks.total, unique: clicks.unique, bots: clicks.bots, counts: Object.fromEntries(found) }).toEqual({
    total,
    unique,
    bots,
    counts,
  });
}

async function compareAll(accounts: Account[], visitors: Visitors): Promise<void> {
  for (const { key, links } of accounts) {
    const listed = new Map((await linksOf(key)).map((link) => [link.id, link.clicks]));
    for (const { id } of links) {
      const expected = visitors.byLink.get(id);
      if (expected === undefined) throw new Error("a link without visitors");
      compare(await clicksOf(key, `/api/links/${id}/clicks?interval=7d`), expected);
      expect(listed.get(id)).toBe(expected.total);
    }
  }
  const found = await Promise.all(accounts.map(({ key }) => clicksOf(key, "/api/clicks?interval=7d")));
  for (const name of ["total", "unique", "bots"] as const)
    expect(found.reduce((sum, clicks) => sum + clicks[name], 0)).toBe(visitors.all[name]);
}

it("counts exactly what happened", async () => {
  const accounts = [await accountWithLinks(), await accountWithLinks()];
  const visitors = new Visitors(1);
  await followLinks(accounts, visitors, REQUESTS);
  await compareAll(accounts, visitors);
});

it("counts exactly what happened, whatever fails meanwhile", async () => {
  const { first } = service.isolates;
  const accounts = [await accountWithLinks(), await accountWithLinks()];
  const visitors = new Visitors(2);
  await first.injectClickFaults(true);
  failing = true;
  await followLinks(accounts, visitors, REQUESTS / 2);
  // Redeliveries arrive after the clicks are counted.
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  await compareAll(accounts, visitors);
  const { clickFaults } = await first.state();
  await first.injectClickFaults(false);
  for (const fault of [
    "late",
    "ended in the middle",
    "several times at once",
    "failed before storing",
    "failed while storing",
    "response lost",
    "restarted",
  ])
    expect(clickFaults[fault], fault).toBeGreaterThan(0);
});
