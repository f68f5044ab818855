import { DAY_MS } from "../../duration.ts";
import { RollupBuilder } from "./encoding.ts";
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
  const texts = new KnownTexts();
  let buckets = new Map<string, Bucket>();
  let written = 0;
  for (let part = 0; part < parts; part++) {
    addBuckets(buckets, readPart(sql, link, day, part), firstClicks, texts);
    const isLast = part === parts - 1;
    if (!isLast && buckets.size < MAX_ROLLUP_BUCKETS_IN_MEMORY) continue;
    const jsons = splitIntoParts([...buckets.values()].sort((a, b) => a.at - b.at));
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

/** The parts of profiles, each once in memory and with a number to compare it by. */
class KnownTexts {
  readonly #texts = new Map<string, { text: string; number: number }>();

  known(texts: readonly string[]): { text: string; number: number }[] {
    return texts.map((text) => {
      const known = this.#texts.get(text) ?? { text, number: this.#texts.size };
      this.#texts.set(known.text, known);
      return known;
    });
  }
}

/** Clicks of one profile in a quarter hour. */
type Bucket = Parameters<RollupBuilder["add"]>[0];

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

function addBuckets(buckets: Map<string, Bucket>, row: Row, firstClicks: VisitorTable, texts: KnownTexts): void {
  for (const [, ...lists] of readSegments(row)) {
    const [origins, targets, clients] = [texts.known(lists[0]), texts.known(lists[1]), texts.known(lists[2])];
    for (const [at, , , visitor, originIndex, targetIndex, clientIndex] of lists[3]) {
      const [origin, target, client] = [origins[originIndex], targets[targetIndex], clients[clientIndex]];
      if (origin === undefined || target === undefined || client === undefined) continue;
      const quarter = at - (at % QUARTER_HOUR_MS);
      const key = `${quarter}/${origin.number}/${target.number}/${client.number}`;
      const parts = { origin: origin.text, target: target.text, client: client.text };
      const bucket = buckets.get(key) ?? { at: quarter, clicks: 0, unique: 0, ...parts };
      bucket.clicks++;
      if (visitor !== 0 && firstClicks.take(visitor, at)) bucket.unique++;
      buckets.set(key, bucket);
    }
  }
}

function splitIntoParts(buckets: readonly Bucket[]): string[] {
  const parts: RollupBuilder[] = [];
  for (const bucket of buckets) {
    let last = parts.at(-1);
    if (last === undefined || last.chars >= MAX_ROLLUP_PART_CHARS) parts.push((last = new RollupBuilder()));
    last.add(bucket);
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
