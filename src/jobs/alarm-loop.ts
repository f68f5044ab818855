/** What a page of a task did: there is more to do, nothing until the time (Unix milliseconds), or nothing any more. */
export type Progress = { outcome: "more" } | { outcome: "waits"; until: number } | { outcome: "ended" };
export const MORE: Progress = { outcome: "more" };
export const ENDED: Progress = { outcome: "ended" };

export interface DueTask {
  id: string;
  /** Pages that one alarm runs. */
  pages: number;
  /** Pause after each page, in which other calls of the isolate run, ms. */
  pauseMs: number;
}

/** The tasks of a Durable Object, which stores them. A task is worked off page by page; each page must be idempotent. */
export interface Tasks {
  /** Deletes the tasks that are past their time. */
  deleteExpired(now: number): void;
  /** The task whose turn it is; null: none is due. */
  findDue(now: number): DueTask | null;
  /** When the next page, or the next deletion, is due; null: nothing is stored. */
  nextDueAt(): number | null;
  /** Called before the pages of each alarm. Ends the task if it may not go on. */
  check(id: string): Promise<Progress>;
  /** Does the next page, and stores its result in one transaction. */
  runPage(id: string): Promise<Progress>;
  /** Called after the pages of each alarm. */
  release(): Promise<void>;
  /** Sets the time of the next page. */
  postpone(id: string, until: number): void;
  /** Records that a page failed, and when it is repeated. */
  recordFailure(id: string, error: unknown): void;
}

/**
 * Works off the tasks of a Durable Object by alarms. Each alarm runs some pages of the task whose turn it is.
 * Without tasks, nothing is stored.
 */
export class AlarmLoop {
  readonly #storage: DurableObjectStorage;
  readonly #tasks: Tasks;
  /** When the alarm runs again after a crash, ms. */
  readonly #retryMs: number;

  constructor(storage: DurableObjectStorage, tasks: Tasks, retryMs: number) {
    this.#storage = storage;
    this.#tasks = tasks;
    this.#retryMs = retryMs;
  }

  /** The alarm. */
  async run(): Promise<void> {
    const now = Date.now();
    if (this.#tasks.nextDueAt() === null) return;
    // First, so that there is a next alarm whatever fails below.
    await this.#storage.setAlarm(now + this.#retryMs);
    this.#tasks.deleteExpired(now);
    const due = this.#tasks.findDue(now);
    if (due !== null) await this.#continue(due);
    await this.schedule();
  }

  /** Sets the next alarm. Call it after each change of a task. */
  async schedule(): Promise<void> {
    const dueAt = this.#tasks.nextDueAt();
    if (dueAt === null) await this.deleteAll();
    else await this.#storage.setAlarm(dueAt);
  }

  async deleteAll(): Promise<void> {
    await this.#storage.deleteAlarm();
    await this.#storage.deleteAll();
  }

  async #continue({ id, pages, pauseMs }: DueTask): Promise<void> {
    try {
      let progress = await this.#tasks.check(id);
      for (let page = 0; page < pages && progress.outcome === "more"; page++) {
        progress = await this.#tasks.runPage(id);
        await scheduler.wait(pauseMs);
      }
      if (progress.outcome === "waits") this.#tasks.postpone(id, progress.until);
    } catch (error) {
      this.#tasks.recordFailure(id, error);
    }
    await this.#tasks.release();
  }
}
