import { DAY_MS } from "../../limits.ts";
import { packBatchIds, type RollupBucket } from "./encoding.ts";
import { packVisitors, unpackVisitors } from "./packed-visitors.ts";
import { createCounts, type RollupCounts } from "./rollup-counts.ts";
import { batchIdsOf, LEVEL, readSegments, ROW_COLUMNS, type Row } from "./rows.ts";
import { keepsBatches, keepsVisitors, markUnsettled } from "./settlement.ts";
import { VisitorTable } from "./visitor-table.ts";
import { MAX_ROLLUP_PART_CHARS, MAX_ROLLUP_STEP_CHARS } from "../limits.ts";

/** A level of rollups. */
export type RollupLevel = Exclude<(typeof LEVEL)[keyof typeof LEVEL], typeof LEVEL.clicks>;

export interface LinkDay {
  day: number;
  link: string;
}

interface RollupStep {
  level: RollupLevel;
  /** Whether rows are deleted and inserted again, so that SQLite merges pages that become half empty. It counts a row more. */
  freesPages: boolean;
}

interface RollupResult {
  /** No rows of the link's day are left that this step could roll up. */
  isDone: boolean;
  /** The time of the last single click that was rolled up, Unix milliseconds; 0: there was none. Null: nothing changed. */
  lastAt: number | null;
}

type RolledRow = Row & Record<"clicks" | "last_click_at" | "changed_at", number>;

const COLUMNS = `${ROW_COLUMNS}, clicks, last_click_at, changed_at`;

/**
 * Rolls up clicks in steps: a step merges the first rows of a link's day, as many as {@link MAX_ROLLUP_STEP_CHARS} allow,
 * into the last row that was rolled up before and into new ones. Each step is a transaction.
 */
export class Rollup {
  readonly #sql: SqlStorage;
  readonly #kv: SyncKvStorage;
  /** The visitors of the link's day whose clicks are rolled up, kept from step to step. Their numbers are 0. */
  #known: (LinkDay & { visitors: VisitorTable }) | null = null;

  constructor({ sql, kv }: Pick<DurableObjectStorage, "sql" | "kv">) {
    this.#sql = sql;
    this.#kv = kv;
  }

  step({ day, link }: LinkDay, { level, freesPages }: RollupStep, now: number): RollupResult {
    const { rows, isDone } = this.#readRows({ day, link }, level);
    if (rows.length === 0) return { isDone, lastAt: null };
    const merged = mergeRows(rows, level, this.#visitorsOf({ day, link }));
    const hasVisitors = keepsVisitors(day, now) || !isDone;
    const kept = {
      batches: keepsBatches(day, now) ? packBatchIds(merged.batchIds) : "",
      visitors: hasVisitors ? packVisitors(merged.visitors) : "",
    };
    const parts: NewPart[] = merged.counts
      .toSegments(rows.length)
      .map((segments) => ({ segments, batches: "", visitors: "" }));
    Object.assign(parts.at(-1) ?? {}, kept);
    // First, so that the new rows take the place of the old ones, also if the storage is full.
    for (const { part } of freesPages ? rows : rows.slice(parts.length))
      this.#sql.exec("DELETE FROM clicks WHERE day = ? AND link = ? AND part = ?", day, link, part);
    this.#insert({ day, link }, level, rows, parts);
    if (kept.batches !== "" || kept.visitors !== "") markUnsettled(this.#kv, day);
    return { isDone, lastAt: Math.max(0, ...rows.map((row) => (row.level === LEVEL.clicks ? row.last_at : 0))) };
  }

  /** The next rows below the level, and the row before them that still has room. */
  #readRows({ day, link }: LinkDay, level: RollupLevel): { rows: RolledRow[]; isDone: boolean } {
    const rows: RolledRow[] = [];
    let chars = 0;
    for (const row of this.#sql.exec<RolledRow>(
      `SELECT ${COLUMNS} FROM clicks WHERE day = ? AND link = ? AND level < ? ORDER BY part`,
      day,
      link,
      level,
    )) {
      if (rows.length > 0 && chars + charsOf(row) > MAX_ROLLUP_STEP_CHARS) return this.#withOpenRow(rows, level, false);
      rows.push(row);
      chars += charsOf(row);
    }
    return this.#withOpenRow(rows, level, true);
  }

  #withOpenRow(rows: RolledRow[], level: RollupLevel, isDone: boolean): { rows: RolledRow[]; isDone: boolean } {
    const [first] = rows;
    if (first === undefined) return { rows, isDone };
    const [last] = this.#sql
      .exec<RolledRow>(
        `SELECT ${COLUMNS} FROM clicks WHERE day = ? AND link = ? AND level = ? AND part < ? ORDER BY part DESC LIMIT 1`,
        first.day,
        first.link,
        level,
        first.part,
      )
      .toArray();
    const isOpen = last !== undefined && charsOf(last) < MAX_ROLLUP_PART_CHARS;
    return { rows: isOpen ? [last, ...rows] : rows, isDone };
  }

  #visitorsOf({ day, link }: LinkDay): VisitorTable {
    if (this.#known?.day === day && this.#known.link === link) return this.#known.visitors;
    const visitors = new VisitorTable();
    const rows = this.#sql.exec<{ visitors: string }>(
      "SELECT visitors FROM clicks WHERE day = ? AND link = ? AND visitors <> ''",
      day,
      link,
    );
    for (const row of rows) for (const visitor of unpackVisitors(row.visitors)) visitors.keepLowest(visitor, 0);
    this.#known = { day, link, visitors };
    return visitors;
  }

  #insert({ day, link }: LinkDay, level: RollupLevel, rows: readonly RolledRow[], parts: readonly NewPart[]): void {
    const total = rows.reduce((sum, { clicks }) => sum + clicks, 0);
    for (const [index, part] of parts.entries()) {
      this.#sql.exec(
        `INSERT INTO clicks
           (day, link, part, level, clicks, first_at, last_at, last_click_at, changed_at, batches, visitors, segments)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (day, link, part) DO UPDATE SET level = excluded.level, clicks = excluded.clicks,
           first_at = excluded.first_at, last_at = excluded.last_at, last_click_at = excluded.last_click_at,
           changed_at = excluded.changed_at, batches = excluded.batches, visitors = excluded.visitors,
           segments = excluded.segments`,
        day,
        link,
        rows[index]?.part,
        level,
        // The first row has the counts of all of them.
        index === 0 ? total : 0,
        day * DAY_MS,
        (day + 1) * DAY_MS - 1,
        Math.max(...rows.map((row) => row.last_click_at)),
        Math.max(...rows.map((row) => row.changed_at)),
        part.batches,
        part.visitors,
        part.segments,
      );
    }
  }
}

/** What the rows have together. */
interface Merged {
  counts: RollupCounts;
  batchIds: string[];
  visitors: number[];
}

/** `known` has the visitors whose clicks are rolled up, and then those of these rows too. */
function mergeRows(rows: readonly Row[], level: RollupLevel, known: VisitorTable): Merged {
  const singles = rows.filter((row) => row.level === LEVEL.clicks).flatMap(readSegments);
  // The lowest number is that of the first click. 0 is that of a click that was rolled up before.
  for (const [, , , , clicks] of singles)
    for (const [at, , , visitor] of clicks) if (visitor !== 0) known.keepLowest(visitor, at + 1);
  const before = rows.flatMap((row) => unpackVisitors(row.visitors));
  const added: number[] = [];
  const counts = createCounts(level);
  for (const row of rows) if (row.level !== LEVEL.clicks) counts.addRollup(row);
  for (const [, origins, targets, clients, clicks] of singles) {
    const buckets = clicks.map(([at, , , visitor, origin, target, client]): RollupBucket => {
      const isFirst = visitor !== 0 && known.take(visitor, at + 1);
      if (isFirst) added.push(visitor);
      return [at, 1, isFirst ? 1 : 0, origin, target, client];
    });
    counts.add([origins, targets, clients], buckets);
  }
  for (const visitor of added) known.keepLowest(visitor, 0);
  return { counts, batchIds: rows.flatMap(batchIdsOf), visitors: [...before, ...added] };
}

type NewPart = Pick<Row, "batches" | "visitors" | "segments">;

function charsOf({ batches, visitors, segments }: NewPart): number {
  return batches.length + visitors.length + segments.length;
}
