import { evictDurableObject, runDurableObjectAlarm } from "cloudflare:test";
import * as fc from "fast-check";
import { expect, it, vi } from "vitest";
import {
  expectedDecision,
  gap,
  gapMs,
  HOUR,
  isForgotten,
  MINUTE,
  mostInAMinute,
  retryAfterMs,
  withCall,
  type Event,
} from "./model.ts";
import { newLimiter, provoke, START, storageOf, takeMany } from "./objects.ts";

const limits = fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 60 }));
const limitOf = { read: 3, write: 1 };
const operations = ["read", "write"] as const;

it("accepts exactly the limit of 200 parallel calls, with and without an eviction", async () => {
  const evictions = fc.constantFrom("after some", "amid", "none");
  await fc.assert(
    fc.asyncProperty(limits, fc.integer({ min: 1, max: 199 }), evictions, async (limit, first, eviction) => {
      const limiter = newLimiter();
      expect((await limiter.take("write", 1)).allowed).toBe(true);
      const some = takeMany(limiter, first, limit);
      if (eviction === "after some") await some;
      const evicted = eviction === "none" ? null : evictDurableObject(limiter);
      if (eviction === "after some") await evicted;
      const [before, , after] = await Promise.all([some, evicted, takeMany(limiter, 200 - first, limit)]);
      expect(before + after).toBe(limit);
      expect(await takeMany(limiter, 1, limit)).toBe(0);
      await evictDurableObject(limiter);
      expect(await takeMany(limiter, 1, limit)).toBe(0);
    }),
    { numRuns: 12 },
  );
});

it("decides like the model through evictions and alarms, for each operation", async () => {
  const series = fc.tuple(
    fc.constantFrom(...operations),
    gap,
    fc.oneof(fc.constant(1), fc.integer({ min: 2, max: 18 })),
    fc.subarray(["evict", "alarm"]),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(series, { minLength: 1, maxLength: 20 }), async (schedule) => {
      const limiter = newLimiter();
      const histories: Record<(typeof operations)[number], Event[]> = { read: [], write: [] };
      for (const [operation, gap, calls, events] of schedule) {
        let last = null;
        for (let call = 0; call < calls; call++) {
          vi.setSystemTime(Date.now() + gapMs(gap, last));
          const expected = expectedDecision(histories[operation], limitOf[operation], Date.now());
          last = await limiter.take(operation, limitOf[operation]);
          expect(last).toEqual(expected);
          histories[operation] = withCall(histories[operation], Date.now(), last);
        }
        if (events.includes("evict")) {
          await evictDurableObject(limiter);
          for (const operation of operations) histories[operation].push({ at: Date.now(), kind: "evicted" });
        }
        if (events.includes("alarm")) {
          await runDurableObjectAlarm(limiter);
          const forgotten = operations.every((operation) => isForgotten(histories[operation], Date.now()));
          const { windows, alarm } = await storageOf(limiter);
          expect(windows === 0).toBe(forgotten);
          expect(alarm === null).toBe(forgotten);
        }
      }
    }),
    { numRuns: 25 },
  );
});

it("accepts at most the limit in any 60 seconds when the clock steps back, with and without evictions", async () => {
  const step = fc.oneof(
    fc.integer({ min: 0, max: 20_000 }),
    fc.integer({ min: -2 * HOUR, max: 0 }),
    fc.integer({ min: 0, max: 2 * HOUR }),
    fc.constantFrom(MINUTE, -MINUTE),
  );
  const steps = fc.array(fc.tuple(step, fc.boolean()), { minLength: 10, maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 3 }), steps, async (limit, steps) => {
      const limiter = newLimiter();
      const accepted: number[] = [];
      let latest = 0;
      for (const [ms, evicted] of steps) {
        vi.setSystemTime(Date.now() + ms);
        latest = Math.max(latest, Date.now());
        if ((await limiter.take("read", limit)).allowed) accepted.push(latest);
        if (evicted) await evictDurableObject(limiter);
      }
      expect(mostInAMinute(accepted)).toBeLessThanOrEqual(limit);
    }),
    { numRuns: 20 },
  );
});

it("does not accept a call sooner after the clock was set back", async () => {
  for (const evicted of [false, true]) {
    const limiter = newLimiter();
    expect(await takeMany(limiter, 4, 3)).toBe(3);
    vi.setSystemTime(START - HOUR);
    if (evicted) await evictDurableObject(limiter);
    expect(await limiter.take("read", 3)).toMatchObject({ allowed: false, waitMs: MINUTE });
    vi.setSystemTime(START + MINUTE - 1);
    expect((await limiter.take("read", 3)).allowed).toBe(false);
    vi.setSystemTime(START + MINUTE);
    expect(await takeMany(limiter, 4, 3)).toBe(3);
  }
});

it("keeps a penalty and its length through evictions, and accepts calls after it", async () => {
  const limiter = newLimiter();
  await limiter.take("read", 1);
  expect(retryAfterMs(await provoke(limiter))).toBe(MINUTE);
  await evictDurableObject(limiter);
  vi.setSystemTime(Date.now() + MINUTE - 1);
  expect(await limiter.take("read", 1)).toMatchObject({ allowed: false, waitMs: 1 });
  await evictDurableObject(limiter);
  vi.setSystemTime(Date.now() + 1);
  expect((await limiter.take("read", 1)).allowed).toBe(true);
  await evictDurableObject(limiter);
  expect(retryAfterMs(await provoke(limiter))).toBe(2 * MINUTE);
});

it("counts each client in its own object", async () => {
  const [one, other] = [newLimiter(), newLimiter()];
  expect(await takeMany(one, 4, 3)).toBe(3);
  expect(await takeMany(other, 4, 3)).toBe(3);
  await provoke(one);
  vi.setSystemTime(Date.now() + MINUTE - 1_000);
  expect((await one.take("read", 3)).allowed).toBe(false);
  expect((await other.take("read", 3)).allowed).toBe(true);
});
