import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { AccountRetention } from "../../../src/click-log/log/account-retention.ts";
import { DAY_MS } from "../../../src/limits.ts";
import { newId } from "../../../src/platform/lib/uuid.ts";
import { insertAccount } from "../../support/accounts.ts";
import { measureD1 } from "../../support/d1-meter.ts";
import { clickOn, consume, logOf, messageOf } from "../../support/clicks.ts";
import { ALARM_RETRY_MS, DEFAULT_CLICK_RETENTION_DAYS, RETENTION_CHANGE_MS } from "../../../src/click-log/limits.ts";

// In the future, so that alarms run only when a test runs them.
const TODAY = Date.UTC(2032, 5, 15);
const NOW = TODAY + DAY_MS / 2;
const DAY = TODAY / DAY_MS;

let accountId = 9_000;
beforeEach(async () => {
  accountId += 10;
  await insertAccount(env.DB, accountId);
  vi.useFakeTimers({ toFake: ["Date"], now: NOW });
});
afterEach(() => vi.useRealTimers());

const [link, other] = [newId(NOW - 60 * DAY_MS), newId(NOW - 59 * DAY_MS)];

const inLog = <T>(use: (storage: DurableObjectStorage) => T | Promise<T>, account = accountId) =>
  runInDurableObject(logOf(account), (_, { storage }) => use(storage));
const alarmAt = async (account = accountId) => (await inLog((storage) => storage.getAlarm(), account)) ?? Infinity;

/** Stores clicks of two links on days that are so many days ago. */
async function fill(account: number, ...ages: number[]): Promise<void> {
  for (const age of ages) {
    vi.setSystemTime(NOW - age * DAY_MS);
    const clicks = [link, other, other].map((id, n) => clickOn(id, account, { ip: `198.51.100.${n}` }));
    await consume([messageOf(clicks)]);
  }
  vi.setSystemTime(NOW);
  await runDueAlarm(account);
}

async function runDueAlarm(account = accountId): Promise<void> {
  if ((await alarmAt(account)) <= Date.now()) await runDurableObjectAlarm(logOf(account));
}

/** The account chooses, and its ClickLog is told. */
async function choose(days: number | null, account = accountId): Promise<void> {
  await logOf(account).expectRetentionChange(account);
  await store(days, account);
  await logOf(account).readRetention();
}

const store = (days: number | null, account = accountId) =>
  env.DB.prepare("UPDATE accounts SET click_retention_days = ?2 WHERE id = ?1").bind(account, days).run();

/** How many days ago each day was, and the level of its rows. */
async function levels(account = accountId): Promise<string> {
  const rows = await inLog(
    ({ sql }) =>
      sql.exec<{ day: number; level: number }>("SELECT DISTINCT day, level FROM clicks ORDER BY day, level").toArray(),
    account,
  );
  return rows.map(({ day, level }) => `${DAY - day}:${level}`).join(" ");
}

const everything = () => ({ links: null, start: 0, end: Date.now() + DAY_MS, filters: {}, bots: "include" as const });
const ages = async (account = accountId) => {
  const records = await logOf(account).listRecords({ ...everything(), before: null, offset: 0, limit: 1_000 });
  return [...new Set(records.map(({ clickedAt }) => Math.round((NOW - clickedAt) / DAY_MS)))];
};
const totals = () => logOf(accountId).aggregate(null, { ...everything(), boundaries: [0] });
const detailFrom = async () => {
  const { clicks } = await logOf(accountId).detailFrom();
  return clicks === null ? null : DAY - clicks / DAY_MS;
};

describe("a shorter retention", () => {
  it("rolls up the clicks of the account that are older, and not those of another account", async () => {
    const neighbour = accountId + 1;
    await insertAccount(env.DB, neighbour);
    for (const account of [accountId, neighbour]) await fill(account, 40, 11, 10, 0);
    const before = await totals();
    await choose(10);
    // At once, before anything is rolled up.
    expect(await ages()).toEqual([0, 10]);
    expect(await logOf(accountId).countExport(everything())).toBe(6);
    expect(await logOf(accountId).countExport({ ...everything(), withExpired: true })).toBe(12);
    expect((await logOf(accountId).readExport("file", everything(), null)).clicks).toHaveLength(6);
    expect(await detailFrom()).toBe(10);
    expect(await alarmAt()).toBe(NOW);
    await runDurableObjectAlarm(logOf(accountId));
    expect(await levels()).toBe("40:1 11:1 10:0 0:0");
    expect(await totals()).toEqual(before);
    // Another maintenance changes nothing.
    vi.setSystemTime(TODAY + DAY_MS - 1);
    await logOf(accountId).readRetention();
    await runDurableObjectAlarm(logOf(accountId));
    expect(await levels()).toBe("40:1 11:1 10:0 0:0");
    await runDueAlarm(neighbour);
    expect(await levels(neighbour)).toBe("40:0 11:0 10:0 0:0");
    vi.setSystemTime(NOW);
    expect(await ages(neighbour)).toEqual([0, 10, 11, 40]);
  });

  it("costs one row of the database at the change, one with the alarm after it, and none later", async () => {
    await fill(accountId, 0);
    await logOf(accountId).expectRetentionChange(accountId);
    await store(10);
    const reads = async (run: () => Promise<unknown>) => {
      const isCounted = (sql: string) => sql.includes("click_retention_days");
      const { rowsRead, rowsWritten } = await measureD1(run, isCounted);
      return [rowsRead, rowsWritten];
    };
    expect(await reads(() => logOf(accountId).readRetention())).toEqual([1, 0]);
    for (const expected of [1, 0]) {
      vi.setSystemTime(Date.now() + RETENTION_CHANGE_MS);
      expect(await reads(() => runDurableObjectAlarm(logOf(accountId)))).toEqual([expected, 0]);
    }
  });

  it("is found by the alarm if nobody could tell that it was stored", async () => {
    await fill(accountId, 40, 0);
    await logOf(accountId).expectRetentionChange(accountId);
    await store(10);
    await evictDurableObject(logOf(accountId));
    expect(await alarmAt()).toBe(NOW + RETENTION_CHANGE_MS);
    vi.setSystemTime(NOW + RETENTION_CHANGE_MS);
    for (let alarm = 0; alarm < 2; alarm++) await runDurableObjectAlarm(logOf(accountId));
    expect(await levels()).toBe("40:1 0:0");
    expect(await alarmAt()).toBeGreaterThan(TODAY + DAY_MS - 1);
  });

  it("changes nothing if it was announced and not stored", async () => {
    await fill(accountId, 40, 0);
    await logOf(accountId).expectRetentionChange(accountId);
    vi.setSystemTime(NOW + RETENTION_CHANGE_MS);
    for (let alarm = 0; alarm < 2; alarm++) await runDurableObjectAlarm(logOf(accountId));
    expect(await levels()).toBe("40:0 0:0");
    expect(await detailFrom()).toBeNull();
  });

  it("goes on after a crash in the middle of the rollup", async () => {
    await fill(accountId, 40, 39, 0);
    const before = await totals();
    await inLog(({ sql }) => {
      sql.exec(`CREATE TRIGGER broken BEFORE INSERT ON clicks WHEN NEW.link = '${other}' AND NEW.day = ${DAY - 39}
        BEGIN SELECT raise(ABORT, 'broken'); END`);
    });
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    await choose(10);
    await runDurableObjectAlarm(logOf(accountId));
    expect(await levels()).toBe("40:1 39:0 39:1 0:0");
    await inLog(({ sql }) => void sql.exec("DROP TRIGGER broken"));
    await evictDurableObject(logOf(accountId));
    vi.setSystemTime(NOW + ALARM_RETRY_MS);
    await runDurableObjectAlarm(logOf(accountId));
    expect(await levels()).toBe("40:1 39:1 0:0");
    expect(await totals()).toEqual(before);
  });
});

describe("a longer retention", () => {
  it("brings no single clicks back, and keeps those of later days longer", async () => {
    await fill(accountId, 40, 12, 9, 0);
    await choose(10);
    await runDurableObjectAlarm(logOf(accountId));
    await choose(60);
    await runDurableObjectAlarm(logOf(accountId));
    expect(await levels()).toBe("40:1 12:1 9:0 0:0");
    expect(await ages()).toEqual([0, 9]);
    // From the day after the last one that was rolled up.
    expect(await detailFrom()).toBe(11);
    for (let day = 0; day < 51; day++) {
      vi.setSystemTime(Date.now() + DAY_MS);
      await runDueAlarm();
    }
    expect(await levels()).toBe("40:1 12:1 9:0 0:0");
    for (let day = 0; day < 2; day++) {
      vi.setSystemTime(Date.now() + DAY_MS);
      await runDueAlarm();
    }
    expect(await levels()).toBe("40:1 12:1 9:1 0:0");
  });
});

describe("a ClickLog", () => {
  it("learns the retention with its first clicks, and needs no row for an account that chose nothing", async () => {
    await store(10);
    await fill(accountId, 0);
    const known = () => inLog(({ kv }) => kv.get("retention"));
    expect(await known()).toEqual({ accountId, days: 10, checkAt: null });
    const neighbour = accountId + 1;
    await insertAccount(env.DB, neighbour);
    await fill(neighbour, 0);
    expect(await inLog(({ kv }) => kv.get("retention"), neighbour)).toBeUndefined();
    await choose(null);
    vi.setSystemTime(NOW + (DEFAULT_CLICK_RETENTION_DAYS - 1) * DAY_MS);
    await runDurableObjectAlarm(logOf(accountId));
    expect(await levels()).toBe("0:0");
  });

  it("reads the retention again once a backup is restored", async () => {
    await store(10);
    const rows = await backUp();
    await logOf(accountId).importClicks(rows, accountId);
    vi.setSystemTime(NOW + RETENTION_CHANGE_MS);
    for (let alarm = 0; alarm < 2; alarm++) await runDurableObjectAlarm(logOf(accountId));
    expect(await levels()).toBe("40:1 0:0");
  });

  it("rolls up old clicks of a link that the account claims at once", async () => {
    await fill(accountId, 12, 0);
    await choose(10);
    await runDurableObjectAlarm(logOf(accountId));
    // Older, newer than what was rolled up, and kept.
    const claimed = newId(NOW - 38 * DAY_MS);
    const rows = (await backUp(30, 11, 5)).filter(({ link: id }) => id === link);
    for (const row of rows) row.link = claimed;
    expect(rows).toHaveLength(3);
    for (let time = 0; time < 2; time++) await logOf(accountId).adoptClicks(claimed, rows);
    expect(await levels()).toBe("30:1 12:1 11:1 5:0 0:0");
    expect(await logOf(accountId).countersOf([claimed])).toMatchObject([{ clicks: 3 }]);
  });

  it("keeps a check for a change that is announced while it reads", async () => {
    await inLog(async ({ kv }) => {
      const retention = new AccountRetention(kv, env);
      retention.expectChange(accountId, NOW);
      const reading = retention.find(env.DB, NOW + RETENTION_CHANGE_MS);
      retention.expectChange(accountId, NOW + RETENTION_CHANGE_MS);
      retention.take(await reading);
      expect(retention.checkAt).toBe(NOW + 2 * RETENTION_CHANGE_MS);
      retention.take(await retention.find(env.DB, NOW + 2 * RETENTION_CHANGE_MS));
      expect(retention.checkAt).toBe(Infinity);
      kv.delete("retention");
    });
  });
});

/** The rows of another account's clicks. */
async function backUp(...days: number[]) {
  const source = accountId + 5;
  await insertAccount(env.DB, source);
  await fill(source, ...(days.length === 0 ? [40, 0] : days));
  return (await logOf(source).exportClicks(null)).rows;
}
