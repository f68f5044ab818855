/** What a page of a task did: there is more to do, nothing until the time (Unix milliseconds), or nothing any more. */
export type Progress = { outcome: "more" } | { outcome: "waits"; until: number } | { outcome: "ended" };
export const MORE: Progress = { outcome: "more" };
export const ENDED: Progress = { outcome: "ended" };

/** The tasks of a Durable Object, which stores them. A task is worked off page by page; each page must be idempotent. */
export interface Tasks {
  /** Deletes the tasks that are past their time. */
  deleteExpired(now: number): void;
  /** The task whose next page is due the longest; null: none is due. */
  findDue(now: number): string | null;
  /** When the next page, or the next deletion, is due; null: nothing is stored. */
  nextDueAt(): number | null;
  /** Called before the pages of each alarm. Ends the task if it may not go on. */
  check(id: string): Promise<Progress>;
  /** Does the next page, and stores its result in one transaction. */
  runPage(id: string): Promise<Progress>;
  /** Called after the pages of each alarm. */
  release?(id: string): Promise<void>;
  /** Sets the time of the next page. */
  postpone(id: string, until: number): void;
  /** Records that a page failed, and when it is repeated. */
  recordFailure(id: string, error: unknown): void;
}

interface LoopOptions {
  /** Pages that one alarm runs. */
  pages: number;
  /** Pause after each page, in which other calls of the isolate run, ms. */
  pauseMs: number;
  /** When the alarm runs again after a crash, ms. */
  retryMs: number;
}

/**
 * Works off the tasks of a Durable Object by alarms. Each alarm runs some pages of the task that waits longest, so tasks
 * take turns. Without tasks, nothing is stored.
 */
export class AlarmLoop {
  readonly #storage: DurableObjectStorage;
  readonly #tasks: Tasks;
  readonly #options: LoopOptions;

  constructor(storage: DurableObjectStorage, tasks: Tasks, options: LoopOptions) {
    this.#storage = storage;
    this.#tasks = tasks;
    this.#options = options;
  }

  /** The alarm. */
  async run(): Promise<void> {
    const now = Date.now();
    if (this.#tasks.nextDueAt() === null) return;
    // First, so that there is a next alarm whatever fails below.
    await this.#storage.setAlarm(now + this.#options.retryMs);
    this.#tasks.deleteExpired(now);
    const id = this.#tasks.findDue(now);
    if (id !== null) await this.#continue(id);
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

  async #continue(id: string): Promise<void> {
    try {
      let progress = await this.#tasks.check(id);
      for (let page = 0; page < this.#options.pages && progress.outcome === "more"; page++) {
        progress = await this.#tasks.runPage(id);
        await scheduler.wait(this.#options.pauseMs);
      }
      if (progress.outcome === "waits") this.#tasks.postpone(id, progress.until);
    } catch (error) {
      this.#tasks.recordFailure(id, error);
    }
    await this.#tasks.release?.(id);
  }
}
