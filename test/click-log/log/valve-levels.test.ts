import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import type { ClickBatchMessage } from "../../../src/click-log/capture/message.ts";
import { LEVEL } from "../../../src/click-log/log/rows.ts";
import { settleOldDays } from "../../../src/click-log/log/settlement.ts";
import {
  MAX_CLICK_AGE_DAYS,
  ROWS_PER_SETTLEMENT,
  VALVE_REST_MS,
  VISITORS_KEPT_DAYS,
} from "../../../src/click-log/limits.ts";
import { DAY_MS } from "../../../src/limits.ts";
import { newId } from "../../../src/platform/lib/uuid.ts";
import { clicksIn, consume, messageOf } from "../../support/clicks.ts";
import { expectedTotals } from "./totals-model.ts";
import {
  accountLog,
  alarmAt,
  bound,
  daily,
  drain,
  fill,
  inLog,
  levels,
  links,
  NOW,
  nth,
  prepareAccounts,
  query,
  shrink,
  sizeOf,
  sumsOf,
  TODAY,
} from "./valve-support.ts";

prepareAccounts();

describe("above its bound, a ClickLog", () => {
  it("keeps a coarser detail longer than a finer one", async () => {
    await fill(2_000, NOW - 40 * DAY_MS);
    await fill(2_000, NOW - DAY_MS);
    vi.setSystemTime(NOW);
    // Quarter hours of 40 days ago are older, in proportion to the time for which they are kept, than yesterday's clicks.
    await shrink((await sizeOf()) * 0.62);
    const [old, yesterday] = [TODAY / DAY_MS - 40, TODAY / DAY_MS - 1];
    const left = await levels();
    expect(left.filter(({ day, level }) => day === old && level < LEVEL.dayTotals)).toEqual([]);
    expect(left).toContainEqual({ day: yesterday, level: LEVEL.clicks });
  });

  it("counts by quarter hours, then by totals of days, and never fails to store a click", async () => {
    const messages: ClickBatchMessage[] = [];
    // The links were created 30 days ago.
    for (const ago of [29, 20, 12, 3, 1, 0]) messages.push(...(await fill(600, NOW - ago * DAY_MS)));
    const clicks = messages.flatMap(clicksIn);
    const size = await sizeOf();
    const expected = expectedTotals(clicks, null, query(), 0);
    const seen = new Set<number>();
    for (let percent = 90; percent > 0; percent -= 6) {
      await shrink((size * percent) / 100);
      expect(sumsOf(await accountLog().aggregate(null, query()))).toEqual(sumsOf(expected));
      for (const { level } of await levels()) seen.add(level);
      const boundaries = daily(TODAY - 29 * DAY_MS);
      const from = query({ start: boundaries[0] ?? 0, boundaries });
      expect((await accountLog().aggregate(null, from)).timeseries).toEqual(
        expectedTotals(clicks, null, from, 0).timeseries,
      );
      for (const each of links) {
        const [{ clicks: count } = { clicks: 0 }] = await accountLog().countersOf([each]);
        expect(count).toBe(expected.counts.link.find(({ value }) => value === each)?.clicks);
      }
    }
    expect([...seen].sort((a, b) => a - b)).toEqual(Object.values(LEVEL));
    const { clicks: clicksFrom, quarterHours } = await accountLog().detailFrom();
    expect([clicksFrom, quarterHours].every((from) => from !== null)).toBe(true);
    // No value of these is known, so no filter finds them.
    const totals = await accountLog().aggregate(null, query());
    expect(totals.counts.country).toEqual([]);
    expect(totals.others.country).toBe(sumsOf(expected).clicks);
    const filtered = await accountLog().aggregate(null, query({ filters: { country: { is: ["de"], isNot: [] } } }));
    expect(sumsOf(filtered)).toMatchObject({ clicks: 0, unique: 0, bots: 0 });
    // Redelivered clicks of the last days are recognised, and new ones are stored.
    await evictDurableObject(accountLog());
    await consume(messages.filter((message) => clicksIn(message).every(([at]) => at > NOW - 5 * DAY_MS)));
    expect(sumsOf(await accountLog().aggregate(null, query()))).toEqual(sumsOf(expected));
    expect(await consume([messageOf([nth(1, NOW, links[0])])])).toEqual({ retried: [] });
  });

  it("rests when nothing can be made smaller, and says so", async () => {
    const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
    await fill(300, NOW);
    await shrink(1);
    const lines = errors.mock.calls.map(([line]) => JSON.parse(String(line)) as Record<string, unknown>);
    expect(lines).toEqual([expect.objectContaining({ event: "click_log_full" })]);
    expect(await alarmAt()).toBe(NOW + VALVE_REST_MS);
    // Neither do clicks wake it up.
    await consume([messageOf([nth(1, NOW)])]);
    expect(await alarmAt()).toBe(NOW + VALVE_REST_MS);
  });

  it("makes links with few clicks smaller too, and forgets those that are deleted", async () => {
    const many = Array.from({ length: 700 }, (_, index) => newId(TODAY - 20 * DAY_MS + index));
    const messages: ClickBatchMessage[] = [];
    for (const ago of [15, 14, 13, 2, 0]) {
      vi.setSystemTime(NOW - ago * DAY_MS);
      for (let first = 0; first < many.length; first += 50)
        messages.push(messageOf(many.slice(first, first + 50).map((link, n) => nth(first + n, Date.now() - n, link))));
      for (let first = messages.length - 14; first < messages.length; first += 7)
        await consume(messages.slice(first, first + 7));
    }
    const size = await sizeOf();
    const [deleted = "", ...rest] = many;
    await shrink(size * 0.65);
    expect(await sizeOf()).toBeLessThan(size * 0.65);
    const clicks = messages.flatMap(clicksIn);
    const expected = sumsOf(expectedTotals(clicks, rest, query(), 0));
    const counts = ({ links: each, ...sums }: ReturnType<typeof sumsOf>) => ({
      ...sums,
      links: each.reduce((sum, { clicks: count }) => sum + count, 0),
    });
    expect(counts(sumsOf(await accountLog().aggregate(rest, query())))).toMatchObject({
      clicks: expected.clicks,
      unique: expected.unique,
      bots: expected.bots,
    });
    await accountLog().forgetLinks([deleted]);
    expect(await inLog(({ sql }) => sql.exec("SELECT * FROM clicks WHERE link = ?", deleted).toArray())).toEqual([]);
    expect(sumsOf(await accountLog().aggregate(null, query()))).toMatchObject({
      clicks: expected.clicks,
      unique: expected.unique,
      bots: expected.bots,
    });
  });

  it("goes on when a link is deleted after its days were found", async () => {
    const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const [deleted = "", ...rest] = links;
    const days = [29, 25, 21, 17, 13].map((ago) => TODAY / DAY_MS - ago);
    const messages: ClickBatchMessage[] = [];
    for (const day of days) messages.push(...(await fill(60, NOW - TODAY + day * DAY_MS)));
    vi.setSystemTime(NOW);
    await bound(1);
    await accountLog().importClicks([]);
    await runInDurableObject(accountLog(), async (log, { storage: { sql } }) => {
      const running = log.alarm();
      const isOpen = () => sql.exec("SELECT 1 FROM clicks WHERE level > 0 LIMIT 1").toArray().length > 0;
      while (!isOpen()) await scheduler.wait(0);
      await log.forgetLinks([deleted]);
      await running;
    });
    await drain();
    const lines = errors.mock.calls.map(([line]) => JSON.parse(String(line)) as Record<string, unknown>);
    expect(lines).toEqual([expect.objectContaining({ event: "click_log_full" })]);
    expect(await levels()).toEqual(days.map((day) => ({ day, level: LEVEL.dayTotals })));
    const expected = expectedTotals(messages.flatMap(clicksIn), rest, query(), 0);
    expect(sumsOf(await accountLog().aggregate(null, query()))).toEqual(sumsOf(expected));
  });
});

it("reads each row once when it deletes batches and visitors", async () => {
  const day = TODAY / DAY_MS - MAX_CLICK_AGE_DAYS - 1;
  const at = day * DAY_MS;
  const count = 20 * ROWS_PER_SETTLEMENT;
  const rolledUp = { level: 1, clicks: 1, first_at: at, last_at: at, last_click_at: at, segments: "[]" };
  await accountLog().importClicks(
    Array.from({ length: count }, (_, n) => {
      const link = newId(at + n);
      return { ...rolledUp, day, link, part: 0, batches: "some", visitors: "some" };
    }),
  );
  await runInDurableObject(accountLog(), async (_, { storage }) => {
    const cursors: { rowsRead: number }[] = [];
    const exec = storage.sql.exec.bind(storage.sql);
    const spy = vi.spyOn(storage.sql, "exec").mockImplementation((...args) => {
      const cursor = exec(...args);
      cursors.push(cursor);
      return cursor;
    });
    expect(await settleOldDays(storage, NOW)).toBe(true);
    spy.mockRestore();
    expect(storage.sql.exec("SELECT 1 FROM clicks WHERE batches <> '' OR visitors <> ''").toArray()).toEqual([]);
    // Of each row: to find it, to find no single click of its day, to change it, and to find that nothing is left. Each turn reads one more.
    const reads = cursors.reduce((sum, { rowsRead }) => sum + rowsRead, 0);
    expect(reads).toBeLessThanOrEqual(5 * count + count / ROWS_PER_SETTLEMENT);
  });
});

it("keeps batches and visitors of rolled up clicks only while clicks of their day may arrive", async () => {
  await fill(2_000, NOW);
  await shrink((await sizeOf()) * 0.7);
  const kept = () =>
    inLog(({ sql }) =>
      sql
        .exec<{ batches: number; visitors: number }>(
          "SELECT sum(batches <> '') AS batches, sum(visitors <> '') AS visitors FROM clicks WHERE level > 0",
        )
        .one(),
    );
  expect(await kept()).toEqual({ batches: 3, visitors: 3 });
  const passDays = async (days: number) => {
    for (let day = 0; day < days; day++) {
      vi.setSystemTime(Date.now() + DAY_MS);
      await drain();
    }
  };
  await passDays(VISITORS_KEPT_DAYS - 1);
  expect(await kept()).toEqual({ batches: 3, visitors: 3 });
  await passDays(1);
  expect(await kept()).toEqual({ batches: 3, visitors: 0 });
  await passDays(MAX_CLICK_AGE_DAYS - VISITORS_KEPT_DAYS);
  expect(await kept()).toEqual({ batches: 0, visitors: 0 });
});
