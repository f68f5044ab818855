import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { afterEach, expect, it, vi } from "vitest";
import { REQUESTS_KEPT_DAYS } from "../../../src/click-log/limits.ts";
import { DAY_MS } from "../../../src/limits.ts";
import { newId } from "../../../src/platform/lib/uuid.ts";
import { createAccount } from "../../support/api.ts";
import { logOf } from "../../support/clicks.ts";

afterEach(() => {
  vi.useRealTimers();
});

type Log = ReturnType<typeof logOf>;

const add = (log: Log, leftOut = 0) =>
  log.logRequests({
    requests: [[Date.now(), crypto.randomUUID(), newId(0), "GET", "/api/tags", 200, 1]],
    leftOut,
  });

const rowsOf = (log: Log) =>
  runInDurableObject(log, (_, { storage: { kv } }) => [...kv.list({ prefix: "requests:" })].length);

it("deletes API requests after their time, and the alarm ends with them", async () => {
  const log = logOf((await createAccount()).accountId);
  const start = Date.UTC(2030, 5, 15, 12);
  for (const day of [0, 1]) {
    vi.useFakeTimers({ toFake: ["Date"], now: start + day * DAY_MS });
    await add(log, 1);
  }
  const rows: number[] = [];
  for (let day = 2; day < REQUESTS_KEPT_DAYS + 5; day++) {
    vi.setSystemTime(start + day * DAY_MS);
    const { found, leftOut } = await log.readRequests({}, null, 10);
    expect(leftOut).toBe(found.length);
    const at = await runInDurableObject(log, (_, { storage }) => storage.getAlarm());
    if (at !== null && at <= Date.now()) await runDurableObjectAlarm(log);
    rows.push(await rowsOf(log));
  }
  expect(rows.indexOf(1)).toBe(REQUESTS_KEPT_DAYS - 2);
  expect(rows.at(-1)).toBe(0);
  expect(await runInDurableObject(log, (_, { storage }) => storage.getAlarm())).toBeNull();
});

it("stores no API requests after the account is purged", async () => {
  const log = logOf((await createAccount()).accountId);
  await add(log);
  await log.destroy();
  await add(log);
  expect(await rowsOf(log)).toBe(0);
});
