import * as fc from "fast-check";
import { expect, it } from "vitest";
import { emptyWindow, spentAt, takeCall, type Decision, type Window } from "../../src/rate-limit/window.ts";
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

interface Answered {
  now: number;
  decision: Decision;
}

/** Makes the calls and answers what came of them; `each` runs right after each. */
function play(window: Window, limit: number, gaps: readonly Gap[], each?: (call: Answered) => void): Answered[] {
  const calls: Answered[] = [];
  let now = START;
  for (const gap of gaps) {
    now += gapMs(gap, calls.at(-1)?.decision ?? null);
    const call = { now, decision: takeCall(window, limit, now) };
    calls.push(call);
    each?.(call);
  }
  return calls;
}

/** Calls with a limit of 1, from `now` on every `everyMs` and never waiting, until `penalties` have come: when, and how long. */
function insist(window: Window, now: number, penalties: number, everyMs = 500): { at: number; lengthMs: number }[] {
  const found: { at: number; lengthMs: number }[] = [];
  for (let at = now; found.length < penalties && at < now + HOUR; at += everyMs) {
    const decision = takeCall(window, 1, at);
    if (decision.penalised) found.push({ at, lengthMs: decision.waitMs });
  }
  return found;
}

it("decides every call as the definition does", () => {
  fc.assert(
    fc.property(limits, arrivals, (limit, gaps) => {
      const window = emptyWindow();
      let history: Event[] = [];
      play(window, limit, gaps, ({ now, decision }) => {
        expect(decision).toEqual(expectedDecision(history, limit, now));
        history = withCall(history, now, decision);
      });
    }),
    manyRuns,
  );
});

it("accepts no more than the limit in any 60 seconds", () => {
  fc.assert(
    fc.property(limits, arrivals, (limit, gaps) => {
      const accepted = play(emptyWindow(), limit, gaps).filter(({ decision }) => decision.allowed);
      expect(mostInAMinute(accepted.map(({ now }) => now))).toBeLessThanOrEqual(limit);
    }),
    manyRuns,
  );
});

it("accepts the whole limit at once, and the whole limit again 60 seconds later to the millisecond", () => {
  fc.assert(
    fc.property(limits, (limit) => {
      const window = emptyWindow();
      const calls = Array.from({ length: limit + 1 }, () => null);
      const acceptedAt = (now: number) => calls.filter(() => takeCall(window, limit, now).allowed).length;
      expect(acceptedAt(START)).toBe(limit);
      expect(takeCall(window, limit, START + MINUTE - 1).allowed).toBe(false);
      expect(acceptedAt(START + MINUTE)).toBe(limit);
    }),
  );
});

it("holds a limit that was lowered or raised between calls", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(limits, arrivals), { minLength: 2, maxLength: 4 }), (phases) => {
      const window = emptyWindow();
      let history: Event[] = [];
      let now = START;
      for (const [limit, gaps] of phases) {
        for (const gap of gaps.slice(0, 50)) {
          now += typeof gap === "number" ? gap : 1;
          const decision = takeCall(window, limit, now);
          expect(decision).toEqual(expectedDecision(history, limit, now));
          history = withCall(history, now, decision);
        }
      }
    }),
  );
});

it("lets a client in that waits exactly as long as Retry-After says, and keeps it out a millisecond before its time", () => {
  fc.assert(
    fc.property(limits, arrivals, (limit, gaps) => {
      const window = emptyWindow();
      play(window, limit, gaps, ({ now, decision }) => {
        expect(Number.isInteger(decision.waitMs) && decision.waitMs > 0).toBe(true);
        if (decision.remaining > 0) return;
        const wait = retryAfterMs(decision);
        expect(takeCall(structuredClone(window), limit, now + wait).allowed).toBe(true);
        expect(takeCall(structuredClone(window), limit, now + decision.waitMs).allowed).toBe(true);
        expect(takeCall(structuredClone(window), limit, now + decision.waitMs - 1).allowed).toBe(false);
      });
    }),
    manyRuns,
  );
});

it("never punishes a client that waits as long as Retry-After says, with calls still on their way within a second", () => {
  const onTheirWay = fc.array(fc.integer({ min: 0, max: 1_000 }), { maxLength: 30 });
  const gaps = fc.oneof(fc.integer({ min: 0, max: 1_000 }), fc.integer({ min: 0, max: HOUR }));
  fc.assert(
    fc.property(limits, fc.array(fc.tuple(gaps, onTheirWay), { minLength: 5, maxLength: 80 }), (limit, rounds) => {
      const window = emptyWindow();
      let now = START;
      for (const [gap, delays] of rounds) {
        now += gap;
        const first = takeCall(window, limit, now);
        if (first.allowed) continue;
        for (const delay of delays.sort((a, b) => a - b)) {
          if (delay < first.waitMs)
            expect(takeCall(window, limit, now + delay)).toMatchObject({ allowed: false, penalised: false });
        }
        now += retryAfterMs(first);
        expect(takeCall(window, limit, now).allowed).toBe(true);
      }
    }),
  );
});

it("forgives calls within a second of the first 429 and ten after it, and punishes the next", () => {
  const within = fc.array(fc.integer({ min: 0, max: 1_000 }), { maxLength: 50 });
  const beyond = fc.array(fc.integer({ min: 1_001, max: 50_000 }), { minLength: 11, maxLength: 11 });
  fc.assert(
    fc.property(within, beyond, (within, beyond) => {
      const window = emptyWindow();
      takeCall(window, 1, START);
      const decisions = [0, ...within, ...beyond]
        .sort((a, b) => a - b)
        .map((delay) => takeCall(window, 1, START + 1 + delay));
      const last = decisions.pop();
      expect(decisions.filter(({ penalised }) => penalised)).toEqual([]);
      expect(last).toMatchObject({ allowed: false, penalised: true, waitMs: MINUTE });
    }),
  );
});

it("doubles the penalty of a client that never waits, from a minute to an hour, at most once in 60 seconds", () => {
  fc.assert(
    fc.property(fc.oneof(fc.constantFrom(1_000, 4_000), fc.integer({ min: 100, max: 4_999 })), (everyMs) => {
      const penalties = insist(emptyWindow(), START, 9, everyMs);
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

it("raises a penalty at most once in 60 seconds, whatever arrives", () => {
  fc.assert(
    fc.property(limits, arrivals, (limit, gaps) => {
      const raises = play(emptyWindow(), limit, gaps).filter(({ decision }) => decision.penalised);
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
  "after %i penalties in a row remembers half with each quiet 10 minutes, and nothing below a minute",
  (served, expectedMinutes) => {
    for (const [tens, expected] of expectedMinutes.entries()) {
      const window = emptyWindow();
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

it("is spent exactly when the definition has forgotten everything, and from then on like new", () => {
  fc.assert(
    fc.property(limits, arrivals, fc.integer({ min: 0, max: HOUR }), arrivals, (limit, before, idle, after) => {
      const old = emptyWindow();
      let history: Event[] = [];
      play(old, limit, before, ({ now, decision }) => {
        history = withCall(history, now, decision);
      });
      const spent = spentAt(old);
      expect(isForgotten(history, spent - 1)).toBe(false);
      expect(isForgotten(history, spent)).toBe(true);
      const fresh = emptyWindow();
      let last: Decision | null = null;
      let now = spent + idle;
      for (const gap of after) {
        last = takeCall(old, limit, now);
        expect(takeCall(fresh, limit, now)).toEqual(last);
        now += gapMs(gap, last);
      }
    }),
    manyRuns,
  );
});
