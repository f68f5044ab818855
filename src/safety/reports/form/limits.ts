import { HOUR_MS } from "../../../limits.ts";

/** Reports of one client (IPv4 address, IPv6 /64) in any `RATE_LIMIT_WINDOW_MS`. */
export const REPORTS_PER_CLIENT = 5;

/** Reports of one network (IPv4 /24, IPv6 /48) in any `RATE_LIMIT_WINDOW_MS`. */
export const REPORTS_PER_NETWORK = 20;

/** Receipts that one client reads in any `RATE_LIMIT_WINDOW_MS`. */
export const RECEIPT_READS_PER_CLIENT = 30;

/** Reports of one link that wait for a decision. More would tell the operator nothing new. */
export const MAX_OPEN_REPORTS_OF_LINK = 20;

/** Those of them from one network. Otherwise whoever made the link could fill the room for its reports. */
export const MAX_OPEN_REPORTS_OF_LINK_BY_NETWORK = 2;

/** Reports from one network (IPv4 /24, IPv6 /48) that wait for a decision. */
export const MAX_OPEN_REPORTS_OF_NETWORK = 20;

/** Reports of all links that wait for a decision. With their texts about 10 MB. */
export const MAX_OPEN_REPORTS = 2_000;

/**
 * Once this many reports wait, the room for the others is reserved: a report is stored only if none of its link and none from its
 * network waits. Operators are told.
 */
export const UNRESERVED_OPEN_REPORTS = 1_000;

/** Maximum length of the short URL in the form: a host, a slug, and what the visitor's query adds. */
export const MAX_REPORTED_URL_CHARS = 1_000;

export const MAX_DETAILS_CHARS = 2_000;

export const MAX_REPORTER_NAME_CHARS = 100;

/** Body of the form. The longest fields, percent-encoded as three bytes of UTF-8 for each character, are smaller. */
export const MAX_REPORT_FORM_BYTES = 32 * 1_024;

/** Operators who get a mail about reports and appeals. */
export const MAX_TOLD_OPERATORS = 20;

/** Between two such mails to one operator. */
export const OPERATOR_MAIL_INTERVAL_MS = HOUR_MS;
