import { LEVEL, ROW_COLUMNS, type Row } from "./rows.ts";
import { MAX_SOUGHT_LINKS } from "../limits.ts";

/** The links whose clicks a query wants; null: all links. */
export type LinkSelection = readonly string[] | null;

type Part = Pick<Row, "link" | "part" | "last_at">;

/**
 * The rows of the links that a query wants. Up to {@link MAX_SOUGHT_LINKS} are looked up one by one in each day; for more,
 * all rows of the day are read. Rows are read one by one: together they may exceed the memory.
 */
export class SelectedRows {
  readonly #sql: SqlStorage;
  /** SQL that follows the condition for the day. */
  readonly #condition: string;
  readonly #values: readonly string[];
  /** Null: the condition has found all links that are wanted, and no others. */
  readonly #wanted: ReadonlySet<string> | null;

  constructor(sql: SqlStorage, links: LinkSelection) {
    this.#sql = sql;
    const isSought = links !== null && links.length <= MAX_SOUGHT_LINKS;
    const isOne = links?.length === 1;
    this.#condition = !isSought ? "" : isOne ? "AND link = ?" : "AND link IN (SELECT value FROM json_each(?))";
    this.#values = !isSought ? [] : isOne ? links : [JSON.stringify(links)];
    this.#wanted = links === null || isSought ? null : new Set(links);
  }

  /** The rows of the days, one day and one link after another. */
  *ofDays(first: number, last: number): Generator<Row> {
    for (let day = first; day <= last; day++) yield* this.ofDay(day);
  }

  /** The rows of a day, one link after another, each in the order in which they were filled. */
  ofDay(day: number): Generator<Row> {
    const query = `SELECT ${ROW_COLUMNS} FROM clicks WHERE day = ? ${this.#condition} ORDER BY link, part`;
    return this.#filter(this.#sql.exec<Row>(query, day, ...this.#values));
  }

  /** The rows of a day that have single clicks before `end`, the one with the newest click first. */
  partsBefore(day: number, end: number): Part[] {
    const query = `SELECT link, part, last_at FROM clicks
      WHERE day = ? AND level = ${LEVEL.clicks} AND first_at < ? ${this.#condition} ORDER BY last_at DESC`;
    return [...this.#filter(this.#sql.exec<Part>(query, day, end, ...this.#values))];
  }

  /** The rows of a day with single clicks, the last one by link and part first, from the one before `after` on. */
  before(day: number, after: Pick<Row, "link" | "part"> | null): Generator<Row> {
    const isBefore = after === null ? "" : "AND (link, part) < (?, ?)";
    const query = `SELECT ${ROW_COLUMNS} FROM clicks WHERE day = ? AND level = ${LEVEL.clicks} ${this.#condition} ${isBefore}
      ORDER BY link DESC, part DESC`;
    const values = after === null ? [] : [after.link, after.part];
    return this.#filter(this.#sql.exec<Row>(query, day, ...this.#values, ...values));
  }

  /** The number of single clicks of a day, without crawlers. */
  countClicks(day: number): number {
    const query = `SELECT link, sum(clicks) AS clicks FROM clicks WHERE day = ? AND level = ${LEVEL.clicks} ${this.#condition} GROUP BY link`;
    let count = 0;
    for (const { clicks } of this.#filter(
      this.#sql.exec<{ link: string; clicks: number }>(query, day, ...this.#values),
    ))
      count += clicks;
    return count;
  }

  *#filter<R extends { link: string }>(rows: Iterable<R>): Generator<R> {
    for (const row of rows) if (this.#wanted === null || this.#wanted.has(row.link)) yield row;
  }
}
