import { SOURCE_NAMES } from "#src/moving/imports/formats/sources.ts";
import type { BulkJob, Import } from "#dashboard/api/types.ts";
import { texts } from "#dashboard/texts/index.ts";
import { isActive } from "../polling.ts";
import { JOB_WINDOW_MS } from "#src/jobs/limits.ts";

/** An import or a bulk job, as the lists show it. */
export interface Work {
  kind: "import" | "bulk";
  id: string;
  title: string;
  /** What it changes; empty if the title says it. */
  about: string;
  status: Import["status"];
  progress: { done: number; total: number };
  /** Links that it created or changed. */
  changed: number;
  undone: number;
  /** Rows of the list of failures. */
  failures: number;
  /** What came of it; only numbers above 0. */
  counts: { label: string; count: number }[];
  error: string | null;
  createdAt: number;
  /** null: an import that was only uploaded. */
  startedAt: number | null;
  expiresAt: number | null;
}

export function toWork(job: Import | BulkJob): Work {
  return "source" in job ? ofImport(job) : ofBulkJob(job);
}

function ofImport(job: Import): Work {
  const { created, altered, skipped, failed, undone, notUndone } = job;
  return {
    ...commonOf(job),
    kind: "import",
    startedAt: job.startedAt,
    progress: progressOf(job),
    title: titleOfImport(job),
    about: job.rows > 0 ? texts.importing.list.rows(job.rows) : "",
    changed: created,
    failures: altered + skipped + failed + notUndone,
    counts: countsOf({ created, altered, skipped, failed, undone, notUndone }),
  };
}

/** A phase that has just begun has no total yet. */
function progressOf({ status, progress, rows, created }: Import): Work["progress"] {
  if (progress.total > 0 || status === "reading") return progress;
  return { ...progress, total: status === "undoing" ? created : rows };
}

export function titleOfImport({ source }: Pick<Import, "source">): string {
  const { importOfFile, importTitle } = texts.moving.jobs;
  return source === "auto" || source === "csv" ? importOfFile : importTitle(SOURCE_NAMES[source]);
}

function ofBulkJob(job: BulkJob): Work {
  const { changed, unchanged, failed, undone, notUndone } = job;
  const { action, changes, fields, title } = texts.moving.jobs;
  return {
    ...commonOf(job),
    kind: "bulk",
    startedAt: job.createdAt,
    title: title(action[job.action], countLinks(job)),
    about: job.fields.length === 0 ? "" : changes(job.fields.map((field) => fields[field] ?? field).join(", ")),
    changed,
    failures: failed + notUndone,
    counts: countsOf({ changed, unchanged, failed, undone, notUndone }, texts.moving.jobs.changed[job.action]),
  };
}

/** The links that the job is about; null before they are listed. The progress of an undoing counts other ones. */
function countLinks({ status, progress, changed, unchanged, failed }: BulkJob): number | null {
  if (status === "undoing" || status === "undone") return changed + unchanged + failed;
  return status === "reading" || progress.total === 0 ? null : progress.total;
}

function commonOf(job: Import | BulkJob) {
  const { id, status, progress, error, createdAt, expiresAt, undone } = job;
  return { id, status, progress, error, createdAt, expiresAt, undone };
}

type CountName = keyof typeof texts.moving.work.counts;

function countsOf(
  counts: Partial<Record<CountName, number>>,
  changed: string = texts.moving.work.counts.changed,
): Work["counts"] {
  const labels = { ...texts.moving.work.counts, changed };
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => ({ label: labels[name as CountName], count }));
}

export function canUndo({ status, changed }: Work): boolean {
  return changed > 0 && (status === "done" || status === "failed" || status === "cancelled");
}

/** Whether the import waits to be started, and can only be discarded. */
export function isUnstarted({ kind, status }: Work): boolean {
  return kind === "import" && (status === "ready" || status === "reading");
}

/** How much of the account's limits is used. */
export function usedOf(works: readonly Work[], now = Date.now()): { started: number; running: number } {
  return {
    started: works.filter(({ startedAt }) => startedAt !== null && startedAt > now - JOB_WINDOW_MS).length,
    running: works.filter(isActive).length,
  };
}
