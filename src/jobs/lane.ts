import type { Resource } from "../platform/http/fault-sentences.ts";
import { MAX_JOBS_PER_WINDOW, MAX_RUNNING_JOBS } from "../limits.ts";
import { JOB_WINDOW_MS, MAX_JOB_STORAGE_BYTES, MAX_KEPT_JOBS } from "./limits.ts";

/** The lanes of each account. */
export const LANES = ["jobs", "tags", "account-exports", "file-exports"] as const;

/** How often, and how many at once, an account may start jobs. */
export interface StartLimits {
  /** Starts in any window of `windowMs`. */
  perWindow: number;
  windowMs: number;
  /** Running at the same time. */
  running: number;
}

/** Jobs of an account that share limits, turns and storage: each lane of an account is a JobRunner of its own. */
export interface Lane {
  name: (typeof LANES)[number];
  /** What errors call its jobs. */
  resource: Resource;
  /** null: no limits. */
  limits: StartLimits | null;
  /** What is kept at most. A new job deletes old inactive ones. null: no limits. */
  kept: { jobs: number; bytes: number } | null;
  /** Whether each job waits until the ones before it have ended. Otherwise they take turns. */
  isInOrder: boolean;
}

/** Bulk jobs and imports. */
export const JOBS_LANE: Lane = {
  name: "jobs",
  resource: "job",
  limits: { perWindow: MAX_JOBS_PER_WINDOW, windowMs: JOB_WINDOW_MS, running: MAX_RUNNING_JOBS },
  kept: { jobs: MAX_KEPT_JOBS, bytes: MAX_JOB_STORAGE_BYTES },
  isInOrder: false,
};
