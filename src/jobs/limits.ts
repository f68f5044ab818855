import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../limits.ts";

/** The time in which started jobs count. */
export const JOB_WINDOW_MS = HOUR_MS;

/** The time in which uploaded files count. */
export const UPLOAD_WINDOW_MS = HOUR_MS;

/** Time to send the next records of a job, at most {@link MAX_JOB_RECORD_BYTES} of a file. Until then, an upload that broke off takes a place of the account's jobs. */
export const JOB_RECEIVE_TIMEOUT_MS = 10 * MINUTE_MS;

/** Jobs of an account that are kept. A new one deletes the oldest that ended without a start, then the oldest finished one, or else the oldest that is ready or paused. Jobs that were started in the last {@link JOB_WINDOW_MS} stay. */
export const MAX_KEPT_JOBS = 100;

/** Size of an account's stored jobs beyond which a new one deletes the oldest finished ones, then the oldest that are ready or paused, but none that was started in the last {@link JOB_WINDOW_MS}. A Durable Object holds 10 GB. */
export const MAX_JOB_STORAGE_BYTES = 5_000_000_000;

/** Pages of a bulk job or an import that one alarm runs. */
export const JOB_PAGES_PER_ALARM = 6;

/** Links that a job creates, changes or deletes before it slows down. */
export const JOB_FAST_LINKS = 2_000;

/** First backoff after a failure of a page. It doubles with each further one. */
export const JOB_RETRY_MS = 5 * SECOND_MS;

/** Consecutive failures after which a job is given up: after about 40 minutes. */
export const MAX_JOB_FAILURES = 10;

/** How often a job that waits for its deleted account looks whether the account is restored. */
export const JOB_REST_MS = MINUTE_MS;

/** Bytes of a file that one call reads. A download may make a thousand calls, and a call return up to 32 MiB. */
export const JOB_READ_BYTES = 4_000_000;

/** Calls a minute of one client that read a job. The dashboard reads a running job as often as this allows. */
export const JOB_READS_PER_MINUTE = 60;

/** Calls a minute of one client that list jobs. */
export const JOB_LISTS_PER_MINUTE = 30;
