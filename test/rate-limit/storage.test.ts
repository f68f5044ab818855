import { evictDurableObject, runDurableObjectAlarm } from "cloudflare:test";
import { expect, it, vi } from "vitest";
import { MINUTE } from "./model.ts";
import { newLimiter, provoke, START, storageOf, takeMany } from "./objects.ts";

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

it("deletes its storage by alarm once nothing matters any more, and works afterwards", async () => {
  for (const penalties of [0, 1, 3]) {
    const limiter = newLimiter();
    await limiter.take("write", 1);
    await limiter.take("read", 1);
    let end = Date.now() + MINUTE;
    for (let raised = 1; raised <= penalties; raised++) {
      const { waitMs } = await provoke(limiter);
      vi.setSystemTime(Date.now() + waitMs);
      end = Date.now() + raised * 10 * MINUTE;
      if (raised < penalties) await limiter.take("read", 1);
    }
    for (let alarms = 0; Date.now() < end; alarms++) {
      expect(alarms).toBeLessThan(2);
      const { alarm, tables } = await storageOf(limiter);
      expect({ alarm, tables }).toEqual({ alarm: expect.any(Number), tables: 1 });
      await evictDurableObject(limiter);
      vi.setSystemTime(Math.max(Number(alarm), Date.now()));
      await runDurableObjectAlarm(limiter);
    }
    expect(Date.now()).toBe(end);
    expect(await storageOf(limiter)).toMatchObject({ tables: 0, alarm: null });
    expect(await takeMany(limiter, 4, 3)).toBe(3);
    expect((await storageOf(limiter)).alarm).not.toBe(null);
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
