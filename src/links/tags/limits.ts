import { DAY_MS, MINUTE_MS } from "../../limits.ts";

// The length of a tag and the number of tags of a link are in src/limits.ts, because other folders use them too.

/** Links that one page of a job changes, with their events, in one transaction. */
export const TAG_JOB_PAGE_LINKS = 100;

/** Pages that one alarm runs. A page makes two calls of D1, and an invocation may make a thousand. */
export const TAG_JOB_PAGES_PER_ALARM = 100;

/** Links a second that a long job changes at most, so that other calls of the database run in between. */
export const TAGGED_LINKS_PER_SECOND = 1_000;

/** How long a repeated request to rename or delete a tag returns the job of the first one. Clients repeat requests whose response is lost. */
export const JOB_REPEAT_MS = 10 * MINUTE_MS;

/** How long a job is kept after its end. */
export const TAG_JOB_KEPT_MS = 30 * DAY_MS;
