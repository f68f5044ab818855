import { firstIdAt } from "../platform/lib/uuid.ts";
import { AlarmLoop } from "./alarm-loop.ts";
import { changeJob } from "./change.ts";
import {
  takesPlace,
  type FailurePage,
  type FilePart,
  type JobChange,
  type JobList,
  type JobOutcome,
  type JobRecord,
  type JobState,
  type NewJob,
  type PieceKey,
  isActive,
} from "./job.ts";
import type { KindOf } from "./kind.ts";
import { JOB_RECEIVE_TIMEOUT_MS, JOB_RETRY_MS, UPLOAD_WINDOW_MS } from "./limits.ts";
import { readFailures, readFile } from "./records.ts";
import { refuseJobStart, refuseUpload } from "./refusal.ts";
import * as store from "./store/jobs.ts";
import * as recordStore from "./store/records.ts";
import { createTables, hasTables, upgradeTables } from "./store/tables.ts";
import { JobTasks } from "./run-jobs.ts";
import type { StoredJob } from "./store/jobs.ts";

/** The jobs of a JobRunner, for calls. */
export class JobCalls {
  readonly #storage: DurableObjectStorage;
  readonly #sql: SqlStorage;
  readonly #kindOf: KindOf;
  readonly #loop: AlarmLoop;

  constructor(ctx: DurableObjectState, env: Env, kindOf: KindOf) {
    this.#storage = ctx.storage;
    this.#sql = ctx.storage.sql;
    this.#kindOf = kindOf;
    upgradeTables(ctx.storage);
    this.#loop = new AlarmLoop(ctx.storage, new JobTasks(ctx, env, kindOf), JOB_RETRY_MS);
  }

  async start(job: NewJob, records: readonly JobRecord[]): Promise<JobOutcome> {
    const now = Date.now();
    createTables(this.#storage);
    const { lane, startsByItself } = this.#kindOf(job.kind);
    const refusal = startsByItself ? refuseJobStart(this.#sql, lane, now) : refuseUpload(this.#sql, lane, now);
    if (refusal !== null) return refusal;
    const [status, dueAt] = job.isReceiving
      ? (["receiving", now + JOB_RECEIVE_TIMEOUT_MS] as const)
      : (["reading", now] as const);
    this.#storage.transactionSync(() => {
      const since = now - (lane.limits?.windowMs ?? 0);
      if (lane.kept !== null) store.deleteOldest(this.#sql, lane.kept.jobs - 1, lane.kept.bytes, since);
      store.insertJob(this.#sql, job, status, dueAt, now, startsByItself ? now : null);
      if (!startsByItself) store.insertUpload(this.#sql, now, now - UPLOAD_WINDOW_MS);
      recordStore.putRecords(this.#sql, job.id, records);
    });
    await this.#loop.schedule();
    return this.#stateOf(job.id);
  }

  async receive(id: string, records: readonly JobRecord[], isComplete: boolean): Promise<JobOutcome> {
    const job = this.#find(id);
    if (job === null) return { outcome: "not_found" };
    if (job.status !== "receiving") return { outcome: "wrong_status", status: job.status };
    const now = Date.now();
    this.#storage.transactionSync(() => {
      recordStore.putRecords(this.#sql, id, records);
      const next = isComplete
        ? { ...job, status: "reading" as const, dueAt: now }
        : { ...job, dueAt: now + JOB_RECEIVE_TIMEOUT_MS };
      store.updateJob(this.#sql, next);
    });
    if (isComplete) await this.#loop.schedule();
    return this.#stateOf(id);
  }

  find(id: string): JobState | null {
    const job = this.#find(id);
    return job === null || isExpired(job) ? null : toState(job);
  }

  findRepeated(kind: string, input: string, since: number): JobState | null {
    const job = hasTables(this.#sql) ? store.findRepeated(this.#sql, kind, input, firstIdAt(since)) : null;
    return job === null ? null : toState(job);
  }

  list(kind: string, before: string | null, limit: number): JobList {
    if (!hasTables(this.#sql)) return { jobs: [] };
    const jobs = store.listJobs(this.#sql, kind, before, limit);
    return { jobs: jobs.filter((job) => !isExpired(job)).map(toState) };
  }

  async change(id: string, change: JobChange): Promise<JobOutcome> {
    const job = this.#find(id);
    if (job === null || isExpired(job)) return { outcome: "not_found" };
    const now = Date.now();
    const kind = this.#kindOf(job.kind);
    const changed = changeJob(job, change, kind, now);
    if (changed === null) return { outcome: "wrong_status", status: job.status };
    const refusal = changed.startedAt === job.startedAt ? null : refuseJobStart(this.#sql, kind.lane, now);
    if (refusal !== null) return refusal;
    const isFull = store.countPlaces(this.#sql) >= (kind.lane.limits?.running ?? Infinity);
    if (isFull && takesPlace(changed.status) && !takesPlace(job.status)) return { outcome: "too_many_running" };
    this.#storage.transactionSync(() => {
      store.updateJob(this.#sql, changed);
      if (changed.status === "cancelled" && kind.undo === undefined) recordStore.deleteRecords(this.#sql, id);
    });
    await this.#loop.schedule();
    return this.#stateOf(id);
  }

  readFailures(id: string, from: number): FailurePage | null {
    return this.find(id) === null ? null : readFailures(this.#sql, id, from);
  }

  readFile(id: string, after: PieceKey | null): FilePart | null {
    return this.find(id)?.status === "done" ? readFile(this.#sql, id, after) : null;
  }

  async deleteAll(): Promise<void> {
    await this.#loop.deleteAll();
  }

  async alarm(): Promise<void> {
    await this.#loop.run();
  }

  #find(id: string): store.StoredJob | null {
    return hasTables(this.#sql) ? store.findJob(this.#sql, id) : null;
  }

  #stateOf(id: string): JobOutcome {
    const job = this.#find(id);
    return job === null ? { outcome: "not_found" } : { outcome: "ok", state: toState(job) };
  }
}

/** Whether the job is past its time, also if it is not deleted yet. */
function isExpired({ status, dueAt }: StoredJob): boolean {
  return !isActive(status) && dueAt <= Date.now();
}

function toState(job: StoredJob): JobState {
  const { id, kind, status, input, details, done, total, counts, error, dueAt, ...times } = job;
  const expiresAt = isActive(status) ? null : dueAt;
  return {
    id,
    kind,
    status,
    input,
    details,
    progress: { done, total },
    counts,
    ...store.readReason(error),
    createdAt: times.createdAt,
    startedAt: times.startedAt,
    finishedAt: times.finishedAt,
    expiresAt,
  };
}
