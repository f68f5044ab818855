import { DAY_MS, MINUTE_MS } from "../../limits.ts";

/** Reports that a person gets of an account. */
export const MAX_OWN_MAIL_REPORTS = 10;

/** Reports that the members of an account get together. */
export const MAX_MAIL_REPORTS_PER_ACCOUNT = 100;

/** The local hour at which a report is due. */
export const MAIL_REPORT_HOUR = 7;

/** Reports that a run of the cron sends. Each reads the clicks of two periods. */
export const MAIL_REPORTS_PER_RUN = 20;

/** Longer than a run takes. A report that fails is tried again when its lease ends. */
export const MAIL_REPORT_LEASE_MS = 15 * MINUTE_MS;

/** A report that could not be sent for this time is left out, and the next one is sent. */
export const MAIL_REPORT_GIVEN_UP_MS = DAY_MS;

/** Links, countries and referrers in a report. */
export const MAIL_REPORT_VALUES = 5;

/** An id and a signature. */
export const MAX_STOP_TOKEN_CHARS = 100;
