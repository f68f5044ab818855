import { DAY_MS } from "../../duration.ts";
import { joinProfile } from "../profile.ts";
import type { StoredClick } from "../click-record.ts";
import type { ExportCursor } from "./exports.ts";
import { readRollup, ROW_COLUMNS, type Row } from "./rows.ts";
import { CSV_PAGE_RECORDS } from "../limits.ts";

/** Clicks of one profile in a quarter hour, which are no longer stored one by one. */
export interface StoredCount extends Pick<StoredClick, "linkId" | "profile"> {
  /** The beginning of the quarter hour, Unix milliseconds. */
  startsAt: number;
  clicks: number;
  /** Those of them that were the visitor's first click of the day on the link. */
  unique: number;
}

export interface RollupPage {
  counts: StoredCount[];
  /** Null after the last page. */
  next: ExportCursor | null;
}

/** The rolled up clicks after a row, the oldest day first: those of rows until there are {@link CSV_PAGE_RECORDS}. */
export function readRollupPage(sql: SqlStorage, after: ExportCursor | null): RollupPage {
  const counts: StoredCount[] = [];
  const { day, link, part } = after ?? { day: -1, link: "", part: 0 };
  const query = `SELECT ${ROW_COLUMNS} FROM clicks WHERE is_rollup = 1 AND (day, link, part) > (?, ?, ?) ORDER BY day, link, part`;
  for (const row of sql.exec<Row>(query, day, link, part)) {
    for (const count of countsOf(row)) counts.push(count);
    if (counts.length >= CSV_PAGE_RECORDS) return { counts, next: { day: row.day, link: row.link, part: row.part } };
  }
  return { counts, next: null };
}

function countsOf(row: Row): StoredCount[] {
  return readRollup(row).flatMap(([origins, targets, clients, buckets]) =>
    buckets.map(([at, clicks, unique, origin, target, client]) => ({
      linkId: row.link,
      startsAt: row.day * DAY_MS + at,
      clicks,
      unique,
      profile: joinProfile(origins[origin] ?? "", targets[target] ?? "", clients[client] ?? ""),
    })),
  );
}
