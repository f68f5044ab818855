/** Links that one page of a bulk job changes. Redirects in the same isolate wait while their entries are published. */
export const BULK_JOB_PAGE_LINKS = 25;

/** Links that a request for a bulk job may list. */
export const MAX_BULK_JOB_IDS = 10_000;

/** Links that the filter of a bulk job may match. */
export const MAX_BULK_JOB_LINKS = 100_000;

/** Links of one page of a bulk job that are restored concurrently: each takes several calls. */
export const MAX_CONCURRENT_RESTORES = 5;

/** Ids that are read from the database at a time for a bulk job. */
export const BULK_JOB_READ_LINKS = 1_000;
