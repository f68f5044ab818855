import type { JobChange, JobStatus } from "./job.ts";
import type { JobKind, JobPage } from "./kind.ts";
import type { StoredJob } from "./store/jobs.ts";

// What may happen to a job. No I/O.

type Action = JobChange["action"];

/** The states in which an action is possible, and the state that it leads to. */
const TRANSITIONS: Record<Action, { from: readonly JobStatus[]; to: JobStatus }> = {
  start: { from: ["ready"], to: "running" },
  configure: { from: ["ready"], to: "reading" },
  pause: { from: ["running"], to: "paused" },
  resume: { from: ["paused"], to: "running" },
  cancel: { from: ["receiving", "reading", "ready", "running", "paused"], to: "cancelled" },
  undo: { from: ["done", "failed", "cancelled"], to: "undoing" },
};

const FINISHED: ReadonlySet<JobStatus> = new Set(["done", "failed", "cancelled", "undone"]);

/** What the changes of a job depend on. */
type Traits = Pick<JobKind, "kept" | "startsByItself" | "undo">;

/** When a job that is inactive from now on is deleted. */
function expiryOf({ createdAt }: StoredJob, { kept }: Traits, now: number): number {
  return (kept.from === "creation" ? createdAt : now) + kept.ms;
}

/** Returns the job after the action, or null if it is not possible. Repeating an action changes nothing. */
export function changeJob(job: StoredJob, change: JobChange, kind: Traits, now: number): StoredJob | null {
  const { from, to } = TRANSITIONS[change.action];
  if (change.action === "undo" && kind.undo === undefined) return null;
  if (!from.includes(job.status)) return job.status === to && change.action !== "configure" ? job : null;
  if (change.action === "configure" && change.from !== job.input) return null;
  const isInactive = FINISHED.has(to) || to === "paused";
  const dueAt = isInactive ? expiryOf(job, kind, now) : now;
  const changed = { ...job, status: to, starter: change.starter, dueAt, failures: 0 };
  if (change.action === "cancel") return { ...changed, finishedAt: now };
  if (change.action === "configure") return { ...restart(changed), input: change.input, counts: {} };
  if (change.action === "start") return { ...restart(changed), startedAt: now };
  return change.action === "undo" ? restart(changed) : changed;
}

/** Begins a phase. */
function restart(job: StoredJob): StoredJob {
  return { ...job, position: null, done: 0, total: 0, error: null, finishedAt: null };
}

/** Ends the job. */
export function endJob(job: StoredJob, status: JobStatus, kind: Traits, now: number): StoredJob {
  return { ...job, status, finishedAt: now, dueAt: expiryOf(job, kind, now) };
}

/**
 * Returns the job after a page. `before` is the job when the page began, and `job` as it is now: it may have been paused or
 * cancelled meanwhile. The result is stored if the job can resume or be undone. Null: it is discarded.
 */
export function turnPage(
  before: StoredJob,
  job: StoredJob,
  page: JobPage,
  kind: Traits,
  now: number,
): StoredJob | null {
  const isUndoable = job.status === "cancelled" && kind.undo !== undefined;
  const isStopped = before.status === "running" && (job.status === "paused" || isUndoable);
  const isSame = JSON.stringify(job.position) === JSON.stringify(before.position) && job.input === before.input;
  if (!isSame || (job.status !== before.status && !isStopped)) return null;
  const done = job.done + page.done;
  const turned = {
    ...job,
    position: page.position,
    done,
    total: Math.max(page.total ?? job.total, done),
    counts: addCounts(job.counts, page.counts ?? {}),
    details: page.details ?? job.details,
    failures: 0,
    dueAt: isStopped ? job.dueAt : now,
  };
  return page.position === null ? endPhase(turned, kind, now) : turned;
}

function endPhase(job: StoredJob, kind: Traits, now: number): StoredJob {
  if (job.status === "cancelled") return job;
  // Now the number of items is known.
  if (job.status === "undoing") return endJob({ ...job, total: job.done }, "undone", kind, now);
  if (job.status !== "reading") return endJob({ ...job, total: job.done }, "done", kind, now);
  if (!kind.startsByItself) return { ...job, position: null, status: "ready", dueAt: expiryOf(job, kind, now) };
  return { ...job, position: null, done: 0, status: "running" };
}

function addCounts(counts: Record<string, number>, added: Record<string, number>): Record<string, number> {
  const sums = { ...counts };
  for (const [name, count] of Object.entries(added)) sums[name] = (sums[name] ?? 0) + count;
  return sums;
}
