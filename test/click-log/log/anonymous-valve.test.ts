import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { CapturedClick } from "../../../src/click-log/capture/click.ts";
import { sharedLogName } from "../../../src/click-log/click-log-name.ts";
import { VALVE_MARGIN, VALVE_REST_MS } from "../../../src/click-log/limits.ts";
import { DAY_MS } from "../../../src/limits.ts";
import { newId } from "../../../src/platform/lib/uuid.ts";
import { clickOn, codeOf, messageOf } from "../../support/clicks.ts";

// In the future, so that alarms run only when a test runs them.
const NOW = Date.UTC(2031, 5, 15, 12);
const CLICKS_PER_DAY = 5_000;
const CLICKS_PER_BATCH = 250;

let link = "";
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: NOW });
  link = newId(NOW);
});
afterEach(() => vi.useRealTimers());

const log = () => env.CLICK_LOG.getByName(sharedLogName(link));
const inLog = <T>(use: (storage: DurableObjectStorage) => T | Promise<T>) =>
  runInDurableObject(log(), (_, { storage }) => use(storage));
const sizeOf = () => inLog(({ sql }) => sql.databaseSize);
const alarmAt = () => inLog((storage) => storage.getAlarm());
const bound = (maxBytes: number) =>
  runInDurableObject(log(), (object) => void Object.assign(codeOf(object), { maxBytes }));
const storedDays = () =>
  inLog(({ sql }) =>
    sql
      .exec<{ day: number }>("SELECT DISTINCT day FROM clicks ORDER BY day")
      .toArray()
      .map(({ day }) => day * DAY_MS),
  );

async function ingest(clicks: CapturedClick[]): Promise<void> {
  await log().ingest(messageOf(clicks).batches);
}

/** Three days of clicks. The time is then noon of the last one. */
async function fill(): Promise<number[]> {
  const days = [0, 1, 2].map((n) => (Math.floor(NOW / DAY_MS) + n) * DAY_MS);
  for (const day of days) {
    vi.setSystemTime(day + DAY_MS / 2);
    const clicks = Array.from({ length: CLICKS_PER_DAY }, (_, n) =>
      clickOn(link, null, { ip: `198.51.${n % 250}.${n % 199}` }),
    );
    for (let first = 0; first < clicks.length; first += CLICKS_PER_BATCH)
      await ingest(clicks.slice(first, first + CLICKS_PER_BATCH));
  }
  expect(await storedDays()).toEqual(days);
  return days;
}

/** Runs the alarms that are due. Returns the events that they log. */
async function runAlarms(): Promise<unknown[]> {
  const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
  for (let alarm = 0; alarm < 10 && ((await alarmAt()) ?? Infinity) <= Date.now(); alarm++)
    await runDurableObjectAlarm(log());
  expect(await alarmAt()).toBeGreaterThan(Date.now());
  return errors.mock.calls.map(([line]) => (JSON.parse(String(line)) as { event: unknown }).event);
}

describe("above its bound, a ClickLog of anonymous links", () => {
  it("deletes its oldest clicks and stores new ones as before", async () => {
    const days = await fill();
    await bound((await sizeOf()) - 1);
    await ingest([clickOn(link, null)]);
    expect(await runAlarms()).toEqual(["clicks_deleted_early"]);
    expect(await storedDays()).toEqual(days.slice(1));
    await ingest([clickOn(link, null)]);
    expect((await log().countersOf([link]))[0]?.clicks).toBe(2 * CLICKS_PER_DAY + 2);
  });

  it("deletes days until the margin is free", async () => {
    const days = await fill();
    const maxBytes = Math.floor((await sizeOf()) / 2);
    await bound(maxBytes);
    await ingest([clickOn(link, null)]);
    expect(await runAlarms()).toEqual(["clicks_deleted_early", "clicks_deleted_early"]);
    expect(await sizeOf()).toBeLessThanOrEqual(maxBytes * (1 - VALVE_MARGIN));
    expect(await storedDays()).toEqual(days.slice(2));
  });

  it("rests when nothing is left to delete", async () => {
    await ingest([clickOn(link, null)]);
    await bound(1);
    await ingest([clickOn(link, null)]);
    expect(await runAlarms()).toEqual(["clicks_deleted_early", "click_log_full"]);
    const rested = await alarmAt();
    expect(rested).toBe(Date.now() + VALVE_REST_MS);
    // Clicks do not wake it up, and are stored.
    await ingest([clickOn(link, null)]);
    expect(await alarmAt()).toBe(rested);
    expect((await log().countersOf([link]))[0]?.clicks).toBe(1);
  });
});
