import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Question, Tallied } from "../../../src/clicks/click-log/aggregate.ts";
import {
  FOLDED_AFTER_DAYS,
  LOG_ALARM_RETRY_MS,
  LOG_ALARM_SPREAD_MS,
  MAX_FOLDS_PER_RUN,
  SALT_KEPT_DAYS,
} from "../../../src/limits.ts";
import { newId } from "../../../src/lib/uuid.ts";
import { messageOf, consume, logOf, visit } from "../../support/clicks.ts";

const DAY_MS = 86_400_000;
// In the future, so that alarms do not go off by themselves.
const TODAY = Date.UTC(2030, 5, 15);
const NOW = TODAY + DAY_MS / 2;

let accountId = 1_000;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: NOW });
  accountId++;
});
afterEach(() => vi.useRealTimers());

const everything = (): Question => ({ start: 0, end: Date.now() + DAY_MS, borders: [0], filters: {} });
const inLog = <T>(use: (storage: DurableObjectStorage) => T | Promise<T>) =>
  runInDurableObject(logOf(accountId), (_, { storage }) => use(storage));
const alarmAt = () => inLog((storage) => storage.getAlarm());
const saltDays = () =>
  inLog(({ kv }) => [...kv.list({ prefix: "salt:" })].map(([key]) => Number(key.slice(5)) - TODAY / DAY_MS));

const link = newId(NOW - 1_000);
const other = newId(NOW - 999);

/** Clicks that have places, referrers and crawlers, on one day. */
async function fill(linkId: string, count: number): Promise<void> {
  for (let first = 0; first < count; first += 100) {
    const visits = Array.from({ length: Math.min(100, count - first) }, (_, index) => {
      const n = first + index;
      return visit(linkId, accountId, {
        at: Date.now() - (n % 400) * 60_000,
        ip: `198.51.100.${n % 50}`,
        country: ["DE", "US", "FR"][n % 3] ?? "",
        referrer: n % 4 === 0 ? "https://a.example" : "",
        ...(n % 10 === 0 && { userAgent: "Googlebot/2.1" }),
      });
    });
    await consume([messageOf(visits)]);
  }
}

async function answers(): Promise<Tallied[]> {
  const log = logOf(accountId);
  const filters = { country: "DE" };
  // Quarters of an hour are what remains of the time.
  const part = { start: TODAY + 6.25 * 3_600_000, end: TODAY + 11.5 * 3_600_000, borders: [TODAY + 6 * 3_600_000] };
  return Promise.all([
    log.tally(null, everything()),
    log.tally(link, { ...everything(), filters }),
    log.tally(other, { ...part, filters: {} }),
    log.tally(null, { ...part, filters }),
  ]);
}

/** Lives through the days until the one that many days from now, alarms and all. */
async function passDays(days: number): Promise<void> {
  for (let day = 0; day < days; day++) {
    vi.setSystemTime(Date.now() + DAY_MS);
    if (((await alarmAt()) ?? Infinity) <= Date.now()) await runDurableObjectAlarm(logOf(accountId));
  }
}

describe("the salt of a day", () => {
  it("is random, and is deleted when the day's clicks are in", async () => {
    await fill(link, 2);
    const saltOf = () =>
      inLog(({ kv }) => [...kv.list<Uint32Array>({ prefix: "salt:" })].map(([, salt]) => String(salt)));
    const [first] = await saltOf();
    expect(first).toMatch(/^\d+,\d+,\d+,\d+$/);
    expect(await saltDays()).toEqual([0]);
    await passDays(1);
    await fill(link, 2);
    expect(await saltDays()).toEqual([0, 1]);
    expect(new Set(await saltOf()).size).toBe(2);
    await passDays(SALT_KEPT_DAYS);
    expect(await saltDays()).toEqual([]);
  });

  it("leaves neither address nor user agent in the object", async () => {
    await consume([messageOf([visit(link, accountId, { ip: "198.51.100.77", userAgent: "curl/8.5.0 marker" })])]);
    const stored = await inLog(({ sql }) => JSON.stringify(sql.exec("SELECT * FROM clicks").toArray()));
    expect(stored).toContain("curl");
    expect(stored).not.toContain("198.51.100.77");
    expect(stored).not.toContain("marker");
  });
});

describe("days older than single clicks are kept", () => {
  it("are folded, after which questions have the same answers but for single clicks", async () => {
    await fill(link, 350);
    await fill(other, 130);
    const before = await answers();
    await passDays(FOLDED_AFTER_DAYS);
    const records = { link, ...everything(), bots: "include" as const, before: null, offset: 0, limit: 1_000 };
    expect(await logOf(accountId).records(records)).toHaveLength(350);
    expect(await answers()).toEqual(before);
    await passDays(2);
    expect(await inLog(({ sql }) => sql.exec("SELECT DISTINCT folded FROM clicks").toArray())).toEqual([{ folded: 1 }]);
    await inLog(({ sql }) => void sql.exec("DELETE FROM summaries"));
    expect(await answers()).toEqual(before);
    expect(await logOf(accountId).records(records)).toEqual([]);
    expect(await inLog(({ sql }) => JSON.stringify(sql.exec("SELECT lines FROM clicks").toArray()))).not.toMatch(
      /\d{10}/,
    );
    await evictDurableObject(logOf(accountId));
    expect(await logOf(accountId).changedCounters()).toContainEqual({
      linkId: link,
      clicks: 315,
      lastClickedAt: NOW - 60_000,
    });
  });

  it("leave nothing to wake up for once all are folded", async () => {
    await fill(link, 3);
    expect(await alarmAt()).toBeGreaterThan(TODAY + DAY_MS - 1);
    expect(await alarmAt()).toBeLessThan(TODAY + DAY_MS + LOG_ALARM_SPREAD_MS);
    await passDays(4);
    expect(await alarmAt()).toBeGreaterThan(TODAY + FOLDED_AFTER_DAYS * DAY_MS);
    await passDays(FOLDED_AFTER_DAYS);
    expect(await alarmAt()).toBeNull();
    await fill(link, 2);
    expect(await alarmAt()).not.toBeNull();
  });

  it("leave nothing to wake up for also where one run had just room for all", async () => {
    const links = Array.from({ length: MAX_FOLDS_PER_RUN }, (_, index) => newId(NOW + index));
    await consume([messageOf(links.map((each) => visit(each, accountId)))]);
    await passDays(FOLDED_AFTER_DAYS + 3);
    await runDurableObjectAlarm(logOf(accountId));
    expect(await inLog(({ sql }) => sql.exec("SELECT DISTINCT folded FROM clicks").toArray())).toEqual([{ folded: 1 }]);
    expect(await alarmAt()).toBeNull();
  });
});

it("makes summaries of busy days before somebody asks", async () => {
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

it("forgets a summary when a click of its day comes late", async () => {
  await fill(link, 200);
  vi.setSystemTime(NOW + DAY_MS);
  const log = logOf(accountId);
  const total = async () => (await log.tally(null, everything())).timeseries[0]?.clicks;
  expect(await total()).toBe(180);
  expect(await inLog(({ sql }) => sql.exec("SELECT link FROM summaries").toArray())).toHaveLength(1);
  await consume([messageOf([visit(link, accountId, { at: NOW })])]);
  expect(await total()).toBe(181);
});

describe("the alarm", () => {
  it("comes again after it failed, and does then what it had to", async () => {
    await fill(link, 5);
    const lines = vi.spyOn(console, "error").mockImplementation(() => undefined);
    await inLog(({ sql }) => {
      sql.exec("CREATE TRIGGER broken BEFORE INSERT ON clicks BEGIN SELECT raise(ABORT, 'broken'); END");
    });
    vi.setSystemTime(NOW + (FOLDED_AFTER_DAYS + 2) * DAY_MS);
    await runDurableObjectAlarm(logOf(accountId));
    expect(lines.mock.calls.map(([line]) => JSON.parse(String(line)) as unknown)).toEqual([
      expect.objectContaining({ event: "click_log_upkeep_failed" }),
    ]);
    expect(await alarmAt()).toBe(Date.now() + LOG_ALARM_RETRY_MS);
    await inLog(({ sql }) => void sql.exec("DROP TRIGGER broken"));
    vi.setSystemTime(Date.now() + LOG_ALARM_RETRY_MS);
    await runDurableObjectAlarm(logOf(accountId));
    expect(await inLog(({ sql }) => sql.exec("SELECT DISTINCT folded FROM clicks").toArray())).toEqual([{ folded: 1 }]);
  });
});
