import { DAY_MS } from "../../duration.ts";
import type { RetentionVariables } from "../retention-days.ts";
import { readRetentionDays } from "./account-retention.ts";
import { rolledUpThrough } from "./rolled-up-days.ts";
import { oldestDay } from "./rows.ts";

/** From when on a detail of clicks is stored, Unix milliseconds. Null: it is stored of all clicks. */
export interface DetailFrom {
  /** Single clicks. Older ones are counted by quarter hours. */
  clicks: number | null;
  /** Quarter hours. Older clicks are counted by UTC days. */
  quarterHours: number | null;
  /** Values, such as countries. Of older clicks only the totals are left. */
  values: number | null;
  /** Days. Older clicks of a link are counted on the day on which it was created. */
  days: number | null;
}

type Detail = keyof DetailFrom;

/** Rolling up to a level takes one detail more. */
const DETAILS: readonly Detail[] = ["clicks", "quarterHours", "values", "days"];

const DETAIL_FROM = "detailFrom";

const NOTHING_ROLLED_UP: DetailFrom = { clicks: null, quarterHours: null, values: null, days: null };

/** What is left of the clicks, by the early rollups and by the usual ones. */
export function readDetailFrom(
  { sql, kv }: Pick<DurableObjectStorage, "sql" | "kv">,
  env: RetentionVariables,
  now: number,
): DetailFrom {
  const oldest = oldestDay(sql);
  if (oldest === null) return NOTHING_ROLLED_UP;
  const early = kv.get<DetailFrom>(DETAIL_FROM) ?? NOTHING_ROLLED_UP;
  // The retention may have been shorter before.
  const oldestKept = Math.max(Math.floor(now / DAY_MS) - readRetentionDays(kv, env), rolledUpThrough(kv) + 1);
  const usual = oldest < oldestKept ? oldestKept * DAY_MS : null;
  const from = { ...early, clicks: later(early.clicks, usual) };
  // What was rolled up may be deleted by now.
  for (const detail of DETAILS) if ((from[detail] ?? 0) <= oldest * DAY_MS) from[detail] = null;
  return from;
}

/** Clicks before `from` were rolled up to the level early. */
export function moveDetailFrom(kv: SyncKvStorage, level: number, from: number): void {
  const before = kv.get<DetailFrom>(DETAIL_FROM) ?? NOTHING_ROLLED_UP;
  const after = { ...before };
  for (const detail of DETAILS.slice(0, level)) after[detail] = later(before[detail], from);
  if (DETAILS.some((detail) => after[detail] !== before[detail])) kv.put(DETAIL_FROM, after);
}

function later(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}
