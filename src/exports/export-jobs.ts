import { AlarmLoop, ENDED, MORE, type Progress, type Tasks } from "../background/alarm-loop.ts";
import { refuseStart } from "../background/start-limits.ts";
import type { ServiceContext } from "../context.ts";
import { csvHeader, csvLines } from "../lib/csv.ts";
import { describeError, log } from "../lib/log.ts";
import { newId } from "../lib/uuid.ts";
import {
  EXPORT_PAGES_PER_ALARM,
  EXPORT_POLL_MS,
  EXPORT_READ_BYTES,
  EXPORT_RETRY_MS,
  EXPORT_TTL_MS,
  EXPORT_WINDOW_MS,
  MAX_EXPORT_FAILURES,
  MAX_EXPORT_FILE_BYTES,
  MAX_EXPORTS_PER_WINDOW,
  MAX_KEPT_EXPORTS,
  MAX_RUNNING_EXPORTS,
} from "../limits.ts";
import { beginAccountExport, describeAccountExport, mayContinue } from "./account-export.ts";
import { ACCOUNT_SOURCES } from "./account-sources.ts";
import { appendTexts, finishArchive, type Append } from "./archive.ts";
import type { ExportRequest, ExportState, FilePart, Position, StartOutcome } from "./export.ts";
import type { Source, SourceContext } from "./source.ts";
import * as store from "./store/exports.ts";
import { readPieces, storedBytes } from "./store/files.ts";
import { createTables, hasTables } from "./store/tables.ts";
import { concat } from "./zip.ts";

const TOO_LARGE = `The file would have more than ${MAX_EXPORT_FILE_BYTES} bytes.`;
const NOT_ALLOWED =
  "The account was deleted, or the person who started it may not export it any more. Start another export.";
const GIVEN_UP = "A part of the service failed repeatedly. Start another export.";

const LIMITS = { perWindow: MAX_EXPORTS_PER_WINDOW, windowMs: EXPORT_WINDOW_MS, running: MAX_RUNNING_EXPORTS };

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
  /** The sources that the current alarm has read. */
  readonly #read = new Set<Source<object>>();

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
    const starts = store.listStarts(this.#sql, now - EXPORT_WINDOW_MS);
    const refusal = refuseStart(LIMITS, starts, store.countUnfinished(this.#sql), now);
    if (refusal !== null) return refusal;
    const id = newId(now);
    this.#storage.transactionSync(() => {
      store.insertExport(this.#sql, id, request, { source: 0, after: null, records: {} }, now);
      store.deleteOldest(this.#sql, MAX_KEPT_EXPORTS);
    });
    await this.#loop.schedule();
    return { outcome: "started", state: toState(this.#get(id)) };
  }

  find(id: string): ExportState | null {
    const found = this.#find(id);
    return found === null || found.createdAt + EXPORT_TTL_MS <= Date.now() ? null : toState(found);
  }

  read(id: string, from: FilePart["next"]): FilePart | null {
    if (this.find(id)?.status !== "done") return null;
    const parts: Uint8Array[] = [];
    let [bytes, last] = [0, from ?? { entry: 0, number: 0 }];
    for (const piece of readPieces(this.#sql, id, last)) {
      if (parts.length > 0 && bytes + piece.bytes.byteLength > EXPORT_READ_BYTES)
        return { bytes: concat(parts), next: last };
      parts.push(piece.bytes);
      bytes += piece.bytes.byteLength;
      last = { entry: piece.entry, number: piece.number };
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

  /** In each alarm, so that an export ends soon after its account was deleted. */
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
    const source = ACCOUNT_SOURCES[current.position.source];
    if (source === undefined) return this.#finish(current, context);
    this.#read.add(source);
    return this.#copyPage(current, source, context);
  }

  async release(id: string): Promise<void> {
    const current = this.#find(id);
    if (current !== null) for (const source of this.#read) await source.release?.(this.#contextOf(current));
    this.#read.clear();
  }

  postpone(id: string, until: number): void {
    store.postpone(this.#sql, id, until, 0);
  }

  async #begin(current: store.StoredExport, context: SourceContext): Promise<Progress> {
    const total = await beginAccountExport(context, current.request);
    if (total === null) return this.#fail(current, NOT_ALLOWED);
    this.#change(current, () => store.markRunning(this.#sql, current.id, total));
    return MORE;
  }

  async #copyPage(current: store.StoredExport, source: Source<object>, context: SourceContext): Promise<Progress> {
    const { id, position } = current;
    const { records, next, waitMs } = await source.read(context, position.after);
    if (waitMs > 0) return { outcome: "waits", until: context.now + Math.min(waitMs, EXPORT_POLL_MS) };
    const texts = toTexts(source, records);
    this.#change(current, () => {
      appendTexts(this.#sql, id, texts);
      store.advance(this.#sql, id, nextPosition(position, source, records.length, next), records.length, context.now);
    });
    return storedBytes(this.#sql, id) > MAX_EXPORT_FILE_BYTES ? this.#fail(current, TOO_LARGE) : MORE;
  }

  async #finish(current: store.StoredExport, context: SourceContext): Promise<Progress> {
    const { id, createdAt, position } = current;
    const manifest = await describeAccountExport(context, position.records);
    const text = `${JSON.stringify(manifest, null, 2)}\n`;
    this.#change(current, () => {
      appendTexts(this.#sql, id, [{ source: "export", format: "json", text, header: "" }]);
      store.markDone(this.#sql, id, finishArchive(this.#sql, id, createdAt), createdAt + EXPORT_TTL_MS);
    });
    log("info", "export_done", { exportId: id, records: current.done, ms: context.now - createdAt });
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

  #get(id: string): store.StoredExport {
    const found = this.#find(id);
    if (found === null) throw new Error(`the export ${id} is not stored`);
    return found;
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

function toTexts(source: Source<object>, records: readonly object[]): Append[] {
  const { name, columns } = source;
  const lines = records.map((record) => `${JSON.stringify(record)}\n`).join("");
  return [
    { source: name, format: "jsonl", text: lines, header: "" },
    {
      source: name,
      format: "csv",
      text: records.length === 0 ? "" : csvLines(columns, records),
      header: csvHeader(columns),
    },
  ];
}

function nextPosition({ source, records }: Position, { name }: Source<object>, read: number, next: unknown): Position {
  const counted = { ...records, [name]: (records[name] ?? 0) + read };
  return next === null
    ? { source: source + 1, after: null, records: counted }
    : { source, after: next, records: counted };
}

function toState({ id, status, done, total, size, error, createdAt }: store.StoredExport): ExportState {
  const expiresAt = createdAt + EXPORT_TTL_MS;
  return { id, status, progress: { done, total }, size, error, createdAt, expiresAt };
}
