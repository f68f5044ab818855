import { isStillAllowed } from "../platform/auth/still-allowed.ts";
import type { Condition } from "../platform/database/parameters.ts";
import { SECOND_MS } from "../limits.ts";
import { fault, type Fault } from "../platform/http/faults.ts";
import { describeError, log } from "../platform/lib/log.ts";
import { ENDED, MORE, type DueTask, type Progress, type Tasks } from "./alarm-loop.ts";
import { endJob, turnPage } from "./change.ts";
import { isActive } from "./job.ts";
import { NOT_ALLOWED, toRecords, type JobContext, type JobPage, type KindOf } from "./kind.ts";
import { JOB_FAST_LINKS, JOB_REST_MS, JOB_RETRY_MS, MAX_JOB_FAILURES } from "./limits.ts";
import { FAILURES, recordsOf } from "./records.ts";
import * as store from "./store/jobs.ts";
import * as recordStore from "./store/records.ts";
import { hasTables } from "./store/tables.ts";
import { isDeletedAccount } from "../platform/database/account-states.ts";
import { Batch, addCheck } from "../platform/database/batch.ts";

/** Runs the jobs of a JobRunner. The result of a page, and the position of the next one, are stored in one transaction. */
export class JobTasks implements Tasks {
  readonly #ctx: DurableObjectState;
  readonly #storage: DurableObjectStorage;
  readonly #sql: SqlStorage;
  readonly #env: Env;
  readonly #kindOf: KindOf;
  /** What the pages of this alarm leave to the end of it, by name. */
  readonly #afterAlarm = new Map<string, () => Promise<void>>();

  constructor(ctx: DurableObjectState, env: Env, kindOf: KindOf) {
    this.#ctx = ctx;
    this.#storage = ctx.storage;
    this.#sql = ctx.storage.sql;
    this.#env = env;
    this.#kindOf = kindOf;
  }

  deleteExpired(now: number): void {
    this.#storage.transactionSync(() => store.deleteExpired(this.#sql, now));
  }

  findDue(now: number): DueTask | null {
    const due = store.findDue(this.#sql, this.#isInOrder(), now);
    if (due === null) return null;
    const { pagesPerAlarm: pages, pauseMs } = this.#kindOf(due.kind);
    return { id: due.id, pages, pauseMs };
  }

  nextDueAt(): number | null {
    return hasTables(this.#sql) ? store.nextDueAt(this.#sql, this.#isInOrder()) : null;
  }

  /** Any kind tells it, because the jobs of a JobRunner are all of one lane. */
  #isInOrder(): boolean {
    const kind = store.findKind(this.#sql);
    return kind !== null && this.#kindOf(kind).lane.isInOrder;
  }

  /** Each alarm checks the rights again. So a job ends soon after its account is deleted, a role lowered or a key revoked. */
  async check(id: string): Promise<Progress> {
    const job = this.#find(id);
    if (job === null) return ENDED;
    const now = Date.now();
    const access = await readAccess(this.#env.DB, job.accountId, this.#isAllowed(job, now));
    if (access === "allowed") return MORE;
    const canWait = access === "account_deleted" && this.#kindOf(job.kind).outlivesDeletion;
    return canWait ? { outcome: "waits", until: now + JOB_REST_MS } : this.#fail(id, NOT_ALLOWED);
  }

  #isAllowed({ accountId, starter, kind, input }: store.StoredJob, now: number): Condition {
    return isStillAllowed(accountId, starter, this.#kindOf(kind).permissionsOf(input), now);
  }

  async runPage(id: string): Promise<Progress> {
    const job = this.#find(id);
    if (job === null || !isActive(job.status)) return ENDED;
    const kind = this.#kindOf(job.kind);
    const context = this.#contextOf(job);
    if (job.status === "reading") return this.#store(job, await kind.read(context));
    if (job.status === "running") return this.#store(job, await kind.run(context));
    if (kind.undo === undefined) throw new Error(`jobs of the kind ${job.kind} cannot be undone`);
    return this.#store(job, await kind.undo(context));
  }

  async release(): Promise<void> {
    const runs = [...this.#afterAlarm.values()];
    this.#afterAlarm.clear();
    for (const run of runs) await run();
  }

  postpone(id: string, until: number): void {
    const job = this.#find(id);
    if (job !== null && isActive(job.status)) store.updateJob(this.#sql, { ...job, failures: 0, dueAt: until });
  }

  recordFailure(id: string, error: unknown): void {
    const job = this.#find(id);
    if (job === null || !isActive(job.status)) return;
    const failures = job.failures + 1;
    log("warn", "job_page_failed", { jobId: id, kind: job.kind, failures, ...describeError(error) });
    const isUndoable = this.#kindOf(job.kind).undo !== undefined;
    if (failures >= MAX_JOB_FAILURES) this.#fail(id, fault("", isUndoable ? "job_given_up_undoable" : "job_given_up"));
    else store.updateJob(this.#sql, { ...job, failures, dueAt: Date.now() + JOB_RETRY_MS * 2 ** (failures - 1) });
  }

  /** Stores the result of a page, unless the job was continued or ended meanwhile. `before` is the job when the page began. */
  #store(before: store.StoredJob, page: JobPage): Progress {
    const now = Date.now();
    if (page.error !== undefined) return this.#fail(before.id, page.error);
    if (page.waitMs !== undefined) return { outcome: "waits", until: now + page.waitMs };
    const job = this.#find(before.id);
    const turned = job === null ? null : turnPage(before, job, page, this.#kindOf(before.kind), now);
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
    if (isActive(turned.status)) return MORE;
    log("info", "job_inactive", {
      jobId: id,
      kind: turned.kind,
      status: turned.status,
      done: turned.done,
      ...turned.counts,
    });
    return ENDED;
  }

  #fail(id: string, reason: Fault): Progress {
    const job = this.#find(id);
    if (job === null || !isActive(job.status)) return ENDED;
    const kind = this.#kindOf(job.kind);
    this.#storage.transactionSync(() => {
      store.updateJob(this.#sql, { ...endJob(job, "failed", kind, Date.now()), error: JSON.stringify(reason) });
      if (kind.undo === undefined) recordStore.deleteRecords(this.#sql, id);
    });
    log("warn", "job_stopped", {
      jobId: id,
      kind: job.kind,
      error: reason.message,
    });
    return ENDED;
  }

  #contextOf(job: store.StoredJob): JobContext {
    const { id, accountId, starter, baseUrl, createdAt, input, position, counts } = job;
    const now = Date.now();
    return {
      env: this.#env,
      db: this.#env.DB,
      waitUntil: (promise) => this.#ctx.waitUntil(promise),
      now,
      baseUrl,
      principal: { accountId },
      jobId: id,
      starter,
      isAllowed: this.#isAllowed(job, now),
      createdAt,
      input,
      position,
      counts,
      records: recordsOf(this.#storage, id),
      slowDown: async (links, perSecond) => {
        if (job.done >= JOB_FAST_LINKS) await scheduler.wait((links / perSecond) * SECOND_MS);
      },
      afterAlarm: (name, run) => void this.#afterAlarm.set(name, run),
    };
  }

  #find(id: string): store.StoredJob | null {
    return hasTables(this.#sql) ? store.findJob(this.#sql, id) : null;
  }
}

/** What the database says of a job: whether it may go on, or why not. */
type Access = "allowed" | "account_deleted" | "refused";

async function readAccess(db: D1Database, accountId: number, allowed: Condition): Promise<Access> {
  const batch = new Batch(db);
  const check = addCheck(batch, allowed);
  const deleted = addCheck(batch, (parameters) => isDeletedAccount(parameters.add(accountId)));
  await batch.commitWithRetry();
  if (check.first !== undefined) return "allowed";
  return deleted.first === undefined ? "refused" : "account_deleted";
}
