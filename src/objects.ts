import { DurableObject } from "cloudflare:workers";
import type { ExportRequest, ExportState, FilePart, StartOutcome } from "./exports/export.ts";
import type { FailurePage, JobChange, JobList, JobOutcome, JobRecord, JobState, NewJob } from "./job-runner/job.ts";

// The classes are a part of every isolate's start. The code of each is loaded with its first call.

/** Writes and keeps exported files of one account: those of all its data, or those of links, clicks and QR codes. */
export class Exporter extends DurableObject<Env> {
  readonly #jobs = import("./exports/export-jobs.ts").then(({ ExportJobs }) => new ExportJobs(this.ctx, this.env));

  async start(request: ExportRequest): Promise<StartOutcome> {
    return (await this.#jobs).start(request);
  }

  /** null: there is no such export, or it has expired. */
  async find(id: string): Promise<ExportState | null> {
    return (await this.#jobs).find(id);
  }

  /** The exports that have not expired, the newest first. */
  async list(): Promise<ExportState[]> {
    return (await this.#jobs).list();
  }

  /** A part of a complete file, from `next` of the part before it; null: the file was deleted. */
  async read(id: string, from: FilePart["next"]): Promise<FilePart | null> {
    return (await this.#jobs).read(id, from);
  }

  /** Ends all exports and deletes their files. */
  async deleteAll(): Promise<void> {
    await (await this.#jobs).deleteAll();
  }

  override async alarm(): Promise<void> {
    await (await this.#jobs).run();
  }
}

/** Runs the jobs of one account, and keeps what undoes them. */
export class JobRunner extends DurableObject<Env> {
  readonly #jobs = Promise.all([import("./job-runner/jobs.ts"), import("./job-kinds.ts")]).then(
    ([{ Jobs }, { kindOf }]) => new Jobs(this.ctx, this.env, kindOf),
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

  /** Ends all jobs and deletes what is stored of them. */
  async deleteAll(): Promise<void> {
    await (await this.#jobs).deleteAll();
  }

  override async alarm(): Promise<void> {
    await (await this.#jobs).run();
  }
}
