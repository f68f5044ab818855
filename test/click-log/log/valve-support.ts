import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, vi } from "vitest";
import type { CapturedClick } from "../../../src/click-log/capture/click.ts";
import type { ClickBatchMessage } from "../../../src/click-log/capture/message.ts";
import type { AggregateQuery, Totals } from "../../../src/click-log/log/aggregate.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/limits.ts";
import { newId } from "../../../src/platform/lib/uuid.ts";
import { insertAccount } from "../../support/accounts.ts";
import { boundLog, clickOn, consume, logOf, messageOf } from "../../support/clicks.ts";
import { expectedTotals } from "./totals-model.ts";
import { CRAWLER, FIREFOX, SAFARI } from "../../support/user-agents.ts";

// In the future, so that alarms run only when a test runs them.
export const TODAY = Date.UTC(2032, 5, 15);
export const NOW = TODAY + 15 * HOUR_MS;

let accountId = 9_000;

/** Gives each test an account with an empty ClickLog, and the clock {@link NOW}. */
export function prepareAccounts(): void {
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: NOW });
    accountId++;
    await insertAccount(env.DB, accountId);
  });
  afterEach(() => vi.useRealTimers());
}

export const accountLog = () => logOf(accountId);
export const inLog = <T>(use: (storage: DurableObjectStorage) => T | Promise<T>) =>
  runInDurableObject(accountLog(), (_, { storage }) => use(storage));
export const sizeOf = () => inLog(({ sql }) => sql.databaseSize);
export const alarmAt = () => inLog((storage) => storage.getAlarm());
export const levels = () =>
  inLog(({ sql }) =>
    sql.exec<{ day: number; level: number }>("SELECT DISTINCT day, level FROM clicks ORDER BY day, level").toArray(),
  );

export const links = Array.from({ length: 3 }, (_, index) => newId(TODAY - 30 * DAY_MS + index));
const PLACES = [
  ["DE", "BE", "Berlin", "EU"],
  ["US", "TX", "Paris", "NA"],
  ["FR", "IDF", "Paris", "EU"],
] as const;

/** A click whose values depend on the number only. */
export function nth(n: number, at: number, link = links[n % 3] ?? ""): CapturedClick {
  const [country, region, city, continent] = PLACES[n % 5 === 0 ? 0 : n % 3] ?? PLACES[0];
  return clickOn(link, accountId, {
    at,
    ip: `198.51.${n % 7}.${(n * 31) % 200}`,
    userAgent: [FIREFOX, SAFARI, FIREFOX, CRAWLER][n % 4] ?? FIREFOX,
    referrer: n % 3 === 0 ? "https://www.news.example" : "",
    country,
    region,
    city,
    continent,
    target: {
      location:
        n % 2 === 0 ? "https://example.com/" : "https://example.com/?utm_source=Letter&utm_campaign=spring+sale",
    },
  });
}

/** Stores clicks of the day of `end` in the order of time; returns their messages. */
export async function fill(count: number, end: number, link?: string): Promise<ClickBatchMessage[]> {
  vi.setSystemTime(end);
  const clicks = Array.from({ length: count }, (_, n) =>
    nth(n, end - Math.floor(((count - n) * 10 * HOUR_MS) / count), link),
  );
  const messages: ClickBatchMessage[] = [];
  for (let first = 0; first < count; first += 200) messages.push(messageOf(clicks.slice(first, first + 200)));
  for (let first = 0; first < messages.length; first += 5) await consume(messages.slice(first, first + 5));
  return messages;
}

export const query = (over: Partial<AggregateQuery> = {}): AggregateQuery => ({
  start: 0,
  end: Date.now() + DAY_MS,
  boundaries: [0],
  filters: {},
  ...over,
});

/** Runs the alarm for as long as it is due. */
export async function drain(): Promise<void> {
  for (let run = 0; run < 100 && ((await alarmAt()) ?? Infinity) <= Date.now(); run++)
    await runDurableObjectAlarm(accountLog());
  expect((await alarmAt()) ?? Infinity).toBeGreaterThan(Date.now());
}

export const bound = (maxBytes: number) => boundLog(accountId, maxBytes);

/** Lets the valve make room until the storage is smaller than this. */
export async function shrink(maxBytes: number): Promise<void> {
  await bound(maxBytes);
  // Without a click, only the daily maintenance would notice.
  await consume([messageOf([])]);
  await accountLog().importClicks([]);
  await drain();
}

const withoutUnique = (totals: Totals) => ({
  ...totals,
  timeseries: totals.timeseries.map(({ start, clicks }) => ({ start, clicks })),
});
export const sumsOf = ({ bots, timeseries, counts }: Totals) => ({
  bots,
  clicks: timeseries.reduce((sum, { clicks }) => sum + clicks, 0),
  unique: timeseries.reduce((sum, { unique }) => sum + unique, 0),
  links: counts.link,
});
const quarters = (start: number, end: number) =>
  Array.from({ length: (end - start) / (15 * MINUTE_MS) }, (_, index) => start + index * 15 * MINUTE_MS);
export const daily = (first: number) =>
  Array.from({ length: (TODAY - first) / DAY_MS + 1 }, (_, index) => first + index * DAY_MS);

/** Expects what is counted by quarter hours: all totals, and visitors of whole days without filters. */
export async function expectQuarterHours(clicks: readonly CapturedClick[], first: number): Promise<void> {
  const filters = { country: { is: ["de"], isNot: [] }, utmCampaign: { is: [], isNot: ["spring sale"] } };
  for (const each of [null, [links[0] ?? ""], links.slice(1)]) {
    for (const boundaries of [[0], daily(first)])
      expect(await accountLog().aggregate(each, query({ boundaries }))).toEqual(
        expectedTotals(clicks, each, query({ boundaries }), 0),
      );
    const fine = query({ start: TODAY - DAY_MS, end: TODAY, boundaries: quarters(TODAY - DAY_MS, TODAY) });
    expect(await accountLog().aggregate(each, fine)).toEqual(expectedTotals(clicks, each, fine, 0));
    for (const filtered of [query({ filters }), query({ ...fine, filters })])
      expect(withoutUnique(await accountLog().aggregate(each, filtered))).toEqual(
        withoutUnique(expectedTotals(clicks, each, filtered, 0)),
      );
  }
}
