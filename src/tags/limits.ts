import { MINUTE_MS } from "../duration.ts";

/** Links that one portion of a job changes, with their events, in one transaction. */
export const JOB_PORTION_LINKS = 500;

/** Portions that one request, or the cron for one account, runs. A Worker invocation may call D1 a thousand times. */
export const JOB_PORTIONS_PER_RUN = 20;

/** Accounts whose jobs one run of the cron continues. */
export const JOB_ACCOUNTS_PER_CRON_RUN = 5;

/** How long a repeated request to rename or delete a tag returns the job of the first one. Clients repeat requests whose response is lost. */
export const JOB_REPEAT_MS = 10 * MINUTE_MS;
