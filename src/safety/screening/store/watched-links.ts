import { DAY_MS, MINUTE_MS } from "../../../limits.ts";
import { CONFIRMATION_LEAD_MS, MAX_RESCREENING_PAUSE_DAYS, MAX_SCREENER_BYTES, RESCREENING_MS } from "../limits.ts";

/** A link that is screened again. */
export interface WatchedLink {
  id: string;
  /** Its last change, Unix milliseconds. */
  since: number;
  /** How often it was screened since then. */
  step: number;
  /** Its clicks at the last daily screening. */
  clicks: number;
  /** The packed verdict of before, if screening has blocked the link. */
  former: number | null;
}

/** What became of a link that was screened again. */
export interface Screened {
  id: string;
  since: number;
  /** It does not exist any more. */
  isGone: boolean;
  clicks: number | null;
  former: number | null;
  /** Until when its verdict holds, Unix milliseconds; null: until the next screening. */
  until: number | null;
}

/** The links that are screened again, in the storage of the Screener. */
export class WatchedLinks {
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  /** Screens the links anew, from now on. */
  add(ids: readonly string[], now: number): void {
    if (this.#storage.sql.databaseSize > MAX_SCREENER_BYTES) return;
    this.#storage.transactionSync(() => {
      for (const id of ids)
        this.#storage.sql.exec(
          `INSERT INTO watched_links (id, since, due_at) VALUES (?1, ?2, ?2)
           ON CONFLICT (id) DO UPDATE SET since = ?2, due_at = ?2, step = 0, idle_days = 0`,
          id,
          now,
        );
    });
  }

  /** Those that have been due for the longest time. */
  listDue(now: number, limit: number): WatchedLink[] {
    const sql = "SELECT id, since, step, clicks, former FROM watched_links WHERE due_at <= ? ORDER BY due_at LIMIT ?";
    return this.#storage.sql.exec<WatchedLink & Record<string, SqlStorageValue>>(sql, now, limit).toArray();
  }

  noteFormer(former: ReadonlyMap<string, number>): void {
    for (const [id, verdict] of former)
      this.#storage.sql.exec("UPDATE watched_links SET former = ? WHERE id = ?", verdict, id);
  }

  /** Stores what became of links, and when they are due again. */
  record(all: readonly Screened[], now: number): void {
    this.#storage.transactionSync(() => {
      for (const { id, since, isGone, clicks, former, until } of all) {
        const row = this.#find(id);
        // A link that is blocked may be restored, and needs its former verdict then.
        const isOver = isGone && (former === null || row?.idle_days === MAX_RESCREENING_PAUSE_DAYS);
        if (row === undefined || isOver) this.#storage.sql.exec("DELETE FROM watched_links WHERE id = ?", id);
        // It was changed while it was screened, and stays due.
        else if (row.since !== since)
          this.#storage.sql.exec("UPDATE watched_links SET former = ? WHERE id = ?", former, id);
        else {
          const { step, idleDays, dueAt } = next(row, clicks, now);
          const confirmedAt = until === null ? dueAt : confirmAt(until, now);
          // A confirmation comes in between and is no step of the schedule.
          if (confirmedAt < dueAt)
            this.#storage.sql.exec(
              "UPDATE watched_links SET due_at = ?, former = ? WHERE id = ?",
              confirmedAt,
              former,
              id,
            );
          else
            this.#storage.sql.exec(
              "UPDATE watched_links SET step = ?, idle_days = ?, due_at = ?, clicks = ?, former = ? WHERE id = ?",
              step,
              idleDays,
              dueAt,
              clicks ?? row.clicks,
              former,
              id,
            );
        }
      }
    });
  }

  #find(id: string): ScheduleRow | undefined {
    const sql = "SELECT since, step, idle_days, clicks FROM watched_links WHERE id = ?";
    return this.#storage.sql.exec<ScheduleRow>(sql, id).toArray()[0];
  }
}

interface ScheduleRow extends Record<string, SqlStorageValue> {
  since: number;
  step: number;
  idle_days: number;
  clicks: number;
}

/** When a verdict that holds until `until` is confirmed: early enough to try it again. */
function confirmAt(until: number, now: number): number {
  return Math.max(now + MINUTE_MS, until - Math.min(CONFIRMATION_LEAD_MS, (until - now) / 3));
}

/** When a link that was screened now is due again. `clicks` null: they were not counted. */
function next({ since, step, idle_days: before, clicks: last }: ScheduleRow, clicks: number | null, now: number) {
  const offset = RESCREENING_MS[step + 1];
  if (offset !== undefined) return { step: step + 1, idleDays: 0, dueAt: Math.max(since + offset, now) };
  const isIdle = clicks !== null && clicks <= last;
  const idleDays = isIdle ? Math.min(Math.max(2 * before, 1), MAX_RESCREENING_PAUSE_DAYS) : 0;
  return { step: step + 1, idleDays, dueAt: now + Math.max(idleDays, 1) * DAY_MS };
}
