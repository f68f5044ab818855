import { DAY_MS } from "../../limits.ts";
import { isBot, joinProfile } from "../profile.ts";
import type { ExportCursor } from "./exports.ts";
import { LEVEL, readRollup, readTotals, ROW_COLUMNS, type Row } from "./rows.ts";
import { CSV_PAGE_RECORDS } from "../limits.ts";

/** What clicks were counted by, which are no longer stored one by one. */
const COUNTED_BY = ["quarterHour", "dayTotal"] as const;

/** Clicks that are counted together: those of one profile, or all. */
export interface StoredCount {
  linkId: string;
  countedBy: (typeof COUNTED_BY)[number];
  /** The beginning of the quarter hour or of the UTC day, Unix milliseconds. */
  startsAt: number;
  clicks: number;
  /** Those of them that were the visitor's first click of the day on the link. */
  unique: number;
  /** Null in totals. */
  profile: string | null;
  /** Of crawlers. */
  bot: boolean;
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
  const query = `SELECT ${ROW_COLUMNS} FROM clicks WHERE level > ${LEVEL.clicks} AND (day, link, part) > (?, ?, ?) ORDER BY day, link, part`;
  for (const row of sql.exec<Row>(query, day, link, part)) {
    for (const count of countsOf(row)) counts.push(count);
    if (counts.length >= CSV_PAGE_RECORDS) return { counts, next: { day: row.day, link: row.link, part: row.part } };
  }
  return { counts, next: null };
}

function countsOf(row: Row): StoredCount[] {
  const dayStart = row.day * DAY_MS;
  const common = { linkId: row.link, countedBy: COUNTED_BY[row.level - 1] ?? "dayTotal" };
  if (row.level === LEVEL.dayTotals)
    return readTotals(row).flatMap(([clicks, unique, bots]) =>
      [
        { ...common, startsAt: dayStart, clicks, unique, profile: null, bot: false },
        { ...common, startsAt: dayStart, clicks: bots, unique: 0, profile: null, bot: true },
      ].filter((count) => count.clicks > 0),
    );
  return readRollup(row).flatMap(([origins, targets, clients, buckets]) =>
    buckets.map(([at, clicks, unique, origin, target, client]) => ({
      ...common,
      startsAt: dayStart + at,
      clicks,
      unique,
      profile: joinProfile(origins[origin] ?? "", targets[target] ?? "", clients[client] ?? ""),
      bot: isBot(clients[client] ?? ""),
    })),
  );
}
