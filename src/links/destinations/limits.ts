import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../limits.ts";

/** Time for a visit: all redirects, look-ups of names, robots.txt and the page. */
export const VISIT_TIMEOUT_MS = 10 * SECOND_MS;

/** Redirects that a visit follows. */
export const MAX_VISIT_REDIRECTS = 5;

/** Requests of a visit, those for robots.txt included. */
export const MAX_VISIT_REQUESTS = 12;

/** A page is read up to this size, after decompression. What a visit looks for is in its head. */
export const MAX_PAGE_BYTES = 256 * 1_024;

/** A robots.txt is read up to this size, the least that RFC 9309 asks for. */
export const MAX_ROBOTS_BYTES = 500 * 1_024;

/** An icon that is larger is not shown. */
export const MAX_ICON_BYTES = 64 * 1_024;

/** Icons are kept in the edge cache, and in the browser, for this time. */
export const ICON_TTL_SECONDS = 86_400;

/** The same for the answer that there is no icon. */
export const NO_ICON_TTL_SECONDS = 3_600;

/** Characters of a page's title. Longer ones are cut. */
export const MAX_PAGE_TITLE_CHARS = 200;

/** Bytes at the beginning of a page that may declare its character encoding (HTML standard, "prescan"). */
export const ENCODING_PRESCAN_BYTES = 1_024;

// The watch: what a run of the cron, once a minute, does.

/** New links that a run takes in. */
export const NEW_LINKS_PER_RUN = 1_000;

/** Links are taken in this long after their creation: those of calls that are still under way are not passed over. */
export const NEW_LINK_SETTLE_MS = 30 * SECOND_MS;

/** Time between the first visits of one account's links. */
export const ACCOUNT_VISIT_INTERVAL_MS = 2 * SECOND_MS;

/** Due links that a run reads. */
export const DUE_PER_RUN = 300;

export const VISITS_PER_RUN = 100;

/** Of these, visits of the links of one account. */
export const VISITS_PER_ACCOUNT = 30;

/** Of these, visits of URLs at one host. */
export const VISITS_PER_HOST = 10;

/** A visit has one request under way, and two look-ups of a name. An invocation has six connections. */
export const CONCURRENT_VISITS = 3;

/** A run begins no visit after this time. */
export const WATCH_RUN_MS = 40 * SECOND_MS;

/** A link that was due, and whose visit was not recorded, is due again after this time. */
export const VISIT_LEASE_MS = 10 * MINUTE_MS;

/** A link that is beyond the visits of its account or host is postponed by up to this time. */
export const MAX_POSTPONE_MS = 6 * HOUR_MS;

/** The time after visits that found a destination dead: after the first, the second. After one more it is broken. */
export const DEAD_RETRY_MS = [HOUR_MS, 6 * HOUR_MS] as const;

/** The time between visits of a link that is new or has clicks, and of another one. */
export const LIVELY_CHECK_MS = DAY_MS;
export const QUIET_CHECK_MS = 7 * DAY_MS;

/** A link counts as new, or as one with clicks, for this time. */
export const LIVELY_MS = 30 * DAY_MS;

/** Owners are told of broken destinations this long after the first one: those that break together are in one mail. */
export const BROKEN_MAIL_DELAY_MS = HOUR_MS;

/** Time between mails to the owners of an account about broken destinations. */
export const BROKEN_MAIL_INTERVAL_MS = DAY_MS;

/** Accounts whose owners a run tells. */
export const TOLD_ACCOUNTS_PER_RUN = 50;

/** An account whose mails were not recorded is due again after this time. */
export const BROKEN_MAIL_LEASE_MS = 10 * MINUTE_MS;

/** Broken links of an account that are counted for a mail. */
export const MAX_COUNTED_BROKEN_LINKS = 1_000;

/** Of these, links that the mail names. */
export const MAX_NAMED_BROKEN_LINKS = 10;

/** If so many visits of a run reach no server, and more than half of all, the network of the service is at fault. */
export const MIN_UNREACHABLE_AT_OUTAGE = 5;
