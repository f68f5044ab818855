import { refuseStart, type StartRefusal } from "./start-limits.ts";
import { MAX_JOBS_PER_WINDOW, MAX_RUNNING_JOBS, MAX_UPLOADS_PER_WINDOW } from "../limits.ts";
import type { JobOutcome } from "./job.ts";
import * as store from "./store/jobs.ts";
import { JOB_WINDOW_MS, UPLOAD_WINDOW_MS } from "./limits.ts";

// Why an account may not start a job, or upload a file, now.

const STARTS = { perWindow: MAX_JOBS_PER_WINDOW, windowMs: JOB_WINDOW_MS, running: MAX_RUNNING_JOBS };
const UPLOADS = { perWindow: MAX_UPLOADS_PER_WINDOW, windowMs: UPLOAD_WINDOW_MS, running: MAX_RUNNING_JOBS };

/** Returns why no job can start, or null. */
export function refuseJobStart(sql: SqlStorage, now: number): StartRefusal | null {
  return refuseStart(STARTS, store.listStarts(sql, now - JOB_WINDOW_MS), store.countUnfinished(sql), now);
}

/** Returns why no file can be uploaded, or null. A job that waits for its start counts only here until it is started. */
export function refuseUpload(sql: SqlStorage, now: number): JobOutcome | null {
  const refusal = refuseStart(UPLOADS, store.listUploads(sql, now - UPLOAD_WINDOW_MS), store.countUnfinished(sql), now);
  return refusal?.outcome === "too_many_started" ? { ...refusal, outcome: "too_many_uploads" } : refusal;
}
