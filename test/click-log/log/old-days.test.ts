import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { AggregateQuery, Totals } from "../../../src/click-log/log/aggregate.ts";
import { DAY_MS, HOUR_MS } from "../../../src/limits.ts";
import { newId } from "../../../src/platform/lib/uuid.ts";
import { insertAccount } from "../../support/accounts.ts";
import { messageOf, consume, logOf, clickOn } from "../../support/clicks.ts";
import {
  ALARM_RETRY_MS,
  MAINTENANCE_SPREAD_MS,
  MAX_ROLLUPS_PER_ALARM,
  DEFAULT_CLICK_RETENTION_DAYS,
  SALT_KEPT_DAYS,
} from "../../../src/click-log/limits.ts";

// In the future, so that alarms run only when a test runs them.
const TODAY = Date.UTC(2030, 5, 15);
const NOW = TODAY + DAY_MS / 2;

let accountId = 1_000;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: NOW });
  accountId++;
  await insertAccount(env.DB, accountId);
});
afterEach(() => vi.useRealTimers());

const everything = (): AggregateQuery => ({ start: 0, end: Date.now() + DAY_MS, boundaries: [0], filters: {} });
const inLog = <T>(use: (storage: DurableObjectStorage) => T | Promise<T>) =>
  runInDurableObject(logOf(accountId), (_, { storage }) => use(storage));
const alarmAt = () => inLog((storage) => storage.getAlarm());
const saltDays = () =>
  inLog(({ kv }) => [...kv.list({ prefix: "salt:" })].map(([key]) => Number(key.slice(5)) - TODAY / DAY_MS));

const link = newId(NOW - 1_000);
const other = newId(NOW - 999);

/** Stores clicks of one day with different countries and referrers, and some of crawlers. */
async function fill(linkId: string, count: number): Promise<void> {
  for (let first = 0; first < count; first += 100) {
    const clicks = Array.from({ length: Math.min(100, count - first) }, (_, index) => {
      const n = first + index;
      return clickOn(linkId, accountId, {
        at: Date.now() - (n % 400) * 60_000,
        ip: `198.51.100.${n % 50}`,
        country: ["DE", "US", "FR"][n % 3] ?? "",
        referrer: n % 4 === 0 ? "https://a.example" : "",
        ...(n % 10 === 0 && { userAgent: "Googlebot/2.1" }),
      });
    });
    await consume([messageOf(clicks)]);
  }
}

async function results(): Promise<Totals[]> {
  const log = logOf(accountId);
  const filters = { country: { is: ["de"], isNot: [] } };
  // A rollup keeps the time to the quarter hour.
  const part = { start: TODAY + 6.25 * HOUR_MS, end: TODAY + 11.5 * HOUR_MS, boundaries: [TODAY + 6 * HOUR_MS] };
  return Promise.all([
    log.aggregate(null, everything()),
    log.aggregate([link], { ...everything(), filters }),
    log.aggregate([other], { ...part, filters: {} }),
    log.aggregate(null, { ...part, filters }),
  ]);
}

const withoutUnique = (totals: Totals) => ({
  ...totals,
  timeseries: totals.timeseries.map(({ start, clicks }) => ({ start, clicks })),
});
const uniqueOf = (totals: Totals | undefined) => totals?.timeseries.reduce((sum, { unique }) => sum + unique, 0) ?? 0;

/** Lets days pass, with their alarms. */
async function passDays(days: number): Promise<void> {
  for (let day = 0; day < days; day++) {
    vi.setSystemTime(Date.now() + DAY_MS);
    if (((await alarmAt()) ?? Infinity) <= Date.now()) await runDurableObjectAlarm(logOf(accountId));
  }
}

describe("the salt of a UTC day", () => {
  it("is random, and is deleted when the clicks of its day are in", async () => {
    await fill(link, 2);
    const saltOf = () =>
      inLog(({ kv }) => [...kv.list<Uint8Array>({ prefix: "salt:" })].map(([, salt]) => String(salt)));
    const [first] = await saltOf();
    expect(first).toMatch(/^\d+(,\d+){31}$/);
    expect(await saltDays()).toEqual([0]);
    await passDays(1);
    await fill(link, 2);
    expect(await saltDays()).toEqual([0, 1]);
    expect(new Set(await saltOf()).size).toBe(2);
    await passDays(SALT_KEPT_DAYS);
    expect(await saltDays()).toEqual([]);
  });

  it("leaves neither address nor user agent in the object", async () => {
    await consume([messageOf([clickOn(link, accountId, { ip: "198.51.100.77", userAgent: "curl/8.5.0 marker" })])]);
    const stored = await inLog(({ sql }) => JSON.stringify(sql.exec("SELECT * FROM clicks").toArray()));
    expect(stored).toContain("curl");
    expect(stored).not.toContain("198.51.100.77");
    expect(stored).not.toContain("marker");
  });
});

describe("days that are older than single clicks are kept", () => {
  it("are rolled up: queries have the same results, except for single clicks", async () => {
    await fill(link, 350);
    await fill(other, 130);
    const before = await results();
    await passDays(DEFAULT_CLICK_RETENTION_DAYS);
    const records = { links: [link], ...everything(), bots: "include" as const, before: null, offset: 0, limit: 1_000 };
    expect(await logOf(accountId).listRecords(records)).toHaveLength(350);
    expect(await results()).toEqual(before);
    await passDays(2);
    expect(await inLog(({ sql }) => sql.exec("SELECT DISTINCT level FROM clicks").toArray())).toEqual([{ level: 1 }]);
    await inLog(({ sql }) => void sql.exec("DELETE FROM summaries"));
    expect((await results()).map(withoutUnique)).toEqual(before.map(withoutUnique));
    // Of the filtered clicks of older days, only a visitor's first click of the day counts.
    const [all, filtered] = await results();
    expect(all).toEqual(before[0]);
    expect(uniqueOf(filtered)).toBeGreaterThan(0);
    expect(uniqueOf(filtered)).toBeLessThan(uniqueOf(before[1]));
    expect(await logOf(accountId).listRecords(records)).toEqual([]);
    expect(await inLog(({ sql }) => JSON.stringify(sql.exec("SELECT segments FROM clicks").toArray()))).not.toMatch(
      /\d{10}/,
    );
    await evictDurableObject(logOf(accountId));
    expect(await logOf(accountId).changedCounters()).toContainEqual({
      linkId: link,
      clicks: 315,
      lastClickedAt: NOW - 60_000,
    });
  });

  it("need no alarm once all are rolled up", async () => {
    await fill(link, 3);
    expect(await alarmAt()).toBeGreaterThan(TODAY + DAY_MS - 1);
    expect(await alarmAt()).toBeLessThan(TODAY + DAY_MS + MAINTENANCE_SPREAD_MS);
    await passDays(4);
    expect(await alarmAt()).toBeGreaterThan(TODAY + DEFAULT_CLICK_RETENTION_DAYS * DAY_MS);
    await passDays(DEFAULT_CLICK_RETENTION_DAYS);
    expect(await alarmAt()).toBeNull();
    await fill(link, 2);
    expect(await alarmAt()).not.toBeNull();
  });

  it("need no alarm either if one alarm had room for exactly all of them", async () => {
    const links = Array.from({ length: MAX_ROLLUPS_PER_ALARM }, (_, index) => newId(NOW + index));
    await consume([messageOf(links.map((each) => clickOn(each, accountId)))]);
    await passDays(DEFAULT_CLICK_RETENTION_DAYS + 3);
    await runDurableObjectAlarm(logOf(accountId));
    expect(await inLog(({ sql }) => sql.exec("SELECT DISTINCT level FROM clicks").toArray())).toEqual([{ level: 1 }]);
    expect(await alarmAt()).toBeNull();
  });
});

it("makes summaries of busy days before the first query", async () => {
  vi.setSystemTime(NOW + DAY_MS / 4);
  await fill(link, 1_200);
  await fill(other, 50);
  await passDays(1);
  const summaries = await inLog(({ sql }) => sql.exec("SELECT link FROM summaries ORDER BY link").toArray());
  expect(summaries).toEqual([{ link: "" }, { link }]);
  await inLog(({ sql }) => void sql.exec("UPDATE summaries SET summary = 'as it was'"));
  await runDurableObjectAlarm(logOf(accountId));
  expect(await inLog(({ sql }) => sql.exec("SELECT DISTINCT summary FROM summaries").toArray())).toEqual([
    { summary: "as it was" },
  ]);
});

it("deletes a summary when a late click of its day arrives", async () => {
  await fill(link, 200);
  vi.setSystemTime(NOW + DAY_MS);
  const log = logOf(accountId);
  const total = async () => (await log.aggregate(null, everything())).timeseries[0]?.clicks;
  expect(await total()).toBe(180);
  expect(await inLog(({ sql }) => sql.exec("SELECT link FROM summaries").toArray())).toHaveLength(1);
  await consume([messageOf([clickOn(link, accountId, { at: NOW })])]);
  expect(await total()).toBe(181);
});

describe("the alarm", () => {
  it("runs again after a failure and then does its work", async () => {
    await fill(link, 5);
    const lines = vi.spyOn(console, "error").mockImplementation(() => undefined);
    await inLog(({ sql }) => {
      sql.exec("CREATE TRIGGER broken BEFORE INSERT ON clicks BEGIN SELECT raise(ABORT, 'broken'); END");
    });
    vi.setSystemTime(NOW + (DEFAULT_CLICK_RETENTION_DAYS + 2) * DAY_MS);
    await runDurableObjectAlarm(logOf(accountId));
    expect(lines.mock.calls.map(([line]) => JSON.parse(String(line)) as unknown)).toEqual([
      expect.objectContaining({ event: "click_log_alarm_failed" }),
    ]);
    expect(await alarmAt()).toBe(Date.now() + ALARM_RETRY_MS);
    await inLog(({ sql }) => void sql.exec("DROP TRIGGER broken"));
    vi.setSystemTime(Date.now() + ALARM_RETRY_MS);
    await runDurableObjectAlarm(logOf(accountId));
    expect(await inLog(({ sql }) => sql.exec("SELECT DISTINCT level FROM clicks").toArray())).toEqual([{ level: 1 }]);
  });
});
