import { DAY_MS, MAX_EXPORT_CLICKS } from "../../limits.ts";
import type { StoredClick } from "../click-record.ts";
import type { RetentionVariables } from "../retention-days.ts";
import { readRetentionDays } from "./account-retention.ts";
import { daysBetween } from "./queries.ts";
import { readRecords, type RecordQuery } from "./records.ts";
import type { Row } from "./rows.ts";
import { SelectedRows } from "./selected-rows.ts";
import { CSV_PAGE_RECORDS, EXPORT_TURN_MS, MAX_CLICK_RETENTION_DAYS } from "../limits.ts";

/** The clicks of a file. Times are Unix milliseconds. */
export interface ExportQuery extends Pick<RecordQuery, "links" | "start" | "end" | "filters" | "bots"> {
  /** Also clicks that are no longer to be kept, while they are not rolled up yet: the counts lack them. */
  withExpired?: true;
}

/** The row that was read last. */
export type ExportCursor = Pick<Row, "day" | "link" | "part">;

/** The export has begun if `waitMs` is 0 and `isTooLarge` false. */
export interface ExportStart {
  /** Until the turn of another export ends. */
  waitMs: number;
  /** The period has more than {@link MAX_EXPORT_CLICKS}. */
  isTooLarge: boolean;
}

export interface ExportPage {
  /** Until the turn of another export ends; the page is then empty. 0: this is the page. */
  waitMs: number;
  clicks: StoredClick[];
  /** Null after the last page. */
  next: ExportCursor | null;
}

/**
 * The exports of a ClickLog, one at a time. An export has its turn for {@link EXPORT_TURN_MS}, or until it ends. Another one
 * may then begin, and the first one waits until that one has ended or had its turn. So an export that was aborted, or whose
 * client reads slowly, blocks others for one turn. A restart of the ClickLog ends the turn.
 */
export class Exports {
  readonly #sql: SqlStorage;
  readonly #retentionDays: () => number;
  #turn: { id: string; endsAt: number } | null = null;

  constructor({ sql, kv }: DurableObjectStorage, env: RetentionVariables) {
    this.#sql = sql;
    this.#retentionDays = () => readRetentionDays(kv, env);
  }

  /** Begins an export if no other one has its turn, and if the period does not have too many clicks. */
  async begin(id: string, query: ExportQuery, now: number): Promise<ExportStart> {
    const waitMs = this.#takeTurn(id, now);
    if (waitMs > 0) return { waitMs, isTooLarge: false };
    const isTooLarge = (await this.count(query, now, MAX_EXPORT_CLICKS)) > MAX_EXPORT_CLICKS;
    if (isTooLarge) this.end(id);
    return { waitMs, isTooLarge };
  }

  /** The next page, or how long the export has to wait for its turn. */
  read(id: string, query: ExportQuery, after: ExportCursor | null, now: number): ExportPage {
    const waitMs = this.#takeTurn(id, now);
    return waitMs > 0
      ? { waitMs, clicks: [], next: after }
      : readPage(this.#sql, query, after, this.#retentionDays(), now);
  }

  end(id: string): void {
    if (this.#turn?.id === id) this.#turn = null;
  }

  /** Returns 0 if the export has its turn now, and otherwise the milliseconds until that of another export ends. */
  #takeTurn(id: string, now: number): number {
    const turn = this.#turn;
    if (turn?.id === id) return 0;
    if (turn !== null && turn.endsAt > now) return turn.endsAt - now;
    this.#turn = { id, endsAt: now + EXPORT_TURN_MS };
    return 0;
  }

  /** The clicks of the period's days without crawlers, whether they match the filters or not. Stops above the maximum. */
  async count(query: ExportQuery, now: number, max = Infinity): Promise<number> {
    let clicks = 0;
    const rows = new SelectedRows(this.#sql, query.links);
    const { oldest, last } = exportedDays(this.#sql, query, this.#retentionDays(), now);
    for (let day = last; day >= oldest && clicks <= max; day--) {
      clicks += rows.countClicks(day);
      // Lets calls that store clicks run in between.
      await scheduler.wait(0);
    }
    return clicks;
  }
}

/**
 * The next rows with up to {@link CSV_PAGE_RECORDS} clicks, or one row with more. The newest day is first. Within a day the
 * rows have the order of their key, so each is read once; the order of the clicks would need all rows of the day for each
 * page.
 */
function readPage(
  sql: SqlStorage,
  query: ExportQuery,
  after: ExportCursor | null,
  retentionDays: number,
  now: number,
): ExportPage {
  const clicks: StoredClick[] = [];
  const { oldest, last } = exportedDays(sql, query, retentionDays, now);
  let next = after;
  const selected = new SelectedRows(sql, query.links);
  let rows = 0;
  for (let day = after?.day ?? last; day >= oldest; day--) {
    for (const row of selected.before(day, day === after?.day ? after : null)) {
      const records = readRecords(row, { ...query, before: null });
      if (rows > 0 && (clicks.length + records.length > CSV_PAGE_RECORDS || rows >= CSV_PAGE_RECORDS))
        return { waitMs: 0, clicks, next };
      for (const record of records.sort((a, b) => (a.id < b.id ? 1 : -1))) clicks.push(record);
      next = { day, link: row.link, part: row.part };
      rows++;
    }
  }
  return { waitMs: 0, clicks, next: null };
}

/** The days that have single clicks. */
function exportedDays(
  sql: SqlStorage,
  { start, end, withExpired }: ExportQuery,
  retentionDays: number,
  now: number,
): { oldest: number; last: number } {
  const { first, last } = daysBetween(sql, start, end, now);
  const days = withExpired === true ? MAX_CLICK_RETENTION_DAYS + 1 : retentionDays;
  return { oldest: Math.max(first, Math.floor(now / DAY_MS) - days), last };
}
