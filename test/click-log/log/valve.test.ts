import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import type { ClickBatchMessage } from "../../../src/click-log/capture/message.ts";
import type { Totals } from "../../../src/click-log/log/aggregate.ts";
import { LEVEL } from "../../../src/click-log/log/rows.ts";
import { Valve } from "../../../src/click-log/log/valve.ts";
import { ClickWriter } from "../../../src/click-log/log/writer.ts";
import { toIncoming } from "../../../src/click-log/log/read-batch.ts";
import { VALVE_REST_MS } from "../../../src/click-log/limits.ts";
import { DAY_MS } from "../../../src/limits.ts";
import { clicksIn, consume, messageOf } from "../../support/clicks.ts";
import { expectedTotals } from "./totals-model.ts";
import {
  accountLog,
  alarmAt,
  bound,
  drain,
  expectQuarterHours,
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
  TODAY,
} from "./valve-support.ts";

prepareAccounts();

it("measures pages in use: the size shrinks when rows are deleted", async () => {
  await fill(5_000, NOW);
  const before = await sizeOf();
  await inLog(({ sql }) => void sql.exec("DELETE FROM clicks"));
  expect(await sizeOf()).toBeLessThan(before / 2);
});

describe("above its bound, a ClickLog", () => {
  it("rolls up the oldest days until there is room, and counts what it counted before", async () => {
    const lines = vi.spyOn(console, "info").mockImplementation(() => undefined);
    const first = TODAY - 3 * DAY_MS;
    const messages: ClickBatchMessage[] = [];
    for (const end of [3, 2, 1, 0]) messages.push(...(await fill(2_000, NOW - end * DAY_MS)));
    const clicks = messages.flatMap(clicksIn);
    await expectQuarterHours(clicks, first);
    const size = await sizeOf();
    await shrink(size * 0.8);
    expect(await sizeOf()).toBeLessThan(size * 0.8);
    const left = await levels();
    expect(left).toContainEqual({ day: first / DAY_MS, level: LEVEL.quarterHours });
    expect(left).toContainEqual({ day: TODAY / DAY_MS, level: LEVEL.clicks });
    await inLog(({ sql }) => void sql.exec("DELETE FROM summaries"));
    await expectQuarterHours(clicks, first);
    // Each click is still counted once.
    await consume(messages);
    await evictDurableObject(accountLog());
    await consume(messages);
    await inLog(({ sql }) => void sql.exec("DELETE FROM summaries"));
    await expectQuarterHours(clicks, first);
    const counters = await accountLog().changedCounters();
    const { counts } = expectedTotals(clicks, null, query(), 0);
    expect(Object.fromEntries(counters.map(({ linkId, clicks: count }) => [linkId, count]))).toEqual(
      Object.fromEntries(counts.link.map(({ value, clicks: count }) => [value, count])),
    );
    const events = lines.mock.calls.map(([line]) => JSON.parse(String(line)) as Record<string, unknown>);
    expect(events).toContainEqual(expect.objectContaining({ event: "clicks_rolled_up_early" }));
  });

  it("rolls up a large day in steps, while clicks and queries go on", async () => {
    const link = links[0] ?? "";
    const messages = await fill(16_000, NOW, link);
    const size = await sizeOf();
    await bound(size * 0.6);
    const more = Array.from({ length: 20 }, (_, group) =>
      messageOf(Array.from({ length: 50 }, (__, n) => nth(group * 50 + n, NOW - 50 + n, link))),
    );
    await consume(more.slice(0, 1));
    expect(await alarmAt()).toBe(NOW);
    const whole = query({ start: TODAY, end: TODAY + DAY_MS, boundaries: [TODAY] });
    const running = runDurableObjectAlarm(accountLog());
    const answers: Totals[] = [];
    for (const message of more.slice(1)) {
      await consume([message]);
      answers.push(await accountLog().aggregate(null, whole));
    }
    await running;
    await drain();
    const clicks = [...messages, ...more].flatMap(clicksIn);
    for (const [index, answer] of answers.entries()) {
      const stored = [...messages, ...more.slice(0, index + 2)].flatMap(clicksIn);
      expect(answer).toEqual(expectedTotals(stored, null, whole, 0));
    }
    expect(await levels()).toEqual([
      { day: TODAY / DAY_MS, level: LEVEL.clicks },
      { day: TODAY / DAY_MS, level: LEVEL.quarterHours },
    ]);
    expect(await accountLog().aggregate(null, whole)).toEqual(expectedTotals(clicks, null, whole, 0));
    await evictDurableObject(accountLog());
    await consume([...messages.slice(0, 20), ...more]);
    expect(await accountLog().aggregate([link], whole)).toEqual(expectedTotals(clicks, [link], whole, 0));
  });

  it("keeps what it knows of a large day until all of it is rolled up, so that the next click reads no row", async () => {
    const link = links[0] ?? "";
    const messages = await fill(16_000, NOW, link);
    const maxBytes = (await sizeOf()) * 0.6;
    await runInDurableObject(accountLog(), async (_, { storage }) => {
      const { sql } = storage;
      const writer = new ClickWriter(sql);
      const isStored = ({ batches: [batch] }: ClickBatchMessage) =>
        writer.has({ link, day: TODAY / DAY_MS, segment: [[batch?.id ?? ""], [], [], [], []] });
      expect(messages.every(isStored)).toBe(true);
      const running = new Valve(storage, () => writer, env, NOW).run(maxBytes, NOW);
      while (sql.exec("SELECT 1 FROM clicks WHERE level > 0").toArray().length === 0) await scheduler.wait(0);
      const exec = vi.spyOn(sql, "exec");
      expect(messages.every(isStored)).toBe(true);
      expect(exec).not.toHaveBeenCalled();
      exec.mockRestore();
      await running;
      expect(messages.every(isStored)).toBe(true);
    });
  });

  it("rolls up old clicks too that arrive after it has passed their day, as those of a claimed link", async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const [link = "", other = ""] = links;
    await fill(200, NOW - 20 * DAY_MS, link);
    vi.setSystemTime(NOW);
    await shrink(1);
    const totals = [{ level: LEVEL.dayTotals }];
    const levelsOf = (each: string) =>
      inLog(({ sql }) => sql.exec("SELECT DISTINCT level FROM clicks WHERE link = ?", each).toArray());
    expect(await levelsOf(link)).toEqual(totals);
    const at = NOW - 25 * DAY_MS;
    const batch = messageOf([nth(1, at, other)]).batches[0];
    if (batch === undefined) throw new Error("no batch");
    const segments = toIncoming(batch).read(() => new Uint8Array(16));
    const rows = segments.map(({ day, segment }) => ({
      day,
      link: other,
      part: 0,
      level: LEVEL.clicks,
      clicks: 1,
      first_at: at,
      last_at: at,
      last_click_at: at,
      batches: "",
      visitors: "",
      segments: JSON.stringify(segment),
    }));
    await accountLog().adoptClicks(other, rows);
    vi.setSystemTime(NOW + VALVE_REST_MS);
    await drain();
    expect(await levelsOf(other)).toEqual(totals);
    expect(await accountLog().countersOf([other])).toMatchObject([{ clicks: 1 }]);
  });

  it("goes on after a crash in the middle of a step", async () => {
    const first = TODAY - 3 * DAY_MS;
    const messages: ClickBatchMessage[] = [];
    for (const end of [3, 2, 1]) messages.push(...(await fill(2_000, NOW - end * DAY_MS)));
    vi.setSystemTime(NOW);
    const clicks = messages.flatMap(clicksIn);
    const size = await sizeOf();
    const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
    await inLog(({ sql }) => {
      sql.exec(`CREATE TRIGGER broken BEFORE INSERT ON clicks
        WHEN NEW.level > 0 AND (SELECT count(*) FROM clicks WHERE level > 0) = 3
        BEGIN SELECT raise(ABORT, 'broken'); END`);
    });
    const before = await levels();
    await bound(size * 0.8);
    await accountLog().importClicks([]);
    await runDurableObjectAlarm(accountLog());
    expect(errors.mock.calls.map(([line]) => JSON.parse(String(line)) as unknown)).toEqual([
      expect.objectContaining({ event: "click_log_alarm_failed" }),
    ]);
    // The first steps have rolled up the first day, and the next one has left nothing.
    expect(await levels()).toEqual([{ day: first / DAY_MS, level: LEVEL.quarterHours }, ...before.slice(1)]);
    await evictDurableObject(accountLog());
    await expectQuarterHours(clicks, first);
    await inLog(({ sql }) => void sql.exec("DROP TRIGGER broken"));
    await shrink(size * 0.8);
    expect(new Set((await levels()).map(({ level }) => level))).toContain(LEVEL.quarterHours);
    await expectQuarterHours(clicks, first);
  });
});
