import { DAY_MS, HOUR_MS, MINUTE_MS } from "../limits.ts";

/** Maximum length of what an owner is told besides the reason of a takedown. */
export const MAX_STATEMENT_CHARS = 1_000;

/** Entries of the operators' own list. The Screener has them in memory. */
export const MAX_SCREENING_ENTRIES = 1_000;

/** List files of an installation. Each is searched for each destination. */
export const MAX_SCREENING_FILES = 10;
/** Length of what operators note of a rule, such as the licence of a list. */
export const MAX_RULE_NOTE_CHARS = 500;

/** Takedowns of which a run of the cron tells the owners. Each takes some calls of the database, and an invocation has a limit of them. */
export const TOLD_TAKEDOWNS_PER_RUN = 25;

/** A takedown whose mails were not stored is due again after this time. */
export const TAKEDOWN_MAIL_LEASE_MS = 10 * MINUTE_MS;

/** Owners are told of what screening found at a host this long after the first link: those that follow are in the same mail. */
export const SCREENING_MAIL_DELAY_MS = 10 * MINUTE_MS;

/** Time between mails to the owners of an account about screening. */
export const SCREENING_MAIL_INTERVAL_MS = HOUR_MS;

/** Time between such mails that name the same host for the same reason. */
export const SCREENING_HOST_INTERVAL_MS = DAY_MS;

/** Accounts whose owners a run of the cron tells about screening. As with {@link TOLD_TAKEDOWNS_PER_RUN}, calls are limited. */
export const SCREENING_MAILS_PER_RUN = 25;

/** An account whose mails about screening were not stored is due again after this time. */
export const SCREENING_MAIL_LEASE_MS = 10 * MINUTE_MS;

/** Hosts of an account that one mail tells of. */
export const MAX_TOLD_HOSTS = 1_000;

/** Of these, hosts that it names. */
export const MAX_NAMED_HOSTS = 10;

/** Links that one page of a search looks at. */
export const SEARCHED_LINKS = 50_000;

/** Links that are marked at once as those of a host that is taken down. */
export const MARKED_LINKS_PER_BATCH = 1_000;

/**
 * The sweep for the links to a host begins this long after the takedown. By then all isolates know of it, and calls that had begun before
 * have stored their links.
 */
export const SWEEP_DELAY_MS = MINUTE_MS;

/** Links whose hosts one page counts. */
export const MAX_GROUPED_LINKS = 1_000;

/** Persons whose accounts a search finds. */
export const MAX_FOUND_PERSONS = 1_000;

/** Owners that a found account shows. */
export const MAX_SHOWN_OWNERS = 5;

/** Maximum length of what operators look for. An address has up to 254 characters. */
export const MAX_OPERATOR_SEARCH_CHARS = 255;

/** Reports that one call dismisses. */
export const MAX_DISMISSED_REPORTS = 100;

/** Reports and appeals that the status counts. */
export const MAX_COUNTED_DECISIONS = 1_000;

/** The status waits this long for each part of the service. */
export const STATUS_TIMEOUT_MS = 2_000;
