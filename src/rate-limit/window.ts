import {
  PENALTY_DECAY_MS,
  PENALTY_FIRST_MS,
  PENALTY_FORGIVEN_CALLS,
  PENALTY_GRACE_MS,
  PENALTY_LONGEST_MS,
  RATE_LIMIT_WINDOW_MS,
} from "../limits.ts";

// No I/O and no clock: the limiter's arithmetic (8.1), so that it can be held against a model.

/** What is remembered of one operation of one client. Times are Unix milliseconds. */
export interface Window {
  /** The accepted calls of the last window, oldest first. */
  accepted: number[];
  /** The end of the present or last penalty; 0 without one. */
  penaltyEnd: number;
  /** Its length; 0 without one. */
  penaltyMs: number;
  /** The first 429 since a call was last accepted; null without one. Not kept through an eviction. */
  rejectedSince: number | null;
  /** Calls in spite of `Retry-After` since then, or since the last penalty. Not kept either. */
  ignoredCalls: number;
}

export interface Decision {
  allowed: boolean;
  /** Calls left in the window. */
  remaining: number;
  /** Until the next place is free; where the call was refused, until one will be accepted. */
  waitMs: number;
  /** Whether the call brought a penalty, which must be kept. */
  penalised: boolean;
}

export function emptyWindow(): Window {
  return { accepted: [], penaltyEnd: 0, penaltyMs: 0, rejectedSince: null, ignoredCalls: 0 };
}

/** Decides on a call at `now` and takes it into `window`. Never more than `limit` calls in any window's length. */
export function takeCall(window: Window, limit: number, now: number, penalties = true): Decision {
  dropOld(window, now);
  const { accepted } = window;
  if (now >= window.penaltyEnd && accepted.length < limit) {
    accepted.push(now);
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
  const penalised = penalties && countIgnored(window, now);
  const leaving = accepted[accepted.length - limit];
  const free = leaving === undefined ? now : leaving + RATE_LIMIT_WINDOW_MS;
  return { allowed: false, remaining: 0, waitMs: Math.max(free, window.penaltyEnd) - now, penalised };
}

/** When nothing of `window` will matter any more. */
export function spentAt(window: Window): number {
  const newest = window.accepted.at(-1) ?? 0;
  const halvings = window.penaltyMs === 0 ? 0 : Math.floor(Math.log2(window.penaltyMs / PENALTY_FIRST_MS)) + 1;
  return Math.max(newest + RATE_LIMIT_WINDOW_MS, window.penaltyEnd + halvings * PENALTY_DECAY_MS);
}

function dropOld(window: Window, now: number): void {
  const firstKept = window.accepted.findIndex((time) => time > now - RATE_LIMIT_WINDOW_MS);
  window.accepted.splice(0, firstKept === -1 ? window.accepted.length : firstKept);
}

/** Takes in a refused call; true where it brings a penalty. At most one in a window's length, so that a burst costs one. */
function countIgnored(window: Window, now: number): boolean {
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

/** Twice the last penalty, which halves with each quiet {@link PENALTY_DECAY_MS} after its end. */
function nextPenaltyMs(window: Window, now: number): number {
  const quietMs = Math.max(0, now - window.penaltyEnd);
  const remembered = window.penaltyMs / 2 ** Math.floor(quietMs / PENALTY_DECAY_MS);
  return remembered < PENALTY_FIRST_MS ? PENALTY_FIRST_MS : Math.min(remembered * 2, PENALTY_LONGEST_MS);
}
