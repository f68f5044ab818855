import { DAY_MS } from "../../limits.ts";
import type { RetentionVariables } from "../retention-days.ts";
import { readRetentionDays } from "./account-retention.ts";
import { LEVEL, oldestDay } from "./rows.ts";

/** From when on a detail of clicks is stored, Unix milliseconds. Null: it is stored of all clicks. */
export interface DetailFrom {
  /** Single clicks. Older ones are counted by quarter hours. */
  clicks: number | null;
  /** Quarter hours with values, such as countries. Of older clicks only the totals of each UTC day are left. */
  quarterHours: number | null;
}

/** Rolling up to a level takes one detail more. */
const DETAILS: readonly (keyof DetailFrom)[] = ["clicks", "quarterHours"];

const DETAIL_FROM = "detailFrom";
const ROLLED_UP_THROUGH = "rolledUpThroughDay";

const NOTHING_ROLLED_UP: DetailFrom = { clicks: null, quarterHours: null };

/** What is left of the clicks, by the early rollups and by the usual ones. */
export function readDetailFrom(
  { sql, kv }: Pick<DurableObjectStorage, "sql" | "kv">,
  env: RetentionVariables,
  now: number,
): DetailFrom {
  const oldest = oldestDay(sql);
  if (oldest === null) return NOTHING_ROLLED_UP;
  const early = readEarly(kv);
  const keptFrom = oldestKeptDay(kv, readRetentionDays(kv, env), now);
  const usual = oldest < keptFrom ? keptFrom * DAY_MS : null;
  const from = { ...early, clicks: later(early.clicks, usual) };
  // What was rolled up may be deleted by now.
  for (const detail of DETAILS) if ((from[detail] ?? 0) <= oldest * DAY_MS) from[detail] = null;
  return from;
}

/** The level to which all clicks of a UTC day are rolled up by now. */
export function levelOfDay(kv: SyncKvStorage, day: number, retentionDays: number, now: number): number {
  const { clicks, quarterHours } = readEarly(kv);
  const end = (day + 1) * DAY_MS;
  if (end <= (quarterHours ?? 0)) return LEVEL.dayTotals;
  return end <= (clicks ?? 0) || day < oldestKeptDay(kv, retentionDays, now) ? LEVEL.quarterHours : LEVEL.clicks;
}

/** Clicks before `from` were rolled up to the level early. */
export function moveDetailFrom(kv: SyncKvStorage, level: number, from: number): void {
  const before = readEarly(kv);
  const after = { ...before };
  for (const detail of DETAILS.slice(0, level)) after[detail] = later(before[detail], from);
  if (DETAILS.some((detail) => after[detail] !== before[detail])) kv.put(DETAIL_FROM, after);
}

/** The newest day of which clicks were rolled up because of their age, days since 1970; -1: there is none. All older days are rolled up. */
export function rolledUpThrough(kv: SyncKvStorage): number {
  return kv.get<number>(ROLLED_UP_THROUGH) ?? -1;
}

/** Clicks of the day are rolled up in this transaction because of their age. */
export function noteRollup(kv: SyncKvStorage, day: number): void {
  if (day > rolledUpThrough(kv)) kv.put(ROLLED_UP_THROUGH, day);
}

function readEarly(kv: SyncKvStorage): DetailFrom {
  return kv.get<DetailFrom>(DETAIL_FROM) ?? NOTHING_ROLLED_UP;
}

/** The oldest day of which single clicks are kept. The retention may have been shorter before. */
function oldestKeptDay(kv: SyncKvStorage, retentionDays: number, now: number): number {
  return Math.max(Math.floor(now / DAY_MS) - retentionDays, rolledUpThrough(kv) + 1);
}

function later(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}
