import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { sharedLogName } from "../../../src/click-log/click-log-name.ts";
import { LEVEL } from "../../../src/click-log/log/rows.ts";
import { DAY_MS } from "../../../src/limits.ts";
import { moveClicks } from "../../../src/links/claims/move-clicks.ts";
import { newId } from "../../../src/platform/lib/uuid.ts";
import { insertAccount } from "../../support/accounts.ts";
import { boundLog, clickOn, consume, logOf, messageOf } from "../../support/clicks.ts";
import { ANONYMOUS_CLICKS_KEPT_DAYS } from "../../../src/click-log/limits.ts";

// In the future, so that alarms run only when a test runs them.
const NOW = Date.UTC(2030, 5, 15, 12);

let accountId = 3_000;
let shelf = 0;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: NOW });
  accountId++;
  shelf++;
  await insertAccount(env.DB, accountId);
});
afterEach(() => vi.useRealTimers());

/** A link that shares its ClickLog with the other ones of this test. */
const newLink = () => newId(Date.now()).slice(0, -3) + shelf.toString(16).padStart(3, "0");
const sharedLog = () => env.CLICK_LOG.getByName(sharedLogName(newLink()));
type Log = ReturnType<typeof sharedLog>;

const keysIn = (log: Log) =>
  runInDurableObject(log, (_, { storage }) => [...storage.kv.list()].map(([key]) => key.split(":")[0]));
const alarmOf = (log: Log) => runInDurableObject(log, (_, { storage }) => storage.getAlarm());
const clicksIn = async (log: Log, link: string) => (await log.countersOf([link]))[0]?.clicks ?? 0;
const batchOn = (link: string, ip = "203.0.113.1") => messageOf([clickOn(link, null, { ip })]);

/** Clicks and unique visitors of the links in the account. */
async function totalsOf(...links: string[]): Promise<{ clicks: number; unique: number }> {
  const query = { start: NOW - DAY_MS, end: NOW + DAY_MS, boundaries: [0], filters: {} };
  const { timeseries } = await logOf(accountId).aggregate(links, query);
  return { clicks: timeseries[0]?.clicks ?? 0, unique: timeseries[0]?.unique ?? 0 };
}

/** Lets the valve of the account's ClickLog roll up the clicks that it finds to totals of days. */
async function rollUpAll(): Promise<void> {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  await boundLog(accountId, 1);
  await logOf(accountId).importClicks([]);
  await runDurableObjectAlarm(logOf(accountId));
  const levels = await runInDurableObject(logOf(accountId), (_, { storage }) =>
    storage.sql.exec("SELECT DISTINCT level FROM clicks").toArray(),
  );
  expect(levels).toContainEqual({ level: LEVEL.dayTotals });
}

async function passDays(days: number, ...logs: Log[]): Promise<void> {
  for (let day = 0; day < days; day++) {
    vi.setSystemTime(Date.now() + DAY_MS);
    for (const log of logs) if (((await alarmOf(log)) ?? Infinity) <= Date.now()) await runDurableObjectAlarm(log);
  }
}

describe("anonymous links", () => {
  it("share a ClickLog, which has one salt a day and one alarm", async () => {
    const links = Array.from({ length: 20 }, newLink);
    const { batches } = messageOf(links.map((link) => clickOn(link, null)));
    expect(batches).toHaveLength(1);
    await consume([{ kind: "clicks", batches }]);
    expect(await keysIn(sharedLog())).toEqual(["anonymous", "maintenanceAt", "salt"]);
    for (const link of links) expect(await clicksIn(sharedLog(), link)).toBe(1);
  });

  it("give an account the clicks of the link that it claims, and of no other one", async () => {
    const [claimed, other] = [newLink(), newLink()];
    await consume([messageOf([clickOn(claimed, null), clickOn(other, null), clickOn(claimed, null)])]);
    await moveClicks(env, accountId, [claimed]);
    expect(await totalsOf(claimed)).toEqual({ clicks: 2, unique: 1 });
    expect(await totalsOf(claimed, other)).toEqual({ clicks: 2, unique: 1 });
    expect(await clicksIn(sharedLog(), claimed)).toBe(0);
    expect(await clicksIn(sharedLog(), other)).toBe(1);
  });

  it("have their old clicks counted after a claim, also if the account's ClickLog restarts before it has reported them", async () => {
    vi.setSystemTime(NOW - 20 * DAY_MS);
    const link = newLink();
    await consume([batchOn(link)]);
    vi.setSystemTime(NOW);
    await logOf(accountId).confirmCounters(await logOf(accountId).changedCounters());
    await moveClicks(env, accountId, [link]);
    await evictDurableObject(logOf(accountId));
    expect(await logOf(accountId).changedCounters()).toEqual([
      { linkId: link, clicks: 1, lastClickedAt: NOW - 20 * DAY_MS },
    ]);
  });

  it("are counted once when a claim comes between a click and its repetition, after a restart too", async () => {
    const link = newLink();
    const [early, late] = [batchOn(link), batchOn(link)];
    await consume([early]);
    await moveClicks(env, accountId, [link]);
    await consume([early, late]);
    await evictDurableObject(sharedLog());
    await consume([early, late]);
    await evictDurableObject(logOf(accountId));
    await consume([early, late]);
    expect((await totalsOf(link)).clicks).toBe(2);
    expect(await clicksIn(sharedLog(), link)).toBe(0);
  });

  it("are counted once if the account's ClickLog rolls them up before all of them are moved, also after a crash", async () => {
    vi.setSystemTime(NOW - 10 * DAY_MS);
    const link = newLink();
    const messages = Array.from({ length: 60 }, (_, index) =>
      messageOf(Array.from({ length: 250 }, (__, n) => clickOn(link, null, { ip: `198.51.${index}.${n}` }))),
    );
    for (const message of messages) await consume([message]);
    vi.setSystemTime(NOW);
    const inShared = (sql: string) => runInDurableObject(sharedLog(), (_, { storage }) => void storage.sql.exec(sql));
    // The page is adopted, but stays where it was.
    await inShared(`CREATE TRIGGER broken BEFORE DELETE ON clicks BEGIN SELECT raise(ABORT, 'broken'); END`);
    await moveClicks(env, accountId, [link]).catch(() => undefined);
    await inShared("DROP TRIGGER broken");
    await rollUpAll();
    const [{ clicks } = { clicks: 0 }] = await logOf(accountId).countersOf([link]);
    expect(clicks).toBeGreaterThan(0);
    expect(clicks).toBeLessThan(15_000);
    for (let time = 0; time < 2; time++) {
      await moveClicks(env, accountId, [link]);
      expect((await logOf(accountId).countersOf([link]))[0]?.clicks).toBe(15_000);
      await rollUpAll();
    }
    await evictDurableObject(logOf(accountId));
    expect((await logOf(accountId).countersOf([link]))[0]?.clicks).toBe(15_000);
    expect(await clicksIn(sharedLog(), link)).toBe(0);
  });

  it("lose and double no click when claims and deletions run during flushes", async () => {
    const [claimed, deleted, kept] = [newLink(), newLink(), newLink()];
    const messages = Array.from({ length: 30 }, () =>
      messageOf([clickOn(claimed, null), clickOn(deleted, null), clickOn(kept, null)]),
    );
    await Promise.all([
      ...messages.map((message) => consume([message])),
      moveClicks(env, accountId, [claimed]),
      sharedLog().forgetLinks([deleted]),
      ...messages.map((message) => consume([message])),
      moveClicks(env, accountId, [claimed]),
    ]);
    await moveClicks(env, accountId, [claimed]);
    expect((await totalsOf(claimed)).clicks).toBe(30);
    expect(await clicksIn(sharedLog(), deleted)).toBe(0);
    expect(await clicksIn(sharedLog(), kept)).toBe(30);
  });

  it("fail the batch if the account's ClickLog does not take a late click, so that it is sent again", async () => {
    const link = newLink();
    await moveClicks(env, accountId, [link]);
    const late = batchOn(link);
    await runInDurableObject(logOf(accountId), (_, { storage }) =>
      storage.sql.exec("CREATE TRIGGER broken BEFORE INSERT ON clicks BEGIN SELECT raise(ABORT, 'broken'); END"),
    );
    vi.spyOn(console, "warn").mockImplementation(() => undefined);
    expect((await consume([late])).retried).toHaveLength(1);
    await runInDurableObject(logOf(accountId), (_, { storage }) => storage.sql.exec("DROP TRIGGER broken"));
    expect((await consume([late])).retried).toEqual([]);
    expect((await totalsOf(link)).clicks).toBe(1);
  });

  it("fill no ClickLog of an account that was purged", async () => {
    const link = newLink();
    await consume([batchOn(link)]);
    await logOf(accountId).destroy();
    await moveClicks(env, accountId, [link]);
    await consume([batchOn(link)]);
    expect(await runInDurableObject(logOf(accountId), (_, { storage }) => [...storage.kv.list()])).toEqual([
      ["subscriptions", "gone"],
    ]);
  });

  it("have their clicks deleted once they cannot be claimed any more, without rollups and summaries", async () => {
    const [early, later] = [newLink(), newLink()];
    await consume([messageOf(Array.from({ length: 100 }, () => clickOn(early, null)))]);
    await passDays(1, sharedLog());
    await consume([batchOn(later)]);
    await passDays(ANONYMOUS_CLICKS_KEPT_DAYS - 1, sharedLog());
    expect(await clicksIn(sharedLog(), early)).toBe(100);
    const summaries = await runInDurableObject(sharedLog(), (_, { storage }) =>
      storage.sql.exec("SELECT * FROM summaries").toArray(),
    );
    expect(summaries).toEqual([]);
    await passDays(1, sharedLog());
    await evictDurableObject(sharedLog());
    expect(await clicksIn(sharedLog(), early)).toBe(0);
    expect(await clicksIn(sharedLog(), later)).toBe(1);
    await passDays(1, sharedLog());
    expect(await keysIn(sharedLog())).toEqual(["anonymous"]);
    expect(await sharedLog().firstClickAt()).toBeNull();
    expect(await alarmOf(sharedLog())).toBeNull();
  });
});
