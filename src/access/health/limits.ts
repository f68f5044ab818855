import { MINUTE_MS, SECOND_MS } from "../../limits.ts";

/** Timeout of each check of `GET /api/health`. */
export const HEALTH_TIMEOUT_MS = 2 * SECOND_MS;

/** An isolate repeats its last health result for this time instead of checking again. */
export const HEALTH_CACHE_MS = 5 * SECOND_MS;

/** A queue's backlog is logged if its oldest message is older than this. */
export const BACKLOG_LOGGED_AFTER_MS = 5 * MINUTE_MS;

/** The cron stores the state each minute. An older one says that the cron does not run. */
export const HEALTH_FRESH_MS = 5 * MINUTE_MS;
