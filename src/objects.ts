import { DurableObject } from "cloudflare:workers";
import type { ClickBatch } from "./clicks/capture/message.ts";
import { ClickLogObject } from "./clicks/click-log/object.ts";
import type { Recipients } from "./clicks/click-log/pending-events.ts";
import type {
  FailurePage,
  FilePart,
  JobChange,
  JobList,
  JobOutcome,
  JobRecord,
  JobState,
  NewJob,
  PieceKey,
} from "./jobs/job.ts";
import type { Subscriber } from "./outbox/subscribers.ts";
import type { ScreenerCalls } from "./safety/screener/calls.ts";

// Every isolate evaluates the classes at its start. They load the code of features when it is first needed.

/** The clicks of an account or of an anonymous link. */
export class ClickLog extends ClickLogObject {
  protected override async readRecipients(webhooks: Subscriber[], batches: readonly ClickBatch[]): Promise<Recipients> {
    const { readRecipients } = await import("./click-ingest/recipients.ts");
    return readRecipients(this.env, webhooks, batches);
  }
}

/** Runs the jobs of a lane of one account, and keeps the files that they wrote and what undoes them. */
export class JobRunner extends DurableObject<Env> {
  readonly #jobs = Promise.all([import("./jobs/job-calls.ts"), import("./job-kinds.ts")]).then(
    ([{ JobCalls }, { kindOf }]) => new JobCalls(this.ctx, this.env, kindOf),
  );

  /** Stores the job with its first records. It begins at once. */
  async start(job: NewJob, records: JobRecord[]): Promise<JobOutcome> {
    return (await this.#jobs).start(job, records);
  }

  /** Adds records to a job that waits for them (`receiving`). `isComplete`: these are the last, and it begins. */
  async receive(id: string, records: JobRecord[], isComplete: boolean): Promise<JobOutcome> {
    return (await this.#jobs).receive(id, records, isComplete);
  }

  /** null: there is no such job, or it has expired. */
  async find(id: string): Promise<JobState | null> {
    return (await this.#jobs).find(id);
  }

  /** The newest job with this input that was started at `since` (Unix milliseconds) or later; null: there is none. */
  async findRepeated(kind: string, input: string, since: number): Promise<JobState | null> {
    return (await this.#jobs).findRepeated(kind, input, since);
  }

  /** The jobs of a kind with lower ids than `before`, the newest first. */
  async list(kind: string, before: string | null, limit: number): Promise<JobList> {
    return (await this.#jobs).list(kind, before, limit);
  }

  async change(id: string, change: JobChange): Promise<JobOutcome> {
    return (await this.#jobs).change(id, change);
  }

  /** What a job could not do, from `next` of the page before; null: there is no such job. */
  async readFailures(id: string, from: number): Promise<FailurePage | null> {
    return (await this.#jobs).readFailures(id, from);
  }

  /** A part of the file that a job wrote, after `after`, the `next` of the part before it; null: there is no such file. */
  async readFile(id: string, after: PieceKey | null): Promise<FilePart | null> {
    return (await this.#jobs).readFile(id, after);
  }

  /** Ends all jobs and deletes what is stored of them. */
  async deleteAll(): Promise<void> {
    await (await this.#jobs).deleteAll();
  }

  override async alarm(): Promise<void> {
    await (await this.#jobs).run();
  }
}

/**
 * Compares destinations with lists. There is one in an installation, and redirects never call it. A call of a method takes one
 * round trip: `open().screen(urls)`.
 */
export class Screener extends DurableObject<Env> {
  readonly #calls = import("./safety/screener/calls.ts").then((code) => new code.ScreenerCalls(this.env, this.ctx));

  async open(): Promise<ScreenerCalls> {
    return this.#calls;
  }
}
