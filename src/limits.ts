// Units of time, in milliseconds

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

// Limits that several folders share, and those that the API promises. Each name has its unit.

// Rate limits

/** The length of every sliding window. */
export const RATE_LIMIT_WINDOW_MS = 60 * SECOND_MS;

// Requests

/** Maximum size of a request body. */
export const MAX_BODY_BYTES = 64 * 1_024;
/** Nesting depth of the JSON in a request body. The deepest one is a file that links apps to domains. */
export const MAX_BODY_DEPTH = 32;
/** `Retry-After` of a 503. */
export const UNAVAILABLE_RETRY_SECONDS = 5;
/** Maximum number of stored responses that the cron deletes at once. The response of a bulk creation may be several large rows. */
export const RESPONSES_PER_BATCH = 100;
/** Maximum number of attempts for a transaction that fails transiently. */
export const MAX_WRITE_ATTEMPTS = 3;
/** Maximum size of one text value bound to an SQL statement; D1 allows 2 MB. */
export const MAX_SQL_TEXT_BYTES = 1_500_000;

// Lists

/** Maximum number of items on a page. */
export const MAX_PAGE_SIZE_ITEMS = 100;
/** Number of items on a page without `limit`. */
export const DEFAULT_PAGE_SIZE_ITEMS = 50;
/** Maximum value of `page`; pages beyond it need `cursor`. */
export const MAX_PAGE_NUMBER = 100;
/** Maximum length of `cursor`. The longest holds the key of a tag. */
export const MAX_CURSOR_CHARS = 2_000;

// Accounts and API keys

/** Maximum number of an account's keys that are neither revoked nor expired. */
export const MAX_ACTIVE_KEYS_PER_ACCOUNT = 5;
/** Maximum length of an account's name. */
export const MAX_ACCOUNT_NAME_CHARS = 100;

// Persons: sessions, passwords, tokens, mails

/** A session ends when it was not used for this time. */
export const SESSION_IDLE_TTL_MS = 14 * DAY_MS;
/** A session ends this long after its sign-in, however often it is used. */
export const SESSION_TTL_MS = 60 * DAY_MS;
/** Random bytes of a session's cookie, of a device's cookie, of a one-time token, of a WebAuthn challenge and of a shared page's token. */
export const TOKEN_BYTES = 32;
/** For this time after a sign-in, a browser counts as a known device of the person. */
export const DEVICE_COOKIE_TTL_MS = 400 * DAY_MS;
/** Maximum length of a token in a request. The tokens of this service have 43 characters. */
export const MAX_TOKEN_CHARS = 100;

/** Lifetime of an invitation to an account. */
export const INVITATION_TTL_MS = 7 * DAY_MS;
/** Members of a team. */
export const MAX_MEMBERS_PER_TEAM = 500;
/** The time in which mails to an address count. */
export const MAIL_WINDOW_MS = 60 * MINUTE_MS;

// Links

/** Maximum length of a destination, percent-encoded. */
export const MAX_URL_CHARS = 8_192;
/** Maximum length of a slug. */
export const MAX_SLUG_CHARS = 64;
/** Maximum number of attempts of an update that concurrent updates interfere with. */
export const MAX_CHANGE_ATTEMPTS = 10;
/** Maximum number of UTM templates of an account. */
export const MAX_UTM_TEMPLATES_PER_ACCOUNT = 100;
/** Maximum length of the title of a link or of its preview. */
export const MAX_TITLE_CHARS = 300;
/** A deleted link can be restored for this time. */
export const DELETED_LINK_KEPT_MS = 7 * DAY_MS;
/** Maximum number of aliases of a link. */
export const MAX_ALIASES_PER_LINK = 10;
/** Maximum number of tags of a link. */
export const MAX_TAGS_PER_LINK = 20;
/** Maximum number of tags of an account that have a colour: a page of the list has them all. */
export const MAX_COLORED_TAGS_PER_ACCOUNT = 100;
/** Maximum length of a tag. */
export const MAX_TAG_CHARS = 50;
/** Maximum length of a domain name. */
export const MAX_HOST_CHARS = 253;
/** Maximum length of one label of a domain name, in Punycode. */
export const MAX_HOST_LABEL_CHARS = 63;
/** Maximum length of the description of a preview. */
export const MAX_PREVIEW_DESCRIPTION_CHARS = 1_000;
/** Maximum length of the password of a link or a shared page. */
export const MAX_PASSWORD_CHARS = 128;
/** Wrong guesses of one client at the password of one link or shared page in any {@link RATE_LIMIT_WINDOW_MS}. */
export const PASSWORD_GUESSES_PER_ADDRESS = 5;
/** Wrong guesses of all clients at one link or shared page in any {@link RATE_LIMIT_WINDOW_MS}. Beyond them an attack is logged and shown to the owner. */
export const PASSWORD_ATTACK_GUESSES = 100;
/** Within this time, `passwordAttackedAt` is written once. */
export const PASSWORD_ATTACK_RESOLUTION_MS = 60 * MINUTE_MS;
/** Lifetime of the cookie of a visitor who entered the password of a link or a shared page. */
export const PASSWORD_COOKIE_TTL_MS = 60 * MINUTE_MS;
/** Body of the password form. The longest password, percent-encoded, takes a third of it. */
export const MAX_PASSWORD_FORM_BYTES = 4 * 1_024;
/** Maximum time in a request: the end of the year 9999. */
export const MAX_TIMESTAMP_MS = 253_402_300_799_999;

// Hosts

/** For this time after a response over https, browsers open the host with https only. */
export const HSTS_MAX_AGE_SECONDS = (365 * DAY_MS) / SECOND_MS;

// Clicks

/** Characters of a user agent that are read. */
export const MAX_USER_AGENT_CHARS = 512;
/** Characters of one value of a profile, such as a city or a referrer's host. */
export const MAX_DIMENSION_CHARS = 255;
/** Results that one memoized function keeps per isolate: about 5 MB. */
export const MAX_KNOWN_TEXTS = 5_000;
/** Values of one dimension in a response. */
export const MAX_VALUES_PER_DIMENSION = 100;
/** Click counters that one statement updates. */
export const CLICK_COUNTERS_PER_FLUSH = 5_000;
/** WebSockets for live clicks that an account has open. */
export const MAX_LIVE_SOCKETS_PER_ACCOUNT = 20;
/** WebSockets for live clicks that one key or one session has open in an account. */
export const MAX_LIVE_SOCKETS_PER_CREDENTIAL = 5;
/** Messages with clicks that one WebSocket gets in any {@link LIVE_MESSAGES_WINDOW_MS}. */
export const MAX_LIVE_MESSAGES = 2;
/** Clicks in one live message. A click has up to about 4,000 characters, so a message has up to about 100,000. */
export const MAX_LIVE_CLICKS_PER_MESSAGE = 25;
/** Clicks in the days of a CSV file, before filters. Writing a million takes about 10 s of CPU time. */
export const MAX_EXPORT_CLICKS = 1_000_000;
/** Longest pause between two attempts of a waiting export to continue. */
export const EXPORT_POLL_MS = 2 * SECOND_MS;

// QR codes

/** Minimum contrast of foreground and background by WCAG 2. Print and bad light reduce it further. */
export const MIN_QR_CONTRAST_RATIO = 3;

// Domains

/** Maximum number of domains of an account. */
export const MAX_DOMAINS_PER_ACCOUNT = 100;

// Webhooks

/** Maximum number of webhooks of an account. */
export const MAX_WEBHOOKS_PER_ACCOUNT = 10;
/** Timeout of a DNS query. */
export const DNS_TIMEOUT_MS = 3 * SECOND_MS;
/** A DNS response is read up to this size. */
export const MAX_DNS_RESPONSE_BYTES = 64 * 1_024;
/** A longer `Retry-After` is treated as this long. */
export const MAX_RETRY_AFTER_MS = 24 * HOUR_MS;
/** Deliveries that a webhook keeps, without dropped ones. Past it, the oldest finished ones are deleted, then the oldest waiting ones dropped. */
export const MAX_KEPT_DELIVERIES = 100_000;
/** Stored bytes of the events and responses of these deliveries. Past it, the same happens. An event of several webhooks counts for each. */
export const MAX_KEPT_EVENT_BYTES = 100_000_000;
/** Dropped deliveries in the log of a webhook. Past it, the oldest are deleted. A dropped delivery has no body. */
export const MAX_KEPT_DROPPED_DELIVERIES = 10_000;
/** Attempts in flight for one webhook, and for all webhooks of an account at one host. */
export const MAX_IN_FLIGHT_PER_HOST = 25;

// Queues

/** Messages that Queues accept in one `sendBatch`. */
export const MAX_QUEUE_BATCH_MESSAGES = 100;
/** Delay before the first retry of a message that could not be processed. It doubles with each retry. */
export const MESSAGE_RETRY_FIRST_SECONDS = 5;
/** Longest delay before a retry of a message that could not be processed. */
export const MESSAGE_RETRY_LONGEST_SECONDS = 900;

// Listeners (docs/api/listeners.md)

/** Size of the events that a listener keeps, besides the oldest. Past it, the oldest are deleted. */
export const MAX_LISTENER_BYTES = 10_000_000;
/** Added to the size of each event's body, so that {@link MAX_LISTENER_BYTES} bounds the number of events too. */
export const LISTENER_EVENT_OVERHEAD_BYTES = 1_000;

// Cron

/** Maximum number of rows that one statement of the cron changes. */
export const CRON_BATCH_ROWS = 500;
/** A deleted account can be restored for this time. */
export const DELETED_ACCOUNT_KEPT_MS = 7 * DAY_MS;
/** Maximum number of deleted links whose clicks one batch of the cron deletes. */
export const DELETED_LINKS_PER_BATCH = 50;
/** Maximum number of batches of one task in one run of the cron. */
export const MAX_CRON_BATCHES = 20;

/** Time between two runs of the cron in `wrangler dev`. */
export const LOCAL_CRON_INTERVAL_MS = 10 * SECOND_MS;

// Jobs of a JobRunner

/** Jobs that an account starts in any {@link JOB_WINDOW_MS}. A file that is only uploaded is no start. */
export const MAX_JOBS_PER_WINDOW = 10;
/** Files to import that an account uploads in any {@link UPLOAD_WINDOW_MS}, started or not. */
export const MAX_UPLOADS_PER_WINDOW = 60;
/** Running jobs of an account, including jobs that are being undone. */
export const MAX_RUNNING_JOBS = 2;
/** How long an inactive job and its undo data are kept. */
export const JOB_TTL_MS = 7 * DAY_MS;
/** Maximum size of a piece of a stored record. A row of a Durable Object holds 2 MB. */
export const MAX_JOB_RECORD_BYTES = 900_000;
/** Pause after each page, in which other calls of the isolate and of the database run. */
export const JOB_PAUSE_MS = 25;
/** Links a second that a long job changes or deletes at most. It takes longer than to create them, because the caches get each. */
export const CHANGED_LINKS_PER_SECOND = 50;

/** Characters of `Accept-Language` that are read. */
export const MAX_ACCEPT_LANGUAGE_CHARS = 256;

/** Maximum length of one text of strangers where it is shown to an assistant or in a consent, such as a title or a referrer. */
export const MAX_FOREIGN_TEXT_CHARS = 200;

/** A longer URL has no canonical form. Percent-encoding may triple a destination. */
export const MAX_CANONICAL_URL_CHARS = 3 * MAX_URL_CHARS;
/** How often percent-encoding is removed from one text. */
export const MAX_UNESCAPE_ROUNDS = 32;
/** Domains above a host that are looked up with it. */
export const MAX_DOMAINS_ABOVE = 5;

// Safety

/** Of entries of what operators did, and of appeals. Takedowns themselves are kept. */
export const OPERATOR_ENTRY_KEPT_MS = 730 * DAY_MS;

/** From its arrival. The receipt ends with the report. */
export const REPORT_KEPT_MS = 365 * DAY_MS;
