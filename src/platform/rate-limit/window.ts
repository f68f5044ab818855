import { RATE_LIMIT_WINDOW_MS } from "../../limits.ts";
import {
  PENALTY_DECAY_MS,
  PENALTY_FIRST_MS,
  PENALTY_FORGIVEN_CALLS,
  PENALTY_GRACE_MS,
  PENALTY_LONGEST_MS,
} from "./limits.ts";

// The arithmetic of the rate limiter. No I/O and no clock, so that tests can compare it with a model.

/** The calls of one client for one operation. Times are Unix milliseconds. */
export interface SlidingWindow {
  /** The times of the accepted calls of the last {@link RATE_LIMIT_WINDOW_MS}, oldest first. */
  accepted: number[];
  /** The end of the present or last penalty; 0 without one. */
  penaltyEnd: number;
  /** The length of that penalty; 0 without one. */
  penaltyMs: number;
  /** The time of the first 429 since the last accepted call, or null. Kept in memory only. */
  rejectedSince: number | null;
  /** Calls that ignored `Retry-After` since that 429 or since the last penalty. Kept in memory only. */
  ignoredCalls: number;
}

export interface Decision {
  allowed: boolean;
  /** Calls left in the window. */
  remaining: number;
  /** For an accepted call, the time until the oldest call leaves the window. For a refused one, until a call is accepted. */
  waitMs: number;
  /** Whether the call brought a penalty, which must be stored. */
  penalised: boolean;
}

export interface CallOptions {
  /** Whether calls that ignore `Retry-After` bring a penalty. Default: true. */
  penalties?: boolean;
  /** Whether the call counts if it is accepted. Default: true. */
  counts?: boolean;
  /** How many calls it counts as, from 1 to the limit. Default: 1. */
  weight?: number;
  /** An accepted call is recorded at the last multiple of this. Calls with the same time need little storage. Default: 1. */
  resolutionMs?: number;
}

export function createWindow(): SlidingWindow {
  return { accepted: [], penaltyEnd: 0, penaltyMs: 0, rejectedSince: null, ignoredCalls: 0 };
}

/** Decides on a call at `now` and records it. Never more than `limit` calls, by weight, are accepted in any {@link RATE_LIMIT_WINDOW_MS}, less the resolution. */
export function recordCall(
  window: SlidingWindow,
  limit: number,
  now: number,
  { penalties = true, counts = true, weight = 1, resolutionMs = 1 }: CallOptions = {},
): Decision {
  removeExpired(window, now);
  const { accepted } = window;
  const inPenalty = now < window.penaltyEnd;
  if (!inPenalty && accepted.length + weight <= limit) {
    if (counts) for (let n = 0; n < weight; n++) accepted.push(now - (now % resolutionMs));
    window.rejectedSince = null;
    window.ignoredCalls = 0;
    const oldest = accepted[0] ?? now;
    return {
      allowed: true,
      remaining: limit - accepted.length,
      waitMs: oldest + RATE_LIMIT_WINDOW_MS - now,
      penalised: false,
    };
  }
  const penalised = penalties && penalise(window, now);
  const leaving = accepted[accepted.length + weight - limit - 1];
  const free = leaving === undefined ? now : leaving + RATE_LIMIT_WINDOW_MS;
  const remaining = inPenalty || penalised ? 0 : Math.max(0, limit - accepted.length);
  return { allowed: false, remaining, waitMs: Math.max(free, window.penaltyEnd) - now, penalised };
}

/** The time from which the window is like a new one. */
export function expiryOf(window: SlidingWindow): number {
  const newest = window.accepted.at(-1) ?? 0;
  const halvings = window.penaltyMs === 0 ? 0 : Math.floor(Math.log2(window.penaltyMs / PENALTY_FIRST_MS)) + 1;
  return Math.max(newest + RATE_LIMIT_WINDOW_MS, window.penaltyEnd + halvings * PENALTY_DECAY_MS);
}

/** Each time of an ascending list once, followed by the number of its repetitions. */
export function packTimes(times: readonly number[]): number[] {
  const packed: number[] = [];
  for (const time of times) {
    if (packed.at(-2) === time) packed[packed.length - 1] = (packed.at(-1) as number) + 1;
    else packed.push(time, 1);
  }
  return packed;
}

/** The inverse of {@link packTimes}. */
export function unpackTimes(packed: readonly number[]): number[] {
  const times: number[] = [];
  for (let index = 0; index < packed.length; index += 2) {
    const [time = 0, count = 0] = packed.slice(index, index + 2);
    for (let n = 0; n < count; n++) times.push(time);
  }
  return times;
}

function removeExpired(window: SlidingWindow, now: number): void {
  const firstKept = window.accepted.findIndex((time) => time > now - RATE_LIMIT_WINDOW_MS);
  window.accepted.splice(0, firstKept === -1 ? window.accepted.length : firstKept);
}

/** Counts a refused call and returns whether it brings a penalty. A window's length has at most one, so a burst costs one. */
function penalise(window: SlidingWindow, now: number): boolean {
  window.rejectedSince ??= now;
  if (now - window.rejectedSince <= PENALTY_GRACE_MS) return false;
  window.ignoredCalls++;
  const lastPenalty = window.penaltyEnd - window.penaltyMs;
  if (window.ignoredCalls <= PENALTY_FORGIVEN_CALLS || now - lastPenalty < RATE_LIMIT_WINDOW_MS) return false;
  window.penaltyMs = nextPenaltyMs(window, now);
  window.penaltyEnd = now + window.penaltyMs;
  window.ignoredCalls = 0;
  return true;
}

/** Twice the last penalty, which is halved for each {@link PENALTY_DECAY_MS} since its end. */
function nextPenaltyMs(window: SlidingWindow, now: number): number {
  const quietMs = Math.max(0, now - window.penaltyEnd);
  const decayedMs = window.penaltyMs / 2 ** Math.floor(quietMs / PENALTY_DECAY_MS);
  return decayedMs < PENALTY_FIRST_MS ? PENALTY_FIRST_MS : Math.min(decayedMs * 2, PENALTY_LONGEST_MS);
}
