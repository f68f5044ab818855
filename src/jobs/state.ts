import { isActive, type JobState } from "./job.ts";
import type { StoredJob } from "./store/jobs.ts";

/** Whether the job is past its time, also if it is not deleted yet. */
export function isExpired({ status, dueAt }: StoredJob): boolean {
  return !isActive(status) && dueAt <= Date.now();
}

export function toState(job: StoredJob): JobState {
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
    error,
    createdAt: times.createdAt,
    startedAt: times.startedAt,
    finishedAt: times.finishedAt,
    expiresAt,
  };
}
