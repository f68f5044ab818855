import { evictDurableObject, runDurableObjectAlarm } from "cloudflare:test";
import * as fc from "fast-check";
import { expect, it, vi } from "vitest";
import { alarmOfLoneCall, readLoneCall } from "../../src/rate-limit/lone-call.ts";
import { HOUR, MINUTE, mostInAMinute } from "./model.ts";
import { newLimiter, runDayAlarm, START, storageOf } from "./objects.ts";

const LISTED = ["GET /api/links", "POST /api/links", "create links", "password"] as const;
const RESOLUTION = 64;

type Limiter = ReturnType<typeof newLimiter>;

/** An eviction after each of the first calls. */
const evictionsAfter = (calls: number) => Array.from({ length: 12 }, (_, index) => index < calls);

async function rowsOf(limiter: Limiter, operation: string): Promise<number> {
  const before = await storageOf(limiter);
  expect((await limiter.take(operation, 10)).allowed).toBe(true);
  return (await storageOf(limiter)).rowsWritten - before.rowsWritten;
}

it("reads the call from the time of its alarm, at most 63 ms later", () => {
  fc.assert(
    fc.property(fc.integer({ min: START, max: START + HOUR }), fc.constantFrom(...LISTED), (at, operation) => {
      const alarm = Number(alarmOfLoneCall({ operation, at }));
      expect(alarm - at).toBeGreaterThanOrEqual(24 * HOUR);
      expect(alarm - at).toBeLessThan(24 * HOUR + 2 * RESOLUTION);
      const call = readLoneCall(alarm);
      expect(call?.operation).toBe(operation);
      expect(Number(call?.at) - at).toBeGreaterThanOrEqual(0);
      expect(Number(call?.at) - at).toBeLessThan(RESOLUTION);
    }),
  );
});

it("writes only the alarm for the first call of a day, and a row for each call after it", async () => {
  const limiter = newLimiter();
  for (let day = 0; day < 2; day++) {
    expect(await rowsOf(limiter, "POST /api/links")).toBe(1);
    expect(await storageOf(limiter)).toMatchObject({ windows: 0, alarm: expect.any(Number) });
    await evictDurableObject(limiter);
    vi.setSystemTime(Date.now() + 5 * HOUR);
    expect([await rowsOf(limiter, "POST /api/links"), await rowsOf(limiter, "GET /api/links")]).toEqual([1, 1]);
    await runDayAlarm(limiter);
    expect(await storageOf(limiter)).toMatchObject({ windows: 0, alarm: null });
  }
});

it("stores the first call of another operation, or with a limit of 1", async () => {
  for (const [operation, limit] of [
    ["read", 10],
    ["POST /api/links", 1],
  ] as const) {
    const limiter = newLimiter();
    vi.setSystemTime(START + 1);
    await limiter.take(operation, limit);
    expect(await storageOf(limiter)).toMatchObject({ windows: 1, alarm: START + 1 + 24 * HOUR });
    await evictDurableObject(limiter);
    vi.setSystemTime(START + MINUTE);
    expect((await limiter.take(operation, 1)).allowed).toBe(false);
    vi.setSystemTime(START + MINUTE + 1);
    expect((await limiter.take(operation, 1)).allowed).toBe(true);
  }
});

it("counts the call for its operation only, after an eviction", async () => {
  for (const operation of LISTED) {
    const limiter = newLimiter();
    await limiter.take(operation, 2);
    await evictDurableObject(limiter);
    vi.setSystemTime(START + 30_000);
    for (const each of LISTED) expect((await limiter.take(each, 5)).remaining, each).toBe(each === operation ? 3 : 4);
  }
});

it("never accepts more than the limit in a minute, and accepts a client that waits, with evictions between all calls", async () => {
  const gaps = fc.array(fc.oneof(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 0, max: 70_000 })), {
    minLength: 1,
    maxLength: 12,
  });
  await fc.assert(
    fc.asyncProperty(
      gaps,
      fc.integer({ min: 2, max: 4 }),
      fc.array(fc.boolean(), { minLength: 12 }),
      async (times, limit, evictions) => {
        const limiter = newLimiter();
        const accepted: number[] = [];
        for (const [index, gap] of times.entries()) {
          vi.setSystemTime(Date.now() + gap);
          const { allowed, waitMs } = await limiter.take("POST /api/links", limit);
          if (allowed) accepted.push(Date.now());
          if (evictions[index] === true) await evictDurableObject(limiter);
          if (allowed) continue;
          vi.setSystemTime(Date.now() + waitMs);
          expect((await limiter.take("POST /api/links", limit)).allowed).toBe(true);
          accepted.push(Date.now());
        }
        expect(mostInAMinute(accepted)).toBeLessThanOrEqual(limit);
      },
    ),
    // The second and the third call come before the time that the alarm gives the first one, after one and two evictions.
    { numRuns: 40, examples: [1, 2].map((evictions) => [[1, 0, 0], 2, evictionsAfter(evictions)]) },
  );
});

it("keeps a call that comes while the alarm deletes the storage", async () => {
  const limiter = newLimiter();
  await limiter.take("POST /api/links", 3);
  vi.setSystemTime(Number((await storageOf(limiter)).alarm));
  await Promise.all([runDurableObjectAlarm(limiter), limiter.take("POST /api/links", 3)]);
  expect((await storageOf(limiter)).alarm).not.toBe(null);
  await evictDurableObject(limiter);
  expect((await limiter.take("POST /api/links", 3)).remaining).toBe(1);
});
