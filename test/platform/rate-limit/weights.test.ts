import * as fc from "fast-check";
import { expect, it } from "vitest";
import { createWindow, packTimes, recordCall, unpackTimes } from "../../../src/platform/rate-limit/window.ts";
import { mostInAMinute } from "./model.ts";

const START = 1_790_000_000_000;

it("accepts calls by weight: never more than the limit in a minute, and exactly after the wait", () => {
  const call = fc.tuple(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 1, max: 10 }));
  const calls = fc.array(call, { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(fc.integer({ min: 10, max: 30 }), fc.constantFrom(1, 1_000), calls, (limit, resolutionMs, calls) => {
      const window = createWindow();
      const times: number[] = [];
      let now = START;
      for (const [gap, weight] of calls) {
        now += gap;
        const options = { weight, resolutionMs, penalties: false };
        const retry = (at: number) => recordCall(structuredClone(window), limit, at, options);
        const before = recordCall(structuredClone(window), limit, now, { ...options, counts: false });
        const decision = recordCall(window, limit, now, options);
        expect(decision.allowed).toBe(before.allowed);
        expect(decision.remaining).toBe(limit - window.accepted.length);
        if (decision.allowed) times.push(...Array.from({ length: weight }, () => now - (now % resolutionMs)));
        else {
          expect(retry(now + decision.waitMs - 1)).toMatchObject({ allowed: false, waitMs: 1 });
          expect(retry(now + decision.waitMs).allowed).toBe(true);
        }
      }
      expect(mostInAMinute(times)).toBeLessThanOrEqual(limit);
    }),
    { numRuns: 1_000 },
  );
});

it("packs times and unpacks them", () => {
  const times = fc.array(fc.integer({ min: START, max: START + 20 }), { maxLength: 50 });
  fc.assert(
    fc.property(times, (times) => {
      times.sort((a, b) => a - b);
      const packed = packTimes(times);
      expect(unpackTimes(packed)).toEqual(times);
      expect(packed).toHaveLength(2 * new Set(times).size);
    }),
  );
});
