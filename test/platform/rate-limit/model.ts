import * as fc from "fast-check";

// A model of the rate limiter: it decides from the whole history and keeps no state. It is slow on purpose, and uses
// literal numbers, so that it shares nothing with the code that is compared with it.

const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

/** A call with its decision, or an eviction of the limiter from memory. */
export type Event = { at: number; kind: "accepted" | "refused" | "evicted" } | Penalty;
export interface Penalty {
  at: number;
  kind: "penalised";
  lengthMs: number;
}

/** The expected decision on a call at `now` after `history`. */
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

/** `history` with the call at `now` and its decision. */
export function withCall(history: readonly Event[], now: number, decision: { allowed: boolean; penalised: boolean }) {
  if (decision.penalised) return [...history, penalty(history, now)];
  return [...history, { at: now, kind: decision.allowed ? "accepted" : "refused" } satisfies Event];
}

/** The maximum number of calls in any 60 seconds. Calls exactly 60 seconds apart are not in the same window. */
export function mostInAMinute(times: readonly number[]): number {
  return Math.max(0, ...times.map((start) => times.filter((time) => time >= start && time < start + MINUTE).length));
}

/** Whether nothing in `history` matters any more: no call, no penalty, and no length of a former penalty. */
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

/** The earliest time from `now` on at which a call is accepted, if no other call comes before. */
function firstAdmission(history: readonly Event[], limit: number, now: number): number {
  const moments = history.map((event) => event.at + (event.kind === "penalised" ? event.lengthMs : MINUTE));
  const later = moments.filter((moment) => moment > now).sort((a, b) => a - b);
  return later.find((moment) => isAdmitted(history, limit, moment)) ?? Number.NaN;
}

/** More than 10 calls came over a second after the first 429 without a penalty, and the last penalty was a minute ago. */
function bringsPenalty(history: readonly Event[], now: number): boolean {
  const streak = history.slice(history.findLastIndex(({ kind }) => kind === "accepted" || kind === "evicted") + 1);
  const firstRefusal = streak[0]?.at ?? now;
  const sincePenalty = streak.slice(streak.findLastIndex(({ kind }) => kind === "penalised") + 1);
  const ignored = [...sincePenalty.map(({ at }) => at), now].filter((at) => at > firstRefusal + SECOND);
  return ignored.length > 10 && !penaltiesOf(history).some(({ at }) => at > now - MINUTE);
}

/**
 * The penalty of a call at `now`: twice the last one, which is halved every ten minutes and forgotten below a minute.
 * From 1 minute to 1 hour.
 */
function penalty(history: readonly Event[], now: number): Penalty {
  const last = penaltiesOf(history).at(-1);
  let decayed = last?.lengthMs ?? 0;
  let quiet = last === undefined ? 0 : now - last.at - last.lengthMs;
  for (; quiet >= 10 * MINUTE; quiet -= 10 * MINUTE) decayed /= 2;
  return { at: now, kind: "penalised", lengthMs: decayed < MINUTE ? MINUTE : Math.min(2 * decayed, HOUR) };
}

/** The time to the next call: in milliseconds, or relative to the wait in the last decision. */
export type Gap = number | "Retry-After" | "waitMs" | "waitMs - 1";

export const gap: fc.Arbitrary<Gap> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0) },
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 3_000 }) },
  { weight: 2, arbitrary: fc.constantFrom(999, 1_000, 1_001, 59_999, 60_000, 60_001, 599_999, 600_000, 600_001) },
  { weight: 1, arbitrary: fc.integer({ min: 3_000, max: 3 * HOUR }) },
  { weight: 2, arbitrary: fc.constantFrom<Gap>("Retry-After", "waitMs", "waitMs - 1") },
);

/** Gaps between calls. Some repeat, which makes bursts and penalties. */
export const arrivals: fc.Arbitrary<Gap[]> = fc
  .array(fc.tuple(gap, fc.oneof(fc.constant(1), fc.integer({ min: 2, max: 20 }))), { minLength: 1, maxLength: 15 })
  .map((series) => series.flatMap(([gap, calls]) => Array.from({ length: calls }, () => gap)));

/** The wait in the `Retry-After` header: whole seconds, at least one. */
export function retryAfterMs(decision: { waitMs: number }): number {
  return Math.max(1, Math.ceil(decision.waitMs / SECOND)) * SECOND;
}

export function gapMs(gap: Gap, lastDecision: { waitMs: number } | null): number {
  if (typeof gap === "number") return gap;
  if (lastDecision === null) return 0;
  if (gap === "Retry-After") return retryAfterMs(lastDecision);
  return gap === "waitMs" ? lastDecision.waitMs : lastDecision.waitMs - 1;
}
