/**
 * The verdict on a link: whether visitors may follow it. It is one integer in the link's row, so a redirect reads nothing
 * more, and 0 means that the link redirects as any other (docs/adr/0044-verdicts-in-the-row-of-a-link.md). Pure.
 */

import { ADVISORY_TTL_MS } from "./limits.ts";

export const VERDICT_STATES = ["allowed", "pending", "warned", "blocked"] as const;
/** `pending`: nobody has judged the destination yet, so visitors see it first. */
type VerdictState = (typeof VERDICT_STATES)[number];

/** Their positions are stored: add new ones at the end. At most 15. */
export const VERDICT_REASONS = [
  "phishing",
  "malware",
  "spam",
  "child_abuse",
  "illegal",
  "legal_order",
  "shortener",
  "lookalike",
  "policy",
] as const;
export type VerdictReason = (typeof VERDICT_REASONS)[number];

/** Those of which an operator chooses one for a takedown. */
export const TAKEDOWN_REASONS = [
  "phishing",
  "malware",
  "spam",
  "child_abuse",
  "illegal",
  "policy",
] as const satisfies readonly VerdictReason[];

export interface Verdict {
  state: VerdictState;
  /** Null if there is none, as for a link that is allowed. */
  reason: VerdictReason | null;
  /**
   * When the state began, Unix milliseconds; null: with the link. Of an advisory: when Web Risk confirmed it last, or earlier if it
   * holds for a shorter time.
   */
  since: number | null;
}

// From the lowest bit: 4 of the reason, 1 for advisories, 2 of the state, 1 for links without trust, and above them the time.
const REASONS = 2 ** 4;
const ADVISORY = REASONS;
const BELOW_STATE_BITS = 5;
const STATE_BITS = 2;
const BELOW_STATE = 2 ** BELOW_STATE_BITS;
const STATES = 2 ** STATE_BITS;
const UNTRUSTED = BELOW_STATE * STATES;
const TIME = UNTRUSTED * 2;

/**
 * `isUntrusted`: the link redirects with 302 only, and hands on only campaign parameters. `isAdvisory`: the verdict is a
 * warning of Web Risk, whose terms ask to be named in it, and holds for {@link ADVISORY_TTL_MS} from `since`.
 */
export function packVerdict({ state, reason, since }: Verdict, isUntrusted: boolean, isAdvisory = false): number {
  const reasonNumber = reason === null ? 0 : VERDICT_REASONS.indexOf(reason) + 1;
  const low = VERDICT_STATES.indexOf(state) * BELOW_STATE + (isAdvisory ? ADVISORY : 0) + reasonNumber;
  return (since ?? 0) * TIME + (isUntrusted ? UNTRUSTED : 0) + low;
}

/** The packed verdict of a new link that nobody who is trusted answers for: visitors see its destination first. */
export const UNTRUSTED_VERDICT = packVerdict({ state: "pending", reason: null, since: null }, true);

/** That of one that screening lets through at once. */
export const SCREENED_VERDICT = packVerdict({ state: "allowed", reason: null, since: null }, true);

/** That of a link of a burst: screening that finds nothing wrong does not end it. */
export const BURST_VERDICT = packVerdict({ state: "pending", reason: "policy", since: null }, true);

export function unpackVerdict(packed: number): Verdict {
  const low = packed % UNTRUSTED;
  return {
    state: VERDICT_STATES[Math.floor(low / BELOW_STATE)] ?? "blocked",
    reason: VERDICT_REASONS[(low % REASONS) - 1] ?? null,
    since: Math.floor(packed / TIME) || null,
  };
}

/** Whether the verdict is a warning of Web Risk. */
export function isAdvisory(packed: number): boolean {
  return packed % BELOW_STATE >= ADVISORY;
}

/** Whether it is a warning of Web Risk that is too old to be held against the destination. */
export function isOutdated(packed: number, now: number): boolean {
  return isAdvisory(packed) && now >= Math.floor(packed / TIME) + ADVISORY_TTL_MS;
}

/** The verdict that visitors meet now: a warning that is too old does not count. */
export function verdictAt(packed: number, now: number): Verdict {
  if (!isOutdated(packed, now)) return unpackVerdict(packed);
  return { state: isUntrusted(packed) ? "pending" : "allowed", reason: null, since: null };
}

export function isUntrusted(packed: number): boolean {
  return packed % TIME >= UNTRUSTED;
}

/** Whether two packed verdicts have the same state and reason, and both or none is an advisory. */
export function isSameJudgement(a: number, b: number): boolean {
  return a % UNTRUSTED === b % UNTRUSTED;
}

/** The packed verdict of a link whose account is trusted now: a warning or a block stays. */
export function whenTrusted(packed: number): number {
  if (unpackVerdict(packed).state === "pending") return 0;
  return isUntrusted(packed) ? packed - UNTRUSTED : packed;
}

/** The packed verdict of a link that an account without trust takes over: a warning or a block stays. */
export function whenUntrusted(packed: number): number {
  return unpackVerdict(packed).state === "allowed" ? UNTRUSTED_VERDICT : packed;
}

// The same in SQL. The argument is SQL for the packed verdict.

/** The position of the state in {@link VERDICT_STATES}. */
export function stateSql(packed: string): string {
  return `(${packed} >> ${BELOW_STATE_BITS} & ${STATES - 1})`;
}

/** The packed verdict with the time of another one. */
export function withTimeOf(other: string, packed: string): string {
  return `((${other} & ~${TIME - 1}) | (${packed} & ${TIME - 1}))`;
}

/** {@link isSameJudgement} of two packed verdicts. */
export function isSameJudgementSql(a: string, b: string): string {
  return `((${a} & ${UNTRUSTED - 1}) = (${b} & ${UNTRUSTED - 1}))`;
}

/** SQL that holds if a packed verdict is that of a link without trust. */
export function isUntrustedSql(packed: string): string {
  return `(${packed} & ${UNTRUSTED} <> 0)`;
}
