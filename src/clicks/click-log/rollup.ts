import { DAY_MS } from "../../duration.ts";
import { ProfileTables, RollupBuilder, type ProfileLists, type RollupBucket } from "./encoding.ts";
import { QUARTER_HOUR_MS, readPart, readSegments, rowsOfLink, type Row } from "./rows.ts";
import { VisitorTable } from "./visitor-table.ts";
import { MAX_ROLLUP_BUCKETS_IN_MEMORY, MAX_ROLLUP_PART_CHARS } from "../limits.ts";

/** Replaces the single clicks of a link's day by counts of each profile in each quarter hour. Runs in a transaction. */
export function rollUp(sql: SqlStorage, link: string, day: number): void {
  const { parts, ...counts } = sql
    .exec<Counts & { parts: number }>(
      `SELECT sum(clicks) AS clicks, max(last_click_at) AS last_click_at, max(changed_at) AS changed_at, count(*) AS parts
       FROM clicks WHERE day = ? AND link = ?`,
      day,
      link,
    )
    .one();
  const firstClicks = readFirstClicks(rowsOfLink(sql, link, day));
  const tables = new ProfileTables();
  let buckets = new Map<string, RollupBucket>();
  let written = 0;
  for (let part = 0; part < parts; part++) {
    addBuckets(buckets, readPart(sql, link, day, part), firstClicks, tables);
    const isLast = part === parts - 1;
    if (!isLast && buckets.size < MAX_ROLLUP_BUCKETS_IN_MEMORY) continue;
    const jsons = splitIntoParts(
      [...buckets.values()].sort(([a], [b]) => a - b),
      tables.toLists(),
    );
    // A part must not be overwritten before it is read.
    if (!isLast && written + jsons.length > part) continue;
    // The first row has the counts of all rows.
    for (const json of jsons) {
      const clicks = written === 0 ? counts.clicks : 0;
      replacePart(sql, { day, link, part: written, json, ...counts, clicks });
      written++;
    }
    buckets = new Map();
  }
  if (written < parts) sql.exec("DELETE FROM clicks WHERE day = ? AND link = ? AND part >= ?", day, link, written);
}

type Counts = Record<"clicks" | "last_click_at" | "changed_at", number>;

/** The visitors of a link's day with the time of their first click, in milliseconds since the day began. */
function readFirstClicks(rows: Iterable<Row>): VisitorTable {
  const firstClicks = new VisitorTable();
  for (const row of rows) {
    for (const [, , , , clicks] of readSegments(row)) {
      for (const [at, , , visitor] of clicks) {
        if (visitor !== 0) firstClicks.keepLowest(visitor, at);
      }
    }
  }
  return firstClicks;
}

function addBuckets(
  buckets: Map<string, RollupBucket>,
  row: Row,
  firstClicks: VisitorTable,
  tables: ProfileTables,
): void {
  for (const [, origins, targets, clients, clicks] of readSegments(row)) {
    const [originAt, targetAt, clientAt] = tables.addAll([origins, targets, clients]);
    for (const [at, , , visitor, ...indexes] of clicks) {
      const [origin = 0, target = 0, client = 0] = [originAt[indexes[0]], targetAt[indexes[1]], clientAt[indexes[2]]];
      const quarter = at - (at % QUARTER_HOUR_MS);
      const key = `${quarter}/${origin}/${target}/${client}`;
      const bucket = buckets.get(key) ?? [quarter, 0, 0, origin, target, client];
      bucket[1]++;
      if (visitor !== 0 && firstClicks.take(visitor, at)) bucket[2]++;
      buckets.set(key, bucket);
    }
  }
}

function splitIntoParts(buckets: readonly RollupBucket[], lists: ProfileLists): string[] {
  const parts: RollupBuilder[] = [];
  for (const bucket of buckets) {
    let last = parts.at(-1);
    if (last === undefined || last.chars >= MAX_ROLLUP_PART_CHARS) parts.push((last = new RollupBuilder()));
    last.add(bucket, lists);
  }
  return parts.map((part) => part.toJson());
}

function replacePart(sql: SqlStorage, row: Counts & { day: number; link: string; part: number; json: string }): void {
  sql.exec(
    `INSERT OR REPLACE INTO clicks
       (day, link, part, is_rollup, clicks, first_at, last_at, last_click_at, changed_at, segments)
     VALUES (?, ?, ?, 1, ?, ?, ?, ?, ?, ?)`,
    row.day,
    row.link,
    row.part,
    row.clicks,
    row.day * DAY_MS,
    (row.day + 1) * DAY_MS - 1,
    row.last_click_at,
    row.changed_at,
    row.json,
  );
}
