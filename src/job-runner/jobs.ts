import { AlarmLoop, ENDED, MORE, type Progress, type Tasks } from "./alarm-loop.ts";
import { SECOND_MS } from "../duration.ts";
import { describeError, log } from "../lib/log.ts";
import { JOB_PAUSE_MS, MAX_RUNNING_JOBS } from "../limits.ts";
import { changeJob, endJob, takesPlace, turnPage } from "./change.ts";
import type { FailurePage, JobChange, JobList, JobOutcome, JobRecord, JobState, NewJob } from "./job.ts";
import { type JobContext, type JobKind, type JobPage, toRecords } from "./kind.ts";
import { FAILURES, readFailures, recordsOf } from "./records.ts";
import { refuseJobStart, refuseUpload } from "./refusal.ts";
import { hasAccess } from "./access.ts";
import * as store from "./store/jobs.ts";
import * as recordStore from "./store/records.ts";
import { createTables, hasTables } from "./store/tables.ts";
import {
  JOB_FAST_LINKS,
  JOB_PAGES_PER_ALARM,
  JOB_RECEIVE_TIMEOUT_MS,
  JOB_RETRY_MS,
  MAX_JOB_FAILURES,
  MAX_JOB_STORAGE_BYTES,
  MAX_KEPT_JOBS,
  UPLOAD_WINDOW_MS,
} from "./limits.ts";

const NOT_ALLOWED =
  "The account was deleted or disabled, or the person or API key that started the job may not do this any more.";
const GIVEN_UP = "A part of the service failed repeatedly. What was done until then can be undone.";

/** The jobs of a JobRunner. The result of a page, and the position of the next one, are stored in one transaction. */
export class Jobs implements Tasks {
  readonly #ctx: DurableObjectState;
  readonly #storage: DurableObjectStorage;
  readonly #sql: SqlStorage;
  readonly #env: Env;
  readonly #loop: AlarmLoop;
  readonly #kindOf: (name: string) => JobKind;

  constructor(ctx: DurableObjectState, env: Env, kindOf: (name: string) => JobKind) {
    this.#ctx = ctx;
    this.#storage = ctx.storage;
    this.#sql = ctx.storage.sql;
    this.#env = env;
    this.#kindOf = kindOf;
    const options = { pages: JOB_PAGES_PER_ALARM, pauseMs: JOB_PAUSE_MS, retryMs: JOB_RETRY_MS };
    this.#loop = new AlarmLoop(ctx.storage, this, options);
  }

  async start(job: NewJob, records: readonly JobRecord[]): Promise<JobOutcome> {
    const now = Date.now();
    createTables(this.#sql);
    const { startsByItself } = this.#kindOf(job.kind);
    const refusal = startsByItself ? refuseJobStart(this.#sql, now) : refuseUpload(this.#sql, now);
    if (refusal !== null) return refusal;
    const [status, dueAt] = job.isReceiving
      ? (["receiving", now + JOB_RECEIVE_TIMEOUT_MS] as const)
      : (["reading", now] as const);
    this.#storage.transactionSync(() => {
      store.deleteOldest(this.#sql, MAX_KEPT_JOBS - 1, MAX_JOB_STORAGE_BYTES);
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

  list(kind: string, before: string | null, limit: number): JobList {
    if (!hasTables(this.#sql)) return { jobs: [] };
    const jobs = store.listJobs(this.#sql, kind, before, limit);
    return { jobs: jobs.filter((job) => !isExpired(job)).map(toState) };
  }

  async change(id: string, change: JobChange): Promise<JobOutcome> {
    const job = this.#find(id);
    if (job === null || isExpired(job)) return { outcome: "not_found" };
    const now = Date.now();
    const changed = changeJob(job, change, now);
    if (changed === null) return { outcome: "wrong_status", status: job.status };
    const refusal = changed.startedAt === job.startedAt ? null : refuseJobStart(this.#sql, now);
    if (refusal !== null) return refusal;
    const isFull = store.countUnfinished(this.#sql) >= MAX_RUNNING_JOBS;
    if (isFull && takesPlace(changed) && !takesPlace(job)) return { outcome: "too_many_running" };
    this.#storage.transactionSync(() => store.updateJob(this.#sql, changed));
    await this.#loop.schedule();
    return this.#stateOf(id);
  }

  readFailures(id: string, from: number): FailurePage | null {
    return this.find(id) === null ? null : readFailures(this.#sql, id, from);
  }

  async deleteAll(): Promise<void> {
    await this.#loop.deleteAll();
  }

  async run(): Promise<void> {
    await this.#loop.run();
  }

  deleteExpired(now: number): void {
    this.#storage.transactionSync(() => store.deleteExpired(this.#sql, now));
  }

  findDue(now: number): string | null {
    return store.findDue(this.#sql, now);
  }

  nextDueAt(): number | null {
    return hasTables(this.#sql) ? store.nextDueAt(this.#sql) : null;
  }

  /** In each alarm, so that a job ends soon after the account was deleted, a role lowered or a key revoked. */
  async check(id: string): Promise<Progress> {
    const job = this.#find(id);
    if (job === null) return ENDED;
    const permissions = ["bulk" as const, ...this.#kindOf(job.kind).permissionsOf(job.input)];
    const isAllowed = await hasAccess(this.#env.DB, job.accountId, job.starter, permissions, Date.now());
    return isAllowed ? MORE : this.#fail(id, NOT_ALLOWED);
  }

  async runPage(id: string): Promise<Progress> {
    const job = this.#find(id);
    if (job === null || !store.isActive(job.status)) return ENDED;
    const kind = this.#kindOf(job.kind);
    const context = this.#contextOf(job);
    if (job.status === "reading") return this.#store(job, await kind.read(context));
    return this.#store(job, await (job.status === "running" ? kind.run(context) : kind.undo(context)));
  }

  postpone(id: string, until: number): void {
    const job = this.#find(id);
    if (job !== null) store.updateJob(this.#sql, { ...job, dueAt: until });
  }

  recordFailure(id: string, error: unknown): void {
    const job = this.#find(id);
    if (job === null || !store.isActive(job.status)) return;
    const failures = job.failures + 1;
    log("warn", "job_page_failed", { jobId: id, kind: job.kind, failures, ...describeError(error) });
    if (failures >= MAX_JOB_FAILURES) this.#fail(id, GIVEN_UP);
    else store.updateJob(this.#sql, { ...job, failures, dueAt: Date.now() + JOB_RETRY_MS * 2 ** (failures - 1) });
  }

  /** Stores the result of a page of the job as it was before it, unless somebody else has taken it on or ended it. */
  #store(before: store.StoredJob, page: JobPage): Progress {
    if (page.error !== undefined) return this.#fail(before.id, page.error);
    const job = this.#find(before.id);
    const turned =
      job === null ? null : turnPage(before, job, page, this.#kindOf(before.kind).startsByItself, Date.now());
    if (turned === null) return MORE;
    const { id } = turned;
    this.#storage.transactionSync(() => {
      for (const { list, number } of page.forgotten ?? []) recordStore.deleteRecord(this.#sql, id, list, number);
      recordStore.putRecords(this.#sql, id, page.records ?? []);
      const failures = page.failures ?? [];
      if (failures.length > 0)
        recordStore.putRecords(
          this.#sql,
          id,
          toRecords(FAILURES, recordStore.endOf(this.#sql, id, FAILURES), failures),
        );
      store.updateJob(this.#sql, turned);
    });
    if (store.isActive(turned.status)) return MORE;
    log("info", "job_rests", { jobId: id, kind: turned.kind, status: turned.status, ...turned.counts });
    return ENDED;
  }

  #fail(id: string, error: string): Progress {
    const job = this.#find(id);
    if (job === null || !store.isActive(job.status)) return ENDED;
    store.updateJob(this.#sql, { ...endJob(job, "failed", Date.now()), error });
    log("warn", "job_stopped", { jobId: id, kind: job.kind, error });
    return ENDED;
  }

  #contextOf(job: store.StoredJob): JobContext {
    const { id, accountId, baseUrl, createdAt: startedAt, input, position, counts } = job;
    return {
      env: this.#env,
      waitUntil: (promise) => this.#ctx.waitUntil(promise),
      now: Date.now(),
      baseUrl,
      principal: { accountId },
      jobId: id,
      startedAt,
      input,
      position,
      counts,
      records: recordsOf(this.#storage, id),
      slowDown: async (links, perSecond) => {
        if (job.done >= JOB_FAST_LINKS) await scheduler.wait((links / perSecond) * SECOND_MS);
      },
    };
  }

  #find(id: string): store.StoredJob | null {
    return hasTables(this.#sql) ? store.findJob(this.#sql, id) : null;
  }

  #stateOf(id: string): JobOutcome {
    const job = this.#find(id);
    return job === null ? { outcome: "not_found" } : { outcome: "ok", state: toState(job) };
  }
}

function isExpired({ status, dueAt }: store.StoredJob): boolean {
  return !store.isActive(status) && dueAt <= Date.now();
}

function toState(job: store.StoredJob): JobState {
  const { id, kind, status, input, details, done, total, counts, error, dueAt, ...times } = job;
  const expiresAt = store.isActive(status) ? null : dueAt;
  return {
    id,
    kind,
    status,
    input,
    details,
    progress: { done, total },
    counts,
    error,
    createdAt: times.createdAt,
    startedAt: times.startedAt,
    finishedAt: times.finishedAt,
    expiresAt,
  };
}
