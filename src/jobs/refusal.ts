import { MAX_UPLOADS_PER_WINDOW } from "../limits.ts";
import type { JobOutcome, StartRefusal } from "./job.ts";
import type { Lane, StartLimits } from "./lane.ts";
import { UPLOAD_WINDOW_MS } from "./limits.ts";
import * as store from "./store/jobs.ts";

// Why an account may not start a job, or upload a file, now.

/** Returns why no job of the lane can start, or null. */
export function refuseJobStart(sql: SqlStorage, { limits }: Lane, now: number): StartRefusal | null {
  if (limits === null) return null;
  return refuseStart(limits, store.listStarts(sql, now - limits.windowMs), store.countPlaces(sql), now);
}

/** Returns why no file can be uploaded, or null. A job that waits for its start counts only here until it is started. */
export function refuseUpload(sql: SqlStorage, { limits }: Lane, now: number): JobOutcome | null {
  if (limits === null) return null;
  const uploads = { ...limits, perWindow: MAX_UPLOADS_PER_WINDOW, windowMs: UPLOAD_WINDOW_MS };
  const refusal = refuseStart(uploads, store.listUploads(sql, now - UPLOAD_WINDOW_MS), store.countPlaces(sql), now);
  return refusal?.outcome === "too_many_started" ? { ...refusal, outcome: "too_many_uploads" } : refusal;
}

/**
 * Returns why nothing can be started now, or null. `starts` are the times of the starts in the window, the oldest first.
 * `places` are taken.
 */
function refuseStart(
  { perWindow, windowMs, running }: StartLimits,
  starts: readonly number[],
  places: number,
  now: number,
): StartRefusal | null {
  const oldest = starts[starts.length - perWindow];
  if (oldest !== undefined) return { outcome: "too_many_started", waitMs: oldest + windowMs - now };
  return places >= running ? { outcome: "too_many_running" } : null;
}
