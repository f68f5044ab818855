import { DAY_MS } from "../../limits.ts";
import { LEVEL } from "./rows.ts";
import { MAX_CLICK_AGE_DAYS, ROWS_PER_SETTLEMENT, VISITORS_KEPT_DAYS } from "../limits.ts";

// Rolled up clicks of a day in which others may still arrive keep the ids of their batches, and their visitors. They are
// settled when these are deleted.

const UNSETTLED_FROM = "unsettledFromDay";

/** A link's day has clicks that are to be settled. */
export function markUnsettled(kv: SyncKvStorage, day: number): void {
  const before = kv.get<number>(UNSETTLED_FROM);
  if (before === undefined || day < before) kv.put(UNSETTLED_FROM, day);
}

export function keepsBatches(day: number, now: number): boolean {
  return day > Math.floor(now / DAY_MS) - MAX_CLICK_AGE_DAYS;
}

export function keepsVisitors(day: number, now: number): boolean {
  return day > Math.floor(now / DAY_MS) - VISITORS_KEPT_DAYS;
}

/** Settles what is due; calls run in between. Returns whether nothing is left that will be due. */
export async function settleOldDays(storage: Pick<DurableObjectStorage, "sql" | "kv">, now: number): Promise<boolean> {
  const { sql, kv } = storage;
  const from = kv.get<number>(UNSETTLED_FROM);
  if (from === undefined) return true;
  let last: RowKey | null = { day: from, link: "", part: -1 };
  while ((last = settleRows(sql, last, now)) !== null) await scheduler.wait(0);
  return moveUnsettledFrom(storage);
}

interface RowKey {
  day: number;
  link: string;
  part: number;
}

/** Settles the next rows that are due, after the row `last`. Returns the last of them; null: there are no others. */
function settleRows(sql: SqlStorage, last: RowKey, now: number): RowKey | null {
  const today = Math.floor(now / DAY_MS);
  // A day that is rolled up in part keeps its visitors until the rest is.
  const rows = sql
    .exec<{ day: number; link: string; part: number }>(
      `SELECT day, link, part FROM clicks AS row WHERE (day, link, part) > (?, ?, ?) AND day <= ? AND level > ${LEVEL.clicks}
         AND (visitors <> '' OR day <= ? AND batches <> '')
         AND NOT EXISTS (SELECT 1 FROM clicks WHERE day = row.day AND link = row.link AND level = ${LEVEL.clicks})
       ORDER BY day, link, part LIMIT ?`,
      last.day,
      last.link,
      last.part,
      today - VISITORS_KEPT_DAYS,
      today - MAX_CLICK_AGE_DAYS,
      ROWS_PER_SETTLEMENT,
    )
    .toArray();
  for (const { day, link, part } of rows)
    sql.exec(
      "UPDATE clicks SET visitors = '', batches = iif(day <= ?, '', batches) WHERE day = ? AND link = ? AND part = ?",
      today - MAX_CLICK_AGE_DAYS,
      day,
      link,
      part,
    );
  return rows.length < ROWS_PER_SETTLEMENT ? null : (rows.at(-1) ?? null);
}

/** The oldest day that is left will be the first to be settled. Returns whether there is none. */
function moveUnsettledFrom({ sql, kv }: Pick<DurableObjectStorage, "sql" | "kv">): boolean {
  const [oldest] = sql
    .exec<{ day: number }>(
      `SELECT day FROM clicks WHERE day >= ? AND level > ${LEVEL.clicks} AND (batches <> '' OR visitors <> '')
       ORDER BY day LIMIT 1`,
      kv.get<number>(UNSETTLED_FROM) ?? 0,
    )
    .toArray();
  if (oldest === undefined) kv.delete(UNSETTLED_FROM);
  else kv.put(UNSETTLED_FROM, oldest.day);
  return oldest === undefined;
}
