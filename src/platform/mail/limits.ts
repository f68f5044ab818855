import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../limits.ts";

/** Maximum length of an e-mail address (RFC 5321, 4.5.3.1.3). */
export const MAX_EMAIL_CHARS = 254;

/** Mails of one kind to one address in any {@link MAIL_WINDOW_MS}. */
export const MAX_MAILS_PER_KIND = 3;

/** Timeout of one attempt to send a mail. */
export const MAIL_TIMEOUT_MS = 10 * SECOND_MS;

/** A mail is due again after this time if its sender crashed. Longer than an attempt. */
export const MAIL_LEASE_MS = MINUTE_MS;

/** Backoff after failed attempt 1, 2, … of a mail. A mail that fails after the last step is given up. */
export const MAIL_RETRY_STEPS_MS = [10 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 8 * HOUR_MS];

/** Mails that one run of the cron puts into the queue again. */
export const MAILS_PER_CRON_RUN = 100;

/** Mails that the outbox shows. */
export const MAX_SHOWN_MAILS = 100;

/** Owners of an account who get a mail about it. */
export const MAX_TOLD_OWNERS = 20;
