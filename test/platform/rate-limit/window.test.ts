import * as fc from "fast-check";
import { expect, it } from "vitest";
import {
  createWindow,
  expiryOf,
  recordCall,
  type Decision,
  type SlidingWindow,
} from "../../../src/platform/rate-limit/window.ts";
import {
  arrivals,
  expectedDecision,
  gapMs,
  HOUR,
  isForgotten,
  MINUTE,
  mostInAMinute,
  retryAfterMs,
  withCall,
  type Event,
  type Gap,
} from "./model.ts";

const START = 1_790_000_000_000;
const limits = fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 60 }));
const manyRuns = { numRuns: 1_000 };

interface Call {
  now: number;
  decision: Decision;
}

/** Makes calls and returns their decisions. `each` runs after each call. */
function play(window: SlidingWindow, limit: number, gaps: readonly Gap[], each?: (call: Call) => void): Call[] {
  const calls: Call[] = [];
  let now = START;
  for (const gap of gaps) {
    now += gapMs(gap, calls.at(-1)?.decision ?? null);
    const call = { now, decision: recordCall(window, limit, now) };
    calls.push(call);
    each?.(call);
  }
  return calls;
}

/** Makes calls with a limit of 1 every `everyMs`, without waiting, until there were `penalties`. Returns their times and lengths. */
function insist(
  window: SlidingWindow,
  now: number,
  penalties: number,
  everyMs = 500,
): { at: number; lengthMs: number }[] {
  const found: { at: number; lengthMs: number }[] = [];
  for (let at = now; found.length < penalties && at < now + HOUR; at += everyMs) {
    const decision = recordCall(window, 1, at);
    if (decision.penalised) found.push({ at, lengthMs: decision.waitMs });
  }
  return found;
}

it("decides every call like the model", () => {
  fc.assert(
    fc.property(limits, arrivals, (limit, gaps) => {
      const window = createWindow();
      let history: Event[] = [];
      play(window, limit, gaps, ({ now, decision }) => {
        expect(decision).toEqual(expectedDecision(history, limit, now));
        history = withCall(history, now, decision);
      });
    }),
    manyRuns,
  );
});

it("accepts at most the limit in any 60 seconds", () => {
  fc.assert(
    fc.property(limits, arrivals, (limit, gaps) => {
      const accepted = play(createWindow(), limit, gaps).filter(({ decision }) => decision.allowed);
      expect(mostInAMinute(accepted.map(({ now }) => now))).toBeLessThanOrEqual(limit);
    }),
    manyRuns,
  );
});

it("accepts the whole limit in a burst, and again exactly 60 seconds later", () => {
  fc.assert(
    fc.property(limits, (limit) => {
      const window = createWindow();
      const calls = Array.from({ length: limit + 1 }, () => null);
      const acceptedAt = (now: number) => calls.filter(() => recordCall(window, limit, now).allowed).length;
      expect(acceptedAt(START)).toBe(limit);
      expect(recordCall(window, limit, START + MINUTE - 1).allowed).toBe(false);
      expect(acceptedAt(START + MINUTE)).toBe(limit);
    }),
  );
});

it("applies a limit that changes between calls", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(limits, arrivals), { minLength: 2, maxLength: 4 }), (phases) => {
      const window = createWindow();
      let history: Event[] = [];
      let now = START;
      for (const [limit, gaps] of phases) {
        for (const gap of gaps.slice(0, 50)) {
          now += typeof gap === "number" ? gap : 1;
          const decision = recordCall(window, limit, now);
          expect(decision).toEqual(expectedDecision(history, limit, now));
          history = withCall(history, now, decision);
        }
      }
    }),
  );
});

it("accepts a call after exactly the time in Retry-After, and not a millisecond earlier", () => {
  fc.assert(
    fc.property(limits, arrivals, (limit, gaps) => {
      const window = createWindow();
      play(window, limit, gaps, ({ now, decision }) => {
        expect(Number.isInteger(decision.waitMs) && decision.waitMs > 0).toBe(true);
        if (decision.remaining > 0) return;
        const wait = retryAfterMs(decision);
        expect(recordCall(structuredClone(window), limit, now + wait).allowed).toBe(true);
        expect(recordCall(structuredClone(window), limit, now + decision.waitMs).allowed).toBe(true);
        expect(recordCall(structuredClone(window), limit, now + decision.waitMs - 1).allowed).toBe(false);
      });
    }),
    manyRuns,
  );
});

it("gives no penalty to a client that respects Retry-After, with calls in flight for up to a second", () => {
  const inFlight = fc.array(fc.integer({ min: 0, max: 1_000 }), { maxLength: 30 });
  const gaps = fc.oneof(fc.integer({ min: 0, max: 1_000 }), fc.integer({ min: 0, max: HOUR }));
  fc.assert(
    fc.property(limits, fc.array(fc.tuple(gaps, inFlight), { minLength: 5, maxLength: 80 }), (limit, rounds) => {
      const window = createWindow();
      let now = START;
      for (const [gap, delays] of rounds) {
        now += gap;
        const first = recordCall(window, limit, now);
        if (first.allowed) continue;
        for (const delay of delays.sort((a, b) => a - b)) {
          if (delay < first.waitMs)
            expect(recordCall(window, limit, now + delay)).toMatchObject({ allowed: false, penalised: false });
        }
        now += retryAfterMs(first);
        expect(recordCall(window, limit, now).allowed).toBe(true);
      }
    }),
  );
});

it("forgives calls within a second of the first 429 and ten after it, and gives a penalty for the next", () => {
  const within = fc.array(fc.integer({ min: 0, max: 1_000 }), { maxLength: 50 });
  const beyond = fc.array(fc.integer({ min: 1_001, max: 50_000 }), { minLength: 11, maxLength: 11 });
  fc.assert(
    fc.property(within, beyond, (within, beyond) => {
      const window = createWindow();
      recordCall(window, 1, START);
      const decisions = [0, ...within, ...beyond]
        .sort((a, b) => a - b)
        .map((delay) => recordCall(window, 1, START + 1 + delay));
      const last = decisions.pop();
      expect(decisions.filter(({ penalised }) => penalised)).toEqual([]);
      expect(last).toMatchObject({ allowed: false, penalised: true, waitMs: MINUTE });
    }),
  );
});

it("doubles the penalty of a client that never waits, from a minute to an hour, at most once in 60 seconds", () => {
  fc.assert(
    fc.property(fc.oneof(fc.constantFrom(1_000, 4_000), fc.integer({ min: 100, max: 4_999 })), (everyMs) => {
      const penalties = insist(createWindow(), START, 9, everyMs);
      expect(penalties.map(({ lengthMs }) => lengthMs / MINUTE)).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
      // The first ends before the second comes; each of the others comes with the first call after 60 seconds.
      const longer = penalties.slice(1).map(({ at }) => at);
      const [first = 0] = longer;
      const apart = Math.ceil(MINUTE / everyMs) * everyMs;
      expect(longer).toEqual(longer.map((_, index) => first + index * apart));
      expect(first - (penalties[0]?.at ?? 0)).toBeGreaterThan(MINUTE);
    }),
    { numRuns: 20 },
  );
});

it("gives at most one penalty in 60 seconds, whatever arrives", () => {
  fc.assert(
    fc.property(limits, arrivals, (limit, gaps) => {
      const raises = play(createWindow(), limit, gaps).filter(({ decision }) => decision.penalised);
      expect(mostInAMinute(raises.map(({ now }) => now))).toBeLessThanOrEqual(1);
    }),
    manyRuns,
  );
});

it.each([
  [1, [2, 1, 1]],
  [3, [8, 4, 2, 1, 1]],
  [6, [60, 32, 16, 8, 4, 2, 1, 1]],
  [7, [60, 60, 30, 15, 7.5, 3.75, 1, 1]],
])(
  "after %i penalties in a row halves the last one every 10 minutes, and forgets it below a minute",
  (served, expectedMinutes) => {
    for (const [tens, expected] of expectedMinutes.entries()) {
      const window = createWindow();
      const last = insist(window, START, served).at(-1);
      const end = (last?.at ?? 0) + (last?.lengthMs ?? 0);
      // The next penalty comes 7 seconds into the new series; quiet is the time from the end of the last one.
      const [early] = insist(structuredClone(window), end + (tens + 1) * 10 * MINUTE - 7_001, 1);
      expect((early?.at ?? 0) - end).toBe((tens + 1) * 10 * MINUTE - 1);
      expect((early?.lengthMs ?? 0) / MINUTE).toBe(expected);
      const [exact] = insist(structuredClone(window), end + (tens + 1) * 10 * MINUTE - 7_000, 1);
      expect((exact?.lengthMs ?? 0) / MINUTE).toBe(expectedMinutes[tens + 1] ?? 1);
    }
  },
);

it("expires exactly when nothing matters to the model any more, and is then like a new window", () => {
  fc.assert(
    fc.property(limits, arrivals, fc.integer({ min: 0, max: HOUR }), arrivals, (limit, before, idle, after) => {
      const old = createWindow();
      let history: Event[] = [];
      play(old, limit, before, ({ now, decision }) => {
        history = withCall(history, now, decision);
      });
      const expiry = expiryOf(old);
      expect(isForgotten(history, expiry - 1)).toBe(false);
      expect(isForgotten(history, expiry)).toBe(true);
      const fresh = createWindow();
      let last: Decision | null = null;
      let now = expiry + idle;
      for (const gap of after) {
        last = recordCall(old, limit, now);
        expect(recordCall(fresh, limit, now)).toEqual(last);
        now += gapMs(gap, last);
      }
    }),
    manyRuns,
  );
});
