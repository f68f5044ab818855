import * as fc from "fast-check";

// The rate limit by its definition, from the whole history and without any state of its own. Slow on
// purpose, and written with literal numbers: it shares nothing with what it is compared to.

const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

/** One call that was decided, or that the limiter lost its memory. */
export type Event = { at: number; kind: "accepted" | "refused" | "evicted" } | Penalty;
export interface Penalty {
  at: number;
  kind: "penalised";
  lengthMs: number;
}

/** What must be answered to a call at `now` after `history`. */
export function expectedDecision(history: readonly Event[], limit: number, now: number) {
  const inWindow = acceptedIn(history, now);
  if (isAdmitted(history, limit, now)) {
    const oldest = Math.min(now, ...inWindow.map(({ at }) => at));
    return {
      allowed: true,
      remaining: limit - inWindow.length - 1,
      waitMs: oldest + MINUTE - now,
      penalised: false,
    };
  }
  const penalised = bringsPenalty(history, now);
  const after = penalised ? [...history, penalty(history, now)] : history;
  return { allowed: false, remaining: 0, waitMs: firstAdmission(after, limit, now) - now, penalised };
}

/** `history` with the call at `now` that was answered so. */
export function withCall(history: readonly Event[], now: number, answer: { allowed: boolean; penalised: boolean }) {
  if (answer.penalised) return [...history, penalty(history, now)];
  return [...history, { at: now, kind: answer.allowed ? "accepted" : "refused" } satisfies Event];
}

/** The most calls accepted in any 60 seconds; calls exactly 60 seconds apart are not in the same. */
export function mostInAMinute(times: readonly number[]): number {
  return Math.max(0, ...times.map((start) => times.filter((time) => time >= start && time < start + MINUTE).length));
}

/** When everything in `history` has passed: the calls, the penalty, and the memory of how long it was. */
export function isForgotten(history: readonly Event[], now: number): boolean {
  return (
    acceptedIn(history, now).length === 0 && penalty(history, now).lengthMs === MINUTE && !isPunished(history, now)
  );
}

function acceptedIn(history: readonly Event[], now: number): Event[] {
  return history.filter(({ at, kind }) => kind === "accepted" && at > now - MINUTE);
}

function penaltiesOf(history: readonly Event[]): Penalty[] {
  return history.filter((event) => event.kind === "penalised");
}

function isPunished(history: readonly Event[], now: number): boolean {
  return penaltiesOf(history).some(({ at, lengthMs }) => now < at + lengthMs);
}

function isAdmitted(history: readonly Event[], limit: number, now: number): boolean {
  return !isPunished(history, now) && acceptedIn(history, now).length < limit;
}

/** The first moment from `now` on at which a call is let in, where none comes before. */
function firstAdmission(history: readonly Event[], limit: number, now: number): number {
  const moments = history.map((event) => event.at + (event.kind === "penalised" ? event.lengthMs : MINUTE));
  const later = moments.filter((moment) => moment > now).sort((a, b) => a - b);
  return later.find((moment) => isAdmitted(history, limit, moment)) ?? Number.NaN;
}

/** More than 10 calls later than a second after the first 429, none of which brought a penalty yet; one a minute. */
function bringsPenalty(history: readonly Event[], now: number): boolean {
  const streak = history.slice(history.findLastIndex(({ kind }) => kind === "accepted" || kind === "evicted") + 1);
  const firstRefusal = streak[0]?.at ?? now;
  const sincePenalty = streak.slice(streak.findLastIndex(({ kind }) => kind === "penalised") + 1);
  const ignored = [...sincePenalty.map(({ at }) => at), now].filter((at) => at > firstRefusal + SECOND);
  return ignored.length > 10 && !penaltiesOf(history).some(({ at }) => at > now - MINUTE);
}

/**
 * The penalty that a call at `now` brings: twice the last, of which a half is forgotten with each quiet
 * ten minutes, and all of it below a minute. From 1 minute to 1 hour.
 */
function penalty(history: readonly Event[], now: number): Penalty {
  const last = penaltiesOf(history).at(-1);
  let remembered = last?.lengthMs ?? 0;
  let quiet = last === undefined ? 0 : now - last.at - last.lengthMs;
  for (; quiet >= 10 * MINUTE; quiet -= 10 * MINUTE) remembered /= 2;
  return { at: now, kind: "penalised", lengthMs: remembered < MINUTE ? MINUTE : Math.min(2 * remembered, HOUR) };
}

/** The time to the next call: in milliseconds, or from the last answer: as long as it said, or a little less. */
export type Gap = number | "Retry-After" | "waitMs" | "waitMs - 1";

export const gap: fc.Arbitrary<Gap> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0) },
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 3_000 }) },
  { weight: 2, arbitrary: fc.constantFrom(999, 1_000, 1_001, 59_999, 60_000, 60_001, 599_999, 600_000, 600_001) },
  { weight: 1, arbitrary: fc.integer({ min: 3_000, max: 3 * HOUR }) },
  { weight: 2, arbitrary: fc.constantFrom<Gap>("Retry-After", "waitMs", "waitMs - 1") },
);

/** When calls arrive: some once, some in series of the same gap, which bursts and penalties need. */
export const arrivals: fc.Arbitrary<Gap[]> = fc
  .array(fc.tuple(gap, fc.oneof(fc.constant(1), fc.integer({ min: 2, max: 20 }))), { minLength: 1, maxLength: 15 })
  .map((series) => series.flatMap(([gap, calls]) => Array.from({ length: calls }, () => gap)));

/** As the header says it: whole seconds, at least one. */
export function retryAfterMs(answer: { waitMs: number }): number {
  return Math.max(1, Math.ceil(answer.waitMs / SECOND)) * SECOND;
}

export function gapMs(gap: Gap, lastAnswer: { waitMs: number } | null): number {
  if (typeof gap === "number") return gap;
  if (lastAnswer === null) return 0;
  if (gap === "Retry-After") return retryAfterMs(lastAnswer);
  return gap === "waitMs" ? lastAnswer.waitMs : lastAnswer.waitMs - 1;
}
