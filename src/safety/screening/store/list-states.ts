import { LIST_REFRESH_MS, LIST_RETRY_MS } from "../limits.ts";

/** What became of a list file so far. */
export interface ListState {
  /** Entries of the version in use. */
  entries: number;
  /** When that version was read, Unix milliseconds; null: there is none yet. */
  refreshedAt: number | null;
  /** Why the last refresh failed; null: it did not. */
  fault: string | null;
}

/** The states of the list files, in the storage of the Screener. */
export class ListStates {
  readonly #sql: SqlStorage;

  constructor({ sql }: DurableObjectStorage) {
    this.#sql = sql;
  }

  /** Makes the states of new lists, and deletes those of lists that are no more. Returns the ids of the latter. */
  keepOnly(ids: readonly string[]): string[] {
    const removed = this.#ids().filter((id) => !ids.includes(id));
    for (const id of removed) this.#sql.exec("DELETE FROM lists WHERE id = ?", id);
    for (const id of ids) this.#sql.exec("INSERT INTO lists (id) VALUES (?) ON CONFLICT DO NOTHING", id);
    return removed;
  }

  #ids(): string[] {
    return this.#sql
      .exec<{ id: string }>("SELECT id FROM lists")
      .toArray()
      .map(({ id }) => id);
  }

  find(id: string): ListState | null {
    const [row] = this.#sql
      .exec<{
        entries: number;
        refreshed_at: number | null;
        fault: string | null;
      }>("SELECT entries, refreshed_at, fault FROM lists WHERE id = ?", id)
      .toArray();
    return row === undefined ? null : { entries: row.entries, refreshedAt: row.refreshed_at, fault: row.fault };
  }

  /** Takes the list that has been due for the longest time; it is due again after a pause. null: none is due. */
  takeDue(now: number): string | null {
    const sql = "SELECT id FROM lists WHERE due_at <= ? ORDER BY due_at LIMIT 1";
    const [row] = this.#sql.exec<{ id: string }>(sql, now).toArray();
    if (row === undefined) return null;
    this.#sql.exec("UPDATE lists SET due_at = ? WHERE id = ?", now + LIST_RETRY_MS, row.id);
    return row.id;
  }

  recordRefresh(id: string, entries: number, now: number): void {
    const sql = "UPDATE lists SET entries = ?, refreshed_at = ?, due_at = ?, fault = NULL WHERE id = ?";
    this.#sql.exec(sql, entries, now, now + LIST_REFRESH_MS, id);
  }

  recordFault(id: string, fault: string): void {
    this.#sql.exec("UPDATE lists SET fault = ? WHERE id = ?", fault, id);
  }
}
