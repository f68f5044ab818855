import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { expect, it, vi } from "vitest";
import { HOUR, MINUTE } from "./model.ts";
import { newLimiter, provoke, runDayAlarm, START, storageOf, takeMany } from "./objects.ts";

it("writes nothing for a refused call, and writes a penalty", async () => {
  const limiter = newLimiter();
  await limiter.take("read", 1);
  let before = await storageOf(limiter);
  const refuse = async () => {
    expect(await limiter.take("read", 1)).toMatchObject({ allowed: false, penalised: false });
    expect(await storageOf(limiter)).toEqual(before);
  };
  await refuse();
  vi.setSystemTime(START + 1_001);
  for (let call = 0; call < 10; call++) await refuse();
  expect(await limiter.take("read", 1)).toMatchObject({ allowed: false, penalised: true });
  const { rowsWritten } = before;
  before = await storageOf(limiter);
  expect(before.rowsWritten).toBeGreaterThan(rowsWritten);
  for (let call = 0; call < 10; call++) await refuse();
  await evictDurableObject(limiter);
  before = await storageOf(limiter);
  await refuse();
});

it("writes a row for a call, and one more for the alarm of the first call of a day", async () => {
  const limiter = newLimiter();
  const rowsOf = async (operation: string) => {
    const before = await storageOf(limiter);
    expect((await limiter.take(operation, 10)).allowed).toBe(true);
    return (await storageOf(limiter)).rowsWritten - before.rowsWritten;
  };
  expect([await rowsOf("read"), await rowsOf("read"), await rowsOf("write")]).toEqual([2, 1, 1]);
  await evictDurableObject(limiter);
  vi.setSystemTime(START + 20 * HOUR);
  expect([await rowsOf("read"), await rowsOf("list")]).toEqual([1, 1]);
  await runDayAlarm(limiter);
  expect([await rowsOf("read"), await rowsOf("read")]).toEqual([2, 1]);
});

it("deletes its storage by an alarm once a day, if nothing matters any more, and works afterwards", async () => {
  for (const penalties of [0, 1, 3]) {
    const limiter = newLimiter();
    await limiter.take("write", 1);
    expect(await storageOf(limiter)).toMatchObject({ windows: 1, alarm: START + 24 * HOUR });
    vi.setSystemTime(START + 24 * HOUR - MINUTE + 1);
    await limiter.take("read", 1);
    for (let raised = 1; raised <= penalties; raised++) {
      const { waitMs } = await provoke(limiter);
      vi.setSystemTime(Date.now() + waitMs);
      if (raised < penalties) await limiter.take("read", 1);
    }
    // A call of the last minute, or a penalty whose length still counts.
    await runDayAlarm(limiter);
    const { windows, alarm } = await storageOf(limiter);
    expect({ windows, alarm }).toEqual({ windows: 1, alarm: Date.now() + 24 * HOUR });
    await runDayAlarm(limiter);
    expect(await storageOf(limiter)).toMatchObject({ windows: 0, alarm: null });
    expect(await takeMany(limiter, 4, 3)).toBe(3);
    expect((await storageOf(limiter)).alarm).toBe(Date.now() + 24 * HOUR);
    await evictDurableObject(limiter);
    expect(await takeMany(limiter, 4, 3)).toBe(0);
  }
});

it("keeps calls that arrive while the alarm deletes its storage", async () => {
  for (const later of [0, MINUTE]) {
    const limiter = newLimiter();
    await takeMany(limiter, 3, 3);
    vi.setSystemTime(START + MINUTE + later);
    const accepted = await Promise.all([
      takeMany(limiter, 1, 3),
      runDurableObjectAlarm(limiter),
      takeMany(limiter, 20, 3),
    ]);
    expect(accepted[0] + accepted[2]).toBe(3);
    await evictDurableObject(limiter);
    expect(await takeMany(limiter, 4, 3)).toBe(0);
    expect((await storageOf(limiter)).alarm).not.toBe(null);
  }
});

it("reads the windows and penalties of version 1", async () => {
  const limiter = newLimiter();
  // As version 1 has stored them: three calls, and a penalty of an hour.
  const windows = new Map([
    ["read", { accepted: [START - 2_000, 2, START - 1_000, 1], penaltyEnd: 0, penaltyMs: 0 }],
    ["write", { accepted: [START - 2_000, 1], penaltyEnd: START + HOUR - 1_000, penaltyMs: HOUR }],
  ]);
  await runInDurableObject(limiter, (_, { storage }) => storage.kv.put("windows", windows));
  await evictDurableObject(limiter);
  expect(await takeMany(limiter, 4, 5)).toBe(2);
  expect(await limiter.take("write", 5)).toMatchObject({ allowed: false, waitMs: HOUR - 1_000 });
});

it("counts anew beside the windows of a version that it does not know, and leaves them", async () => {
  const limiter = newLimiter();
  const newer = ["in a form that is not known"];
  await runInDurableObject(limiter, (_, { storage }) => storage.kv.put("windows 2", newer));
  await evictDurableObject(limiter);
  expect(await takeMany(limiter, 9, 3)).toBe(3);
  await evictDurableObject(limiter);
  expect(await takeMany(limiter, 9, 3)).toBe(0);
  expect(await runInDurableObject(limiter, (_, { storage }) => storage.kv.get("windows 2"))).toEqual(newer);
});
