import { inflateRawSync } from "node:zlib";
import { AlarmLoop, ENDED, MORE, type Progress, type Tasks } from "../job-runner/alarm-loop.ts";
import { refuseStart } from "../job-runner/start-limits.ts";
import type { ServiceContext } from "../context.ts";
import { describeError, log } from "../lib/log.ts";
import { newId } from "../lib/uuid.ts";
import { EXPORT_POLL_MS } from "../limits.ts";
import { begin, mayContinue } from "./allowed.ts";
import type { ExportRequest, ExportState, FilePart, Position, StartOutcome } from "./export.ts";
import { boundsOf, fileTypeOf } from "./kinds.ts";
import { planOf, type Step } from "./plan.ts";
import type { SourceContext } from "./source.ts";
import * as store from "./store/exports.ts";
import { readPieces, storedBytes } from "./store/files.ts";
import { createTables, hasTables } from "./store/tables.ts";
import { concat } from "./zip.ts";
import {
  EXPORT_CHUNK_BYTES,
  EXPORT_PAGES_PER_ALARM,
  EXPORT_READ_BYTES,
  EXPORT_RETRY_MS,
  EXPORT_TTL_MS,
  EXPORT_WINDOW_MS,
  MAX_EXPORT_FAILURES,
  MAX_RUNNING_EXPORTS,
} from "./limits.ts";

const NOT_ALLOWED =
  "The account was deleted or disabled, or the person or key that started it may not export it any more. Start another export.";
const GIVEN_UP = "A part of the service failed repeatedly. Start another export.";

/**
 * The exports of an {@link Exporter}. A page is read, compressed and stored together with the position of the next one in
 * one transaction. So a crash repeats the page that it interrupted, and stores it once.
 */
export class ExportJobs implements Tasks {
  readonly #ctx: DurableObjectState;
  readonly #storage: DurableObjectStorage;
  readonly #sql: SqlStorage;
  readonly #env: Env;
  readonly #loop: AlarmLoop;
  /** The steps that the current alarm has run, by the names of their sources. */
  readonly #steps = new Map<string, Step>();

  constructor(ctx: DurableObjectState, env: Env) {
    this.#ctx = ctx;
    this.#storage = ctx.storage;
    this.#sql = ctx.storage.sql;
    this.#env = env;
    const options = { pages: EXPORT_PAGES_PER_ALARM, pauseMs: 0, retryMs: EXPORT_RETRY_MS };
    this.#loop = new AlarmLoop(ctx.storage, this, options);
  }

  async start(request: ExportRequest): Promise<StartOutcome> {
    const now = Date.now();
    createTables(this.#sql);
    const { perWindow, kept } = boundsOf(request.kind);
    const limits = { perWindow, windowMs: EXPORT_WINDOW_MS, running: MAX_RUNNING_EXPORTS };
    const starts = store.listStarts(this.#sql, now - EXPORT_WINDOW_MS);
    const refusal = refuseStart(limits, starts, store.countUnfinished(this.#sql), now);
    if (refusal !== null) return refusal;
    const id = newId(now);
    this.#storage.transactionSync(() => {
      store.insertExport(this.#sql, id, request, { source: 0, after: null, records: {} }, now);
      store.deleteOldest(this.#sql, kept);
    });
    await this.#loop.schedule();
    return { outcome: "started", state: this.#get(id) };
  }

  #get(id: string): ExportState {
    const found = this.find(id);
    if (found === null) throw new Error(`the export ${id} is not stored`);
    return found;
  }

  find(id: string): ExportState | null {
    return this.#listStates(id)[0] ?? null;
  }

  /** The newest first. */
  list(): ExportState[] {
    return this.#listStates(null);
  }

  #listStates(id: string | null): ExportState[] {
    return hasTables(this.#sql) ? store.listStates(this.#sql, Date.now() - EXPORT_TTL_MS, id) : [];
  }

  read(id: string, from: FilePart["next"]): FilePart | null {
    const state = this.find(id);
    if (state?.status !== "done") return null;
    const { isPacked } = fileTypeOf(state);
    const parts: Uint8Array[] = [];
    let [length, last] = [0, from ?? { entry: 0, number: 0 }];
    for (const { entry, number, bytes: stored } of readPieces(this.#sql, id, last)) {
      const bytes = isPacked ? inflateRawSync(stored, { maxOutputLength: EXPORT_CHUNK_BYTES }) : stored;
      if (parts.length > 0 && length + bytes.byteLength > EXPORT_READ_BYTES)
        return { bytes: concat(parts), next: last };
      parts.push(bytes);
      length += bytes.byteLength;
      last = { entry, number };
    }
    return { bytes: concat(parts), next: null };
  }

  async deleteAll(): Promise<void> {
    await this.#loop.deleteAll();
  }

  /** Writes the next pages of the export that waits longest, and deletes expired files. */
  async run(): Promise<void> {
    await this.#loop.run();
  }

  deleteExpired(now: number): void {
    this.#storage.transactionSync(() => store.deleteExpired(this.#sql, now - EXPORT_TTL_MS));
  }

  findDue(now: number): string | null {
    return store.findDue(this.#sql, now);
  }

  nextDueAt(): number | null {
    return hasTables(this.#sql) ? store.nextDueAt(this.#sql) : null;
  }

  /** In each alarm, so that an export ends soon after its account was deleted or disabled. */
  async check(id: string): Promise<Progress> {
    const current = this.#find(id);
    if (current === null) return ENDED;
    return (await mayContinue(this.#contextOf(current), current.request)) ? MORE : this.#fail(current, NOT_ALLOWED);
  }

  async runPage(id: string): Promise<Progress> {
    const current = this.#find(id);
    if (current === null || current.size !== null) return ENDED;
    const context = this.#contextOf(current);
    if (current.status === "pending") return this.#begin(current, context);
    const step = planOf(current.request).steps[current.position.source];
    if (step === undefined) return this.#finish(current, context);
    this.#steps.set(step.source.name, step);
    return this.#copyPage(current, step, context);
  }

  async release(id: string): Promise<void> {
    const current = this.#find(id);
    const steps = [...this.#steps.values()];
    this.#steps.clear();
    if (current !== null) for (const { source } of steps) await source.release?.(this.#contextOf(current));
  }

  postpone(id: string, until: number): void {
    store.postpone(this.#sql, id, until, 0);
  }

  async #begin(current: store.StoredExport, context: SourceContext): Promise<Progress> {
    const isAllowed = await begin(context, current.request);
    if (!isAllowed) return this.#fail(current, NOT_ALLOWED);
    const total = await planOf(current.request).count(context);
    this.#change(current, () => store.markRunning(this.#sql, current.id, total));
    return MORE;
  }

  async #copyPage(current: store.StoredExport, { source, append }: Step, context: SourceContext): Promise<Progress> {
    const { id, position, request, createdAt } = current;
    const { records, next, waitMs } = await source.read(context, position.after);
    if (waitMs > 0) return { outcome: "waits", until: context.now + Math.min(waitMs, EXPORT_POLL_MS) };
    this.#change(current, () => {
      append({ sql: this.#sql, id, createdAt }, records);
      const after = nextPosition(position, source.name, records.length, next);
      store.advance(this.#sql, id, after, records.length, context.now);
    });
    const { bytes } = boundsOf(request.kind);
    return storedBytes(this.#sql, id) > bytes ? this.#fail(current, tooLarge(bytes)) : MORE;
  }

  async #finish(current: store.StoredExport, context: SourceContext): Promise<Progress> {
    const { id, createdAt, position, request } = current;
    const plan = planOf(request);
    const description = (await plan.describe?.(context, position.records)) ?? "";
    this.#change(current, () => {
      const size = plan.finish({ sql: this.#sql, id, createdAt }, description);
      store.markDone(this.#sql, id, size, createdAt + EXPORT_TTL_MS);
    });
    const { kind } = request;
    log("info", "export_done", { exportId: id, kind, records: current.done, ms: context.now - createdAt });
    return ENDED;
  }

  #fail({ id, createdAt }: store.StoredExport, error: string): Progress {
    this.#storage.transactionSync(() => store.markFailed(this.#sql, id, error, createdAt + EXPORT_TTL_MS));
    log("warn", "export_failed", { exportId: id, error });
    return ENDED;
  }

  recordFailure(id: string, error: unknown): void {
    const current = this.#find(id);
    if (current === null) return;
    const failures = current.failures + 1;
    log("warn", "export_page_failed", { exportId: id, failures, ...describeError(error) });
    if (failures >= MAX_EXPORT_FAILURES) this.#fail(current, GIVEN_UP);
    else store.postpone(this.#sql, id, Date.now() + EXPORT_RETRY_MS * 2 ** (failures - 1), failures);
  }

  /** Runs the change in a transaction, unless the export was deleted since it was read. */
  #change(current: store.StoredExport, change: () => void): void {
    if (!hasTables(this.#sql)) return;
    this.#storage.transactionSync(() => {
      if (store.isCurrent(this.#sql, current)) change();
    });
  }

  #find(id: string): store.StoredExport | null {
    return hasTables(this.#sql) ? store.findExport(this.#sql, id) : null;
  }

  #contextOf({ id, request, createdAt }: store.StoredExport): SourceContext {
    const service: ServiceContext = {
      env: this.#env,
      waitUntil: (promise) => this.#ctx.waitUntil(promise),
      now: Date.now(),
      baseUrl: request.baseUrl,
    };
    return { ...service, principal: { accountId: request.accountId }, exportId: id, startedAt: createdAt };
  }
}

function nextPosition({ source, records }: Position, name: string, read: number, next: unknown): Position {
  const counted = { ...records, [name]: (records[name] ?? 0) + read };
  return next === null
    ? { source: source + 1, after: null, records: counted }
    : { source, after: next, records: counted };
}

function tooLarge(bytes: number): string {
  return `The file would take more than ${bytes} bytes of storage.`;
}
