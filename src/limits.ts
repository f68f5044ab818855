import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "./duration.ts";

/** Every limit and interval of the service, with the unit in its name. Section numbers refer to the specification. */

// Rate limits (8.1)

/** The length of every sliding window. */
export const RATE_LIMIT_WINDOW_MS = MINUTE_MS;

/** Calls within this time after the first 429 do not count as ignoring `Retry-After`: they may have been sent before it. */
export const PENALTY_GRACE_MS = SECOND_MS;
/** Calls that ignore `Retry-After` without a penalty. The next one brings it. */
export const PENALTY_FORGIVEN_CALLS = 10;
/** Length of the first penalty. Each further one is twice as long. */
export const PENALTY_FIRST_MS = MINUTE_MS;
/** Maximum length of a penalty. */
export const PENALTY_LONGEST_MS = HOUR_MS;
/** For each period of this length without a penalty, the last one counts as half as long. */
export const PENALTY_DECAY_MS = 10 * MINUTE_MS;
/** Timeout of a call to the limiter. After it, the limiter counts as failed. */
export const RATE_LIMITER_TIMEOUT_MS = 2 * SECOND_MS;
/** Calls of one client whose keys are read and found wrong, revoked or expired, in a {@link RATE_LIMIT_WINDOW_MS}. Further keys are refused unread. */
export const MAX_FAILED_KEYS_PER_ADDRESS = 1_000;
/** Calls of one client and operation whose valid keys are read before the rate limit refuses them, in a {@link RATE_LIMIT_WINDOW_MS}. */
export const MAX_REFUSED_READS_PER_ADDRESS = 1_000;
/** Refusals by the limiter that an isolate remembers, to repeat them by itself: about 1 MB. */
export const MAX_REMEMBERED_REFUSALS = 10_000;
/** Valid keys that an isolate remembers. They are read even if their address sent too many failed keys. */
export const MAX_REMEMBERED_KEYS = 1_000;
/** An isolate remembers a valid key for this time after its last use. */
export const REMEMBERED_KEY_TTL_MS = HOUR_MS;

/** Maximum factor of an account with limits by key. The busiest operation then takes 12,000 calls a minute of one key. */
export const MAX_RATE_LIMIT_FACTOR = 100;
/** Resolution of the times in the windows of such a key. Without it, each call would write the times of all calls of its window. */
export const KEY_LIMIT_RESOLUTION_MS = SECOND_MS;

/** Links that one account creates in any {@link RATE_LIMIT_WINDOW_MS}, unless the operator sets `ACCOUNT_LINKS_PER_MINUTE`. One address can create 250. */
export const DEFAULT_ACCOUNT_LINKS_PER_MINUTE = 1_000;
/** Calls of one network (IPv4 /24, IPv6 /48) that create a link without a key, in any {@link RATE_LIMIT_WINDOW_MS}. */
export const ANONYMOUS_LINKS_PER_NETWORK = 60;
/** Calls of all clients that create a link without a key, in any {@link RATE_LIMIT_WINDOW_MS}, unless the operator sets `ANONYMOUS_LINKS_PER_MINUTE`; 0 permits none. */
export const DEFAULT_ANONYMOUS_LINKS_PER_MINUTE = 1_000;
/** Minimum of `ACCOUNT_LINKS_PER_MINUTE`, so that a bulk creation of {@link MAX_BULK_LINKS} can be accepted. */
export const MIN_ACCOUNT_LINKS_PER_MINUTE = 100;
/** Maximum of both settings. The limiter keeps 8 bytes in memory for each link of the last minute. */
export const MAX_LINKS_PER_MINUTE_SETTING = 100_000;
/** Resolution of the times in the limits of created links. Without it, each call would write the times of all links of a window. */
export const CREATION_RESOLUTION_MS = SECOND_MS;

// Requests

/** Maximum size of a request body. */
export const MAX_BODY_BYTES = 64 * 1_024;
/** Maximum size of the body of a bulk creation. Each of its links may have {@link MAX_BODY_BYTES}. */
export const MAX_BULK_BODY_BYTES = 5 * 1_024 * 1_024;
/** Nesting depth of the JSON in a request body. The deepest one is a file that links apps to domains. */
export const MAX_BODY_DEPTH = 32;
/** Values (arrays, objects, strings, numbers and literals, at any depth) in a request body. A link with the most rules has fewer. */
export const MAX_BODY_VALUES = 16_000;
/** Values in the body of a bulk creation: 2,000 for each link on average. To parse and validate them takes up to about 30 MB. */
export const MAX_BULK_BODY_VALUES = 200_000;
/** Maximum number of validation errors that one response lists, or one result of a bulk request. */
export const MAX_ERROR_DETAILS = 20;
/** Length of the path of a validation error. Paths contain keys of the request. The end of a longer one is cut off. */
export const MAX_ERROR_PATH_CHARS = 200;
/** Length of the message of a validation error. Some quote the request. The end of a longer one is cut off. */
export const MAX_ERROR_MESSAGE_CHARS = 500;
/** `Retry-After` of a 503. */
export const UNAVAILABLE_RETRY_SECONDS = 5;
/** The response to a request with an Idempotency-Key is stored for this time. */
export const IDEMPOTENCY_TTL_MS = DAY_MS;
/** Maximum length of an Idempotency-Key. */
export const MAX_IDEMPOTENCY_KEY_CHARS = 255;
/** Characters of an `If-Match` header. */
export const MAX_IF_MATCH_CHARS = 8_192;
/** Maximum size of one piece of a stored response. Each is a row, and D1 allows 2 MB for a row. */
export const MAX_RESPONSE_PIECE_BYTES = 900_000;
/** Maximum number of stored responses that the cron deletes at once. The response of a bulk creation may be several large rows. */
export const RESPONSES_PER_BATCH = 100;
/** Maximum number of attempts for a transaction that fails transiently. */
export const MAX_WRITE_ATTEMPTS = 3;
/** Maximum size of one text value bound to an SQL statement; D1 allows 2 MB. */
export const MAX_SQL_TEXT_BYTES = 1_500_000;

// Lists (8.2)

/** Maximum number of items on a page. */
export const MAX_PAGE_SIZE_ITEMS = 100;
/** Number of items on a page without `limit`. */
export const DEFAULT_PAGE_SIZE_ITEMS = 50;
/** Maximum value of `page`; pages beyond it need `cursor`. */
export const MAX_PAGE_NUMBER = 100;
/** Maximum length of `cursor`. The longest holds the key of a tag. */
export const MAX_CURSOR_CHARS = 2_000;
/** Minimum length of a search text: the trigram index cannot find shorter ones. */
export const MIN_SEARCH_CHARS = 3;
/** Maximum length of a search text. */
export const MAX_SEARCH_CHARS = 50;
/** The characters at the start of a URL that a search text can be found in. The schema has the same number. */
export const SEARCHED_URL_CHARS = 1_024;

/** Links that a list counts. Of more, it only says that there are more. */
export const MAX_COUNTED_LINKS = 1_000;

// API keys (5, 8.2)

/** Maximum number of an account's keys that are neither revoked nor expired. */
export const MAX_ACTIVE_KEYS_PER_ACCOUNT = 5;
/** Maximum length of a key's name. */
export const MAX_KEY_NAME_CHARS = 100;
/** Resolution of `lastUsedAt`: within this time it is written once. */
export const LAST_USED_RESOLUTION_MS = SECOND_MS;
/** Maximum length of an account's name. */
export const MAX_ACCOUNT_NAME_CHARS = 100;

// Persons: sessions, passwords, tokens, mails

/** A session ends when it was not used for this time. */
export const SESSION_IDLE_TTL_MS = 14 * DAY_MS;
/** A session ends this long after its sign-in, however often it is used. */
export const SESSION_TTL_MS = 60 * DAY_MS;
/** Resolution of the time at which a session was last used: within this time it is written once. */
export const SESSION_SEEN_RESOLUTION_MS = MINUTE_MS;
/** Reads of the public API that one session may send in any {@link RATE_LIMIT_WINDOW_MS}. */
export const SESSION_READS = 300;
/** Changes on the public API that one session may send in any {@link RATE_LIMIT_WINDOW_MS}. */
export const SESSION_CHANGES = 60;
/** An address may send this many times the calls of one session: several persons share it. */
export const SESSION_CALLS_PER_ADDRESS_FACTOR = 5;
/** Random bytes of a session's cookie, of a device's cookie, of a one-time token, of a WebAuthn challenge and of a shared page's token. */
export const TOKEN_BYTES = 32;
/** A person who signed in or confirmed their identity within this time may do what is dangerous. */
export const CONFIRMATION_TTL_MS = 10 * MINUTE_MS;
/** For this time after a sign-in, a browser counts as a known device of the person. */
export const DEVICE_COOKIE_TTL_MS = 400 * DAY_MS;
/** Maximum length of an e-mail address (RFC 5321, 4.5.3.1.3). */
export const MAX_EMAIL_CHARS = 254;
/** Maximum length of a person's name. */
export const MAX_USER_NAME_CHARS = 100;
/** Maximum length of a token in a request. The tokens of this service have 43 characters. */
export const MAX_TOKEN_CHARS = 100;

/** Minimum length of a person's password, in Unicode characters. */
export const MIN_USER_PASSWORD_CHARS = 12;
/** Maximum length of a person's password, in Unicode characters. */
export const MAX_USER_PASSWORD_CHARS = 128;
/** Maximum length of a person's password in a request, in UTF-16 code units. A character has one or two. */
export const MAX_USER_PASSWORD_UNITS = 2 * MAX_USER_PASSWORD_CHARS;
/** A password needs this many characters besides the words of the service and of the person. */
export const MIN_OTHER_PASSWORD_CHARS = 8;
/** Minimum length of a word of the service or the person that a password is searched for. */
export const MIN_OWN_WORD_CHARS = 3;
/** Durable Objects that hash passwords. */
export const PASSWORD_HASHERS = 16;
/** Passwords that one Durable Object hashes or that wait there. Each takes a quarter of a second. */
export const MAX_WAITING_PASSWORDS = 20;
/** Timeout of the lookup of a password among breached ones. After it, the password counts as not breached. */
export const BREACH_LOOKUP_TIMEOUT_MS = SECOND_MS;
/** A range of breached passwords is read up to this size. One with padding has about 40 KB. */
export const MAX_BREACH_RANGE_BYTES = 512 * 1_024;
/** Wrong guesses at one password or second factor, from unknown devices, in any {@link GUESS_WINDOW_MS}. A known device has its own count. */
export const MAX_GUESSES = 10;
/** The time in which wrong guesses count. */
export const GUESS_WINDOW_MS = 15 * MINUTE_MS;

/** Time step of the codes of authenticator apps. All apps support this one. */
export const TOTP_PERIOD_SECONDS = 30;
/** Digits of a code of an authenticator app. */
export const TOTP_DIGITS = 6;
/** Random bytes of the secret of an authenticator app (RFC 4226, section 4, recommends 20). */
export const TOTP_SECRET_BYTES = 20;
/** After this time without a code, the enrolment of an authenticator app must be started again. */
export const TOTP_ENROLMENT_TTL_MS = 15 * MINUTE_MS;
/** Maximum length of a code of an authenticator app in a request: apps show it with a space. */
export const MAX_TOTP_CODE_CHARS = 10;
/** Recovery codes that a person gets at once. */
export const RECOVERY_CODES = 10;
/** Random bytes of a recovery code. */
export const RECOVERY_CODE_BYTES = 15;
/** Maximum length of a recovery code in a request. Those of this service have 29 characters. */
export const MAX_RECOVERY_CODE_CHARS = 60;
/** Time for the second step of a sign-in. */
export const SECOND_STEP_TTL_MS = 5 * MINUTE_MS;
/** Lifetime of a WebAuthn challenge. */
export const WEBAUTHN_CHALLENGE_TTL_MS = 5 * MINUTE_MS;
/** Random bytes of the handle by which passkeys know their user (WebAuthn 3, section 5.4.3, allows 64). */
export const USER_HANDLE_BYTES = 32;
/** Passkeys of a person. */
export const MAX_PASSKEYS_PER_USER = 20;
/** Maximum length of the name of a passkey. */
export const MAX_PASSKEY_NAME_CHARS = 100;
/** Maximum length of one value in a browser's WebAuthn answer, in base64url. Attestations with certificates have some thousands. */
export const MAX_WEBAUTHN_VALUE_CHARS = 20_000;
/** Maximum number of transports that a browser reports for a passkey. */
export const MAX_PASSKEY_TRANSPORTS = 10;
/** Maximum length of a transport's name. */
export const MAX_PASSKEY_TRANSPORT_CHARS = 32;

/** Lifetime of the link that verifies the address of a new user. */
export const VERIFY_EMAIL_TTL_MS = DAY_MS;
/** Lifetime of the link that sets a new password. */
export const RESET_PASSWORD_TTL_MS = 30 * MINUTE_MS;
/** Lifetime of the link that confirms a changed address. */
export const CONFIRM_EMAIL_TTL_MS = HOUR_MS;
/** Lifetime of the link that takes back a changed address. */
export const UNDO_EMAIL_TTL_MS = 7 * DAY_MS;
/** Lifetime of the link with which the demo person signs in. */
export const SIGN_IN_LINK_TTL_MS = DAY_MS;

/** Lifetime of an invitation to an account. */
export const INVITATION_TTL_MS = 7 * DAY_MS;
/** Invitations of a team that are neither answered nor expired. */
export const MAX_PENDING_INVITATIONS_PER_TEAM = 50;
/** Members of a team. */
export const MAX_MEMBERS_PER_TEAM = 500;
/** Teams that one person owns. */
export const MAX_TEAMS_PER_OWNER = 20;
/** Invitations of the operator whose mails one run of the cron writes. */
export const INVITATIONS_PER_CRON_RUN = 20;

/** Mails of one kind to one address in any {@link MAIL_WINDOW_MS}. */
export const MAX_MAILS_PER_KIND = 3;
/** The time in which mails to an address count. */
export const MAIL_WINDOW_MS = HOUR_MS;
/** Timeout of one attempt to send a mail. */
export const MAIL_TIMEOUT_MS = 10 * SECOND_MS;
/** A mail is due again after this time if its sender crashed. Longer than an attempt. */
export const MAIL_LEASE_MS = MINUTE_MS;
/** Backoff after failed attempt 1, 2, … of a mail. A mail that fails after the last step is given up. */
export const MAIL_RETRY_STEPS_MS = [10 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 8 * HOUR_MS];
/** Mails that one run of the cron puts into the queue again. */
export const MAILS_PER_CRON_RUN = 100;
/** How long mails are kept: those in the outbox with their content, sent ones without. */
export const MAIL_RETENTION_MS = 7 * DAY_MS;
/** Mails that the outbox shows. */
export const MAX_SHOWN_MAILS = 100;
/** How long entries of the audit log are kept. */
export const AUDIT_RETENTION_MS = 365 * DAY_MS;

// Quotas of an account

/** Links of an account, unless the operator sets another quota. Deleted links do not count. */
export const DEFAULT_MAX_LINKS_PER_ACCOUNT = 1_000_000;
/** Bytes of an account's links, deleted ones included while they are kept, unless the operator sets another quota. */
export const DEFAULT_MAX_LINK_BYTES_PER_ACCOUNT = 1_024 * 1_024 * 1_024;
/** Bytes that every link counts besides its texts: about what its row and its entries in indexes take. */
export const LINK_OVERHEAD_BYTES = 512;
/** Maximum value of a quota that an operator sets, in links or bytes. JavaScript numbers have all digits of it. */
export const MAX_QUOTA = Number.MAX_SAFE_INTEGER;

// Links

/** Maximum length of a destination, percent-encoded. */
export const MAX_URL_CHARS = 8_192;
/** Maximum length of a slug. */
export const MAX_SLUG_CHARS = 64;
/** Length of a random slug. */
export const RANDOM_SLUG_CHARS = 7;
/** Maximum number of random slugs that are tried for one link. A second one is rarely needed. */
export const MAX_SLUG_ATTEMPTS = 5;
/** Numbered variants of a slug that its check looks up, to suggest one that is free. */
export const NUMBERED_SLUG_VARIANTS = 4;
/** Maximum number of links that one bulk request creates, updates or deletes. */
export const MAX_BULK_LINKS = 100;
/** Maximum number of attempts of an update that concurrent updates interfere with. */
export const MAX_CHANGE_ATTEMPTS = 10;
/** Maximum length of one UTM value. */
export const MAX_UTM_CHARS = 255;
/** Maximum number of UTM templates of an account. */
export const MAX_UTM_TEMPLATES_PER_ACCOUNT = 100;
/** Maximum length of the name of a UTM template. */
export const MAX_UTM_TEMPLATE_NAME_CHARS = 100;
/** Maximum length of the title of a link or of its preview. */
export const MAX_TITLE_CHARS = 300;
/** Unix milliseconds (2001). Earlier times are taken for seconds. */
export const MIN_EXPIRES_AT = 1_000_000_000_000;
/** Maximum number of aliases of a link. */
export const MAX_ALIASES_PER_LINK = 10;
/** Maximum number of tags of a link. */
export const MAX_TAGS_PER_LINK = 20;
/** Maximum length of a tag. */
export const MAX_TAG_CHARS = 50;
/** Maximum length of an `externalId`. */
export const MAX_EXTERNAL_ID_CHARS = 255;
/** Maximum length of a domain name. */
export const MAX_HOST_CHARS = 253;
/** Maximum length of a domain as people may give it: a name with a scheme, spaces around it and a slash at its end. */
export const MAX_DOMAIN_INPUT_CHARS = MAX_HOST_CHARS + 16;
/** Maximum length of one label of a domain name, in Punycode. */
export const MAX_HOST_LABEL_CHARS = 63;
/** Maximum number of rules of a link. */
export const MAX_RULES_PER_LINK = 50;
/** Maximum number of values in one condition of a rule. */
export const MAX_RULE_VALUES = 50;
/** Maximum number of countries with a destination; enough for all countries. */
export const MAX_GEO_TARGETS = 250;
/** Maximum length of the description of a preview. */
export const MAX_PREVIEW_DESCRIPTION_CHARS = 1_000;
/** Minimum length of the password of a link or a shared page. */
export const MIN_PASSWORD_CHARS = 8;
/** Maximum length of the password of a link or a shared page. */
export const MAX_PASSWORD_CHARS = 128;
/** Wrong guesses of one client at the password of one link or shared page in any {@link RATE_LIMIT_WINDOW_MS}. */
export const PASSWORD_GUESSES_PER_ADDRESS = 5;
/** Wrong guesses of one client at the passwords of all links and shared pages in any {@link RATE_LIMIT_WINDOW_MS}. */
export const PASSWORD_GUESSES_AT_ALL_LINKS = 30;
/** Wrong guesses of one IPv6 /48 at the password of one link or shared page in any {@link RATE_LIMIT_WINDOW_MS}. */
export const PASSWORD_GUESSES_PER_NETWORK = 20;
/** Wrong guesses of one IPv6 /48 at the passwords of all links and shared pages in any {@link RATE_LIMIT_WINDOW_MS}. */
export const PASSWORD_GUESSES_OF_NETWORK_AT_ALL_LINKS = 120;
/** Wrong guesses of all clients at one link or shared page in any {@link RATE_LIMIT_WINDOW_MS}. Beyond them an attack is logged and shown to the owner. */
export const PASSWORD_ATTACK_GUESSES = 100;
/** Within this time, `passwordAttackedAt` is written once. */
export const PASSWORD_ATTACK_RESOLUTION_MS = HOUR_MS;
/** Lifetime of the cookie of a visitor who entered the password of a link or a shared page. */
export const PASSWORD_COOKIE_TTL_MS = HOUR_MS;
/** Password cookies that are verified in one request. Browsers send one. */
export const MAX_PASSWORD_COOKIES_PER_REQUEST = 8;
/** Body of the password form. The longest password, percent-encoded, takes a third of it. */
export const MAX_PASSWORD_FORM_BYTES = 4 * 1_024;
/** Maximum value of `maxClicks`. */
export const MAX_MAX_CLICKS = 1_000_000_000;
/** An anonymous link expires after this time. */
export const ANONYMOUS_LINK_TTL_MS = 30 * DAY_MS;
/** Anonymous links that one browser can claim at a time. Further ones belong to nobody. */
export const MAX_CLAIMS_PER_BROWSER = 50;
/** Clicks of a claimed link that arrive later than this in its own ClickLog are lost. Caches and queues deliver them earlier. */
export const CLICK_MOVE_DELAY_MS = 10 * MINUTE_MS;
/** Claimed links whose clicks one run of the cron moves. Each takes about five calls of Durable Objects and the database. */
export const CLICK_MOVES_PER_RUN = 20;
/** A claim waits this long for the clicks of its links; the rest is moved after the response. */
export const CLICK_MOVE_TIMEOUT_MS = 3_000;
/** Maximum time in a request: the end of the year 9999. */
export const MAX_TIMESTAMP_MS = 253_402_300_799_999;

// Redirects

/** An entry in the memory cache is used for this long without a look at the edge cache. */
export const MEMORY_CACHE_FRESH_MS = 5 * SECOND_MS;
/** From this age of an entry in the memory cache, one request refreshes it in the background. */
export const MEMORY_CACHE_REFRESH_AFTER_MS = 4 * SECOND_MS;
/** An entry that was read from the database less than this ago is used without another read. */
export const ENTRY_FRESH_MS = 30 * SECOND_MS;
/** Both caches keep an entry this long after the read, to answer when the database fails. */
export const STALE_ENTRY_TTL_MS = DAY_MS;
/** A link read again within this time is in use. If several isolates use it, the edge cache gets the new read. */
export const EDGE_COPY_IN_USE_MS = 5 * MINUTE_MS;
/** From this age, the edge cache's copy of an unchanged entry is replaced, so that it lasts for another day. */
export const EDGE_COPY_REWRITE_AFTER_MS = HOUR_MS;
/** Accounts that an isolate remembers as deleted until no entry from before can be used. */
export const MAX_STOPPED_ACCOUNTS = 1_000;
export const MAX_MEMORY_CACHE_ENTRIES = 20_000;
/** About 32 MB of the 128 MB of an isolate. */
export const MAX_MEMORY_CACHE_CHARS = 16 * 1_024 * 1_024;
/** Maximum number of times that a change reads versions from the primary until the caches have the newest ones. */
export const MAX_CONFIRMATIONS = 5;
/** Timeout of a database read if a stale copy can answer. */
export const LINK_READ_TIMEOUT_WITH_COPY_MS = SECOND_MS;
/** Timeout of a database read if no copy can answer. */
export const LINK_READ_TIMEOUT_MS = 3 * SECOND_MS;
/** After a failed read, a stale copy answers for this long. One request tries again earlier, in the background. */
export const LINK_READ_RETRY_MS = 5 * SECOND_MS;
/** `max-age` of a 301 or 308. A 302 or 307 is never cached. */
export const PERMANENT_REDIRECT_MAX_AGE_SECONDS = DAY_MS / SECOND_MS;
/** Characters of `Accept-Language` that are read. */
export const MAX_ACCEPT_LANGUAGE_CHARS = 256;
/** The page that tries to open an app continues in the browser after this time. */
export const OPEN_APP_TIMEOUT_MS = 1_500;

// Files that link apps to domains

/** Maximum size of one file as JSON. Apple allows 128 KB; a request body must have room for the file. */
export const MAX_APP_ASSOCIATION_BYTES = 32 * 1_024;
/** Maximum nesting depth of a file; the documented members need seven levels. */
export const MAX_APP_ASSOCIATION_DEPTH = 16;
/** `max-age` of a file's response. */
export const APP_ASSOCIATION_MAX_AGE_SECONDS = 300;

/** For this time after a response over https, browsers open the host with https only. */
export const HSTS_MAX_AGE_SECONDS = (365 * DAY_MS) / SECOND_MS;
/** How long a fetched security.txt is valid. RFC 9116 recommends less than a year. */
export const SECURITY_TEXT_TTL_MS = 180 * DAY_MS;

// Clicks (2.3, 6.1)

/** Clicks of an isolate are buffered for this time before they are sent in one queue message. */
export const CLICK_FLUSH_AFTER_MS = 250;
/** A flush that is this late was cut off together with its request. The next click starts another one. */
export const CLICK_FLUSH_OVERDUE_MS = SECOND_MS;
/** Clicks in one queue message. */
export const MAX_CLICKS_PER_MESSAGE = 250;
/** Different links in one queue message. */
export const MAX_LINKS_PER_MESSAGE = 60;
/** Characters in one queue message before the click that fills it, which has up to 4,000. A character takes up to three bytes, and Queues accept 128,000 bytes. */
export const MAX_MESSAGE_CHARS = 38_000;
/** Characters in all queue messages of one call. A character takes up to three bytes, and Queues accept 256,000 bytes. */
export const MAX_MESSAGES_CHARS = 82_000;
/** A call to the queue counts as failed after this time. */
export const CLICK_SEND_TIMEOUT_MS = 2 * SECOND_MS;
/** Pause between two attempts to send clicks while the queue is down. */
export const CLICK_SEND_RETRY_MS = SECOND_MS;
/** Clicks are dropped if the queue was down for this time. The platform ends a request 30 seconds after its response. */
export const CLICK_SEND_DEADLINE_MS = 25 * SECOND_MS;
/** Clicks that an isolate buffers while the queue is down: about 5 MB. Further clicks are dropped. */
export const MAX_BUFFERED_CLICKS = 10_000;
/** Characters of a user agent that are read. */
export const MAX_USER_AGENT_CHARS = 512;
/** Characters of a referrer's scheme and host that are read. */
export const MAX_REFERRER_CHARS = 300;
/** Characters of one value of a profile, such as a city or a referrer's host. */
export const MAX_DIMENSION_CHARS = 255;
/** Characters of a target's URL that are stored with clicks. */
export const MAX_STORED_URL_CHARS = 1_000;
/** Results that one memoized function keeps per isolate: about 5 MB. */
export const MAX_KNOWN_TEXTS = 5_000;
/** Delay before the first retry of a message that could not be processed. It doubles with each retry. */
export const MESSAGE_RETRY_FIRST_SECONDS = 5;
/** Longest delay before a retry of a message that could not be processed. */
export const MESSAGE_RETRY_LONGEST_SECONDS = 900;
/** Click batches per call to a ClickLog if webhooks subscribe to clicks. They name up to 600 links, about 10 MB; a call may carry 32 MB. */
export const MAX_BATCHES_WITH_RECIPIENTS = 10;
/** Older clicks are not stored: the salt of their day is deleted, and a redelivery could no longer be recognised. */
export const MAX_CLICK_AGE_DAYS = 7;
/** A salt is kept for its own day and the next one, in which the last clicks of its day arrive. */
export const SALT_KEPT_DAYS = 2;
/** A row of clicks with this many characters is full; the next clicks go into another part. */
export const MAX_PART_CHARS = 16_384;
/** Batch ids that a ClickLog keeps in memory. A Set takes 38 to 47 bytes for an id: about 47 MB at most. */
export const MAX_REMEMBERED_IN_LOG = 1_000_000;
/** Memory of a link's day without its ids, in entries of {@link MAX_REMEMBERED_IN_LOG}: about 300 bytes. */
export const ENTRIES_PER_LINK_DAY = 8;
/** Unique visitors of a link that are counted per UTC day. A query holds those of one link and day: 25 MB, and 38 MB while they grow. */
export const MAX_UNIQUE_VISITORS_PER_LINK_DAY = 1_500_000;
/** Maximum clock skew between hosts that run the same ClickLog one after the other. */
export const MAX_CLOCK_SKEW_MS = 10 * SECOND_MS;
/** Links whose totals a ClickLog keeps in memory. */
export const MAX_TOTALS_IN_LOG = 50_000;
/** Single clicks are kept for this time. After it only their rollup is kept. */
export const ROLLUP_AFTER_DAYS = 90;
/** Characters in one row of a rollup. */
export const MAX_ROLLUP_PART_CHARS = 262_144;
/** Rollup buckets that are held in memory before they are written: about 10 MB. */
export const MAX_ROLLUP_BUCKETS_IN_MEMORY = 50_000;
/** Days of single links that one alarm rolls up. */
export const MAX_ROLLUPS_PER_ALARM = 200;
/** Delay before an alarm that failed runs again. */
export const ALARM_RETRY_MS = 10 * MINUTE_MS;
/** The alarm sends pending events that the call which stored their clicks has not sent within this time. */
export const PENDING_EVENTS_RETRY_MS = 20 * SECOND_MS;
/** Click batches whose pending events one alarm sends. */
export const MAX_PENDING_BATCHES_PER_ALARM = 20;
/** The daily maintenance of ClickLogs is spread over this time after midnight UTC. */
export const MAINTENANCE_SPREAD_MS = 2 * HOUR_MS;
/** A day with fewer clicks has no stored summary: reading the clicks is faster. */
export const MIN_CLICKS_FOR_SUMMARY = 100;
/** Summaries of days with this many clicks are made by the maintenance, before the first query. */
export const MIN_CLICKS_FOR_EARLY_SUMMARY = 1_000;
/** Different origins, or clients, that a query counts before it splits them into values: about 5 MB. */
export const MAX_PROFILES_IN_MEMORY = 20_000;
/** Summaries that a query holds in memory at the same time. */
export const SUMMARIES_PER_READ = 16;
/** Values of one dimension in a summary. Rarer values are counted only in the totals. */
export const MAX_SUMMARY_VALUES = 10_000;
/** Characters of a summary. If it is longer, it has fewer values. A character takes up to three bytes, and a row 2 MB. */
export const MAX_SUMMARY_CHARS = 400_000;
/** Different values of one dimension that a query counts. Above it, the rarest ones are counted only in the totals. */
export const MAX_VALUES_IN_MEMORY = 30_000;
/** Values of one dimension in a response. */
export const MAX_VALUES_PER_DIMENSION = 100;
/** Pages of the values of a dimension: the 1,000 most frequent values. */
export const MAX_VALUE_PAGES = 10;
/** Values of one filter of clicks, and links of one query. */
export const MAX_FILTER_VALUES = 100;
/** Links that a query for clicks selects by tag and domain. Their ids are about 400 KB. */
export const MAX_SELECTED_LINKS = 10_000;
/** A query looks up this number of links one by one in each day. For more it reads all rows of the day. */
export const MAX_SOUGHT_LINKS = 100;
/** Buckets of a time series. */
export const MAX_BUCKETS = 1_000;
/** Click counters that one statement updates. */
export const CLICK_COUNTERS_PER_FLUSH = 5_000;
/** A response with links waits this long for current click counters. */
export const CLICK_COUNTERS_TIMEOUT_MS = SECOND_MS;
/** Attempts of a query to a ClickLog, the first one included. */
export const MAX_CLICK_LOG_ATTEMPTS = 3;
/** Newest clicks in a response with totals. */
export const RECENT_CLICKS = 10;
/** A WebSocket for live clicks is closed after this time, unless its key expires earlier. The client opens another one. */
export const LIVE_SOCKET_TTL_MS = 5 * MINUTE_MS;
/** Live clicks are sent for this time after the right to read them was last confirmed. */
export const LIVE_RIGHT_TTL_MS = 10 * SECOND_MS;
/** WebSockets for live clicks that an account has open. */
export const MAX_LIVE_SOCKETS_PER_ACCOUNT = 20;
/** WebSockets for live clicks that one key or one session has open in an account. */
export const MAX_LIVE_SOCKETS_PER_CREDENTIAL = 5;
/** Messages with clicks that one WebSocket gets in any {@link LIVE_MESSAGES_WINDOW_MS}. */
export const MAX_LIVE_MESSAGES = 2;
/** The window of {@link MAX_LIVE_MESSAGES}. */
export const LIVE_MESSAGES_WINDOW_MS = SECOND_MS;
/** Clicks in one live message. A click has up to about 4,000 characters, so a message has up to about 100,000. */
export const MAX_LIVE_CLICKS_PER_MESSAGE = 25;
/** Clicks that are read at a time for a CSV file. Between two pages, the ClickLog stores clicks. */
export const CSV_PAGE_RECORDS = 1_000;
/** Links whose short URLs a CSV file of clicks keeps in memory. */
export const MAX_KNOWN_SHORT_URLS = 10_000;
/** Clicks in the days of a CSV file, before filters. Writing a million takes about 10 s of CPU time. */
export const MAX_EXPORT_CLICKS = 1_000_000;
/** An account's other exports are refused for this time from the beginning of one, unless it ends earlier. */
export const EXPORT_TURN_MS = 2 * MINUTE_MS;
/** Longest pause between two attempts of a waiting export to continue. */
export const EXPORT_POLL_MS = 2 * SECOND_MS;
/** A custom range up to this length has hourly buckets: three days, one of which may have 25 hours. */
export const MAX_HOURLY_PERIOD_MS = 3 * DAY_MS + HOUR_MS;
/** A custom range up to this length has daily buckets, a longer one monthly buckets. */
export const MAX_DAILY_PERIOD_MS = 100 * DAY_MS + HOUR_MS;
/** Longest custom range: 20 years, which are at most 241 months. */
export const MAX_PERIOD_MS = 20 * 366 * DAY_MS;
/** Maximum length of a time in a query. */
export const MAX_QUERY_TIME_CHARS = 64;
/** The longest IANA name has 32 characters. */
export const MAX_TIME_ZONE_CHARS = 64;

// QR codes (4.2)

/** Minimum width and height of the image. */
export const MIN_QR_SIZE_PX = 64;
/** Maximum width and height of the image. */
export const MAX_QR_SIZE_PX = 2_048;
/** Width and height of the image without `size`. */
export const DEFAULT_QR_SIZE_PX = 512;
/** Maximum width of the margin. */
export const MAX_QR_MARGIN_MODULES = 16;
/** Width of the margin without `margin`: the quiet zone that scanners expect. */
export const DEFAULT_QR_MARGIN_MODULES = 4;
/** Minimum contrast of foreground and background by WCAG 2. Print and bad light reduce it further. */
export const MIN_QR_CONTRAST_RATIO = 3;
/** Characters that the largest code can hold, if they are digits. */
export const MAX_QR_CONTENT_CHARS = 7_089;
/** Maximum size of the logo. Base64 makes it a third longer, and a request body must have room for it and the content. */
export const MAX_QR_LOGO_BYTES = 32 * 1_024;
/** Maximum share of the code's width, without margin, that the logo covers with the space around it. Levels Q and H correct it. */
export const MAX_QR_LOGO_SHARE = 0.22;

// Domains (4.2)

/** Maximum number of domains of an account. */
export const MAX_DOMAINS_PER_ACCOUNT = 100;
/** Time between the DNS checks of a verified domain. */
export const DOMAIN_CHECK_INTERVAL_MS = DAY_MS;
/** A check is earlier by a random time of up to this, which spreads the checks of many domains. */
export const DOMAIN_CHECK_JITTER_MS = 2 * HOUR_MS;
/** Time between the DNS checks of a domain whose TXT record is missing. */
export const LOST_DOMAIN_CHECK_INTERVAL_MS = HOUR_MS;
/** Time until a DNS check that failed is repeated. */
export const DOMAIN_CHECK_RETRY_MS = 10 * MINUTE_MS;
/** A domain stays verified for this time after its TXT record was found missing. */
export const LOST_DOMAIN_GRACE_MS = 7 * DAY_MS;
/** The most values of a DNS record that the check of a domain reports. */
export const MAX_SEEN_RECORDS = 5;
/** How much of each such value is reported, in characters: the longest string of a TXT record (RFC 1035, 3.3). */
export const MAX_SEEN_RECORD_CHARS = 255;
/** Maximum number of domains that one run of the cron checks. */
export const DOMAINS_CHECKED_PER_RUN = 25;
/** Domains that the cron checks or syncs concurrently; a Worker invocation has six connections. */
export const MAX_CONCURRENT_DOMAINS = 3;
/** Maximum number of attempts to record a DNS check while other requests change the same domain. */
export const MAX_DOMAIN_CHANGE_ATTEMPTS = 5;
/** Timeout of a call of Cloudflare's API for custom hostnames. */
export const CUSTOM_HOSTNAME_TIMEOUT_MS = 5 * SECOND_MS;
/** Maximum number of bytes that are read of a response of that API. */
export const MAX_CUSTOM_HOSTNAME_RESPONSE_BYTES = 256 * 1_024;
/** Maximum stored length of Cloudflare's reason for a missing certificate. */
export const MAX_CERTIFICATE_ERROR_CHARS = 500;
/** Time between the checks of a certificate that is not active yet. */
export const CERTIFICATE_CHECK_INTERVAL_MS = 10 * MINUTE_MS;
/** Time between the checks of an active certificate. */
export const ACTIVE_CERTIFICATE_CHECK_INTERVAL_MS = DAY_MS;
/** Minimum time until a call of Cloudflare's API that failed is repeated. */
export const CUSTOM_HOSTNAME_RETRY_MS = 5 * MINUTE_MS;
/** Maximum number of custom hostnames that one run of the cron syncs, and of those that it removes. */
export const CUSTOM_HOSTNAMES_PER_RUN = 25;
/** Delay of a custom hostname's removal, in which requests that are registering it can finish. */
export const CUSTOM_HOSTNAME_REMOVAL_DELAY_MS = MINUTE_MS;

// Webhooks (2.2, 6.5, 8.2)

export const MAX_WEBHOOKS_PER_ACCOUNT = 10;
export const MAX_WEBHOOK_URL_CHARS = 2_048;
/** The first port that a webhook's URL may have besides 80 and 443. Those below belong to other protocols, such as SMTP. */
export const MIN_WEBHOOK_HIGH_PORT = 1_024;
/** Maximum number of items in the `linkIds`, and in the `tags`, of a webhook. */
export const MAX_WEBHOOK_FILTER_ITEMS = 100;
/** How long the previous secret signs after a rotation. */
export const OLD_SECRET_TTL_MS = DAY_MS;
/** Secrets of a webhook that sign at the same time: the present one and replaced ones. At this number there is no rotation. */
export const MAX_SIGNING_SECRETS = 3;
/** Timeout of an attempt, from the request to the end of the response body. */
export const WEBHOOK_TIMEOUT_MS = 10 * SECOND_MS;
/** A receiver's response body is read up to this size. */
export const MAX_WEBHOOK_RESPONSE_BYTES = 16 * 1_024;
/** The delivery log keeps the beginning of the response to a failed attempt, up to this size as received. */
export const MAX_KEPT_RESPONSE_BYTES = 4 * 1_024;
/** The delivery log keeps a receiver's reason phrase up to this length. */
export const MAX_STATUS_TEXT_CHARS = 100;
/** Timeout of a DNS query. */
export const DNS_TIMEOUT_MS = 3 * SECOND_MS;
/** A DNS response is read up to this size. */
export const MAX_DNS_RESPONSE_BYTES = 64 * 1_024;
/** Backoff after failed attempt 1, 2, … of a delivery. A delivery that fails after the last step is given up. */
export const WEBHOOK_RETRY_STEPS_MS = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  HOUR_MS,
  3 * HOUR_MS,
  8 * HOUR_MS,
] as const;
/** Jitter: a backoff step is longer by a random share of at most this. */
export const WEBHOOK_RETRY_JITTER = 0.1;
/** A longer `Retry-After` is treated as this long. */
export const MAX_RETRY_AFTER_MS = DAY_MS;
/** Consecutive failures that open a webhook's circuit breaker. Failures that were in flight together count as one. */
export const CIRCUIT_BREAKER_FAILURES = 5;
/** Consecutive failures that disable a webhook, unless the operator sets `WEBHOOK_MAX_FAILURES`. Counted as for the circuit breaker. */
export const DEFAULT_WEBHOOK_MAX_FAILURES = 20;
/** How long the pending deliveries of an inactive webhook are held for its reactivation. */
export const WEBHOOK_HOLD_MS = 3 * DAY_MS;
/** Deliveries that a webhook keeps, without dropped ones. Past it, the oldest finished ones are deleted, then the oldest waiting ones dropped. */
export const MAX_KEPT_DELIVERIES = 100_000;
/** Stored bytes of the events and responses of these deliveries. Past it, the same happens. An event of several webhooks counts for each. */
export const MAX_KEPT_EVENT_BYTES = 100_000_000;
/** Dropped deliveries in the log of a webhook. Past it, the oldest are deleted. A dropped delivery has no body. */
export const MAX_KEPT_DROPPED_DELIVERIES = 10_000;
/** Deliveries of a webhook that one transaction deletes or drops. A transaction of a change adds at most as many. */
export const TRIMMED_DELIVERIES_PER_BATCH = 1_000;
/** Webhooks whose delivery logs one batch of the cron trims. */
export const TRIMMED_LOGS_PER_BATCH = 10;
/** Bodies of events with at least this size are compressed. For a smaller one, the further write costs more than 30 days of its storage. */
export const MIN_COMPRESSED_BODY_BYTES = 2_048;
/** Bodies that are compressed at a time, in bytes before compression, unless one body has more. */
export const COMPRESSED_TOGETHER_BYTES = 500_000;
/** How long events and their deliveries are kept. */
export const DELIVERY_RETENTION_MS = 30 * DAY_MS;
/** Delivered clicks in the delivery log of a webhook. Older ones are dropped. */
export const MAX_KEPT_CLICK_DELIVERIES = 100;
/** Attempts in the log of one delivery. Older ones are dropped. */
export const MAX_KEPT_ATTEMPTS = 20;
/** Deliveries that one call sends again. */
export const MAX_RETRIED_DELIVERIES = 1_000;
/** Attempts in flight for one webhook, and for all webhooks of an account at one host. */
export const MAX_IN_FLIGHT_PER_HOST = 25;
/** Attempts in flight for a webhook that is new or has just failed. Each success adds one, up to {@link MAX_IN_FLIGHT_PER_HOST}. */
export const FIRST_IN_FLIGHT_LIMIT = 1;
/** Connections to receivers and resolvers that one Worker invocation has open. Cloudflare allows six; one is left for the queue. */
export const MAX_DELIVERY_CONNECTIONS = 5;
/** Lease of a concurrency slot and of its deliveries, renewed with each turn. Longer than an attempt with its two DNS queries. */
export const DELIVERY_LEASE_MS = 30 * SECOND_MS;
/** Time budget of a sender. It starts no attempt after this. */
export const SENDER_BUDGET_MS = 10 * SECOND_MS;
/** Least time between two wake-ups of a sender for other senders, while it goes on. The queue needs about as long to deliver one. */
export const WAKE_UP_PAUSE_MS = SECOND_MS;
/** Concurrency slots of a webhook that wait with clicks, each with those of one queue batch. Further clicks stay in the queue. */
export const MAX_WAITING_CLICK_SLOTS = 50;
/** First backoff of a click's queue message while its webhook has no room. It doubles with each retry of the message. */
export const CLICK_EVENT_RETRY_FIRST_SECONDS = 2;
/** Longest backoff of a click's queue message while its webhook has no room. */
export const CLICK_EVENT_RETRY_LONGEST_SECONDS = 60;
/** After this many tries without room, a click is stored as a delivery. */
export const MAX_CLICK_EVENT_TRIES = 20;
/** The cron wakes up webhooks for what is due until its next run. */
export const WAKE_UP_AHEAD_MS = MINUTE_MS;
/** Webhooks that the cron reads with one statement. */
export const WEBHOOK_CRON_PAGE = 100;
/** Within this span, `lastTriggeredAt` is written once for delivered clicks. */
export const LAST_TRIGGERED_RESOLUTION_MS = SECOND_MS;
/** Messages that Queues accept in one `sendBatch`. */
export const MAX_QUEUE_BATCH_MESSAGES = 100;
/** Maximum size of one `sendBatch`. Queues accept 256,000 bytes. */
export const MAX_QUEUE_BATCH_BYTES = 240_000;
/** Maximum size of one message. Queues accept 128,000 bytes. */
export const MAX_QUEUE_MESSAGE_BYTES = 120_000;
/** The longest delay that Queues accept for a message. */
export const MAX_QUEUE_DELAY_SECONDS = 12 * 60 * 60;

// Listeners (docs/api/listeners.md)

export const MAX_LISTENERS_PER_ACCOUNT = 2;
/** A listener is gone this long after its creation or its last poll. */
export const LISTENER_TTL_MS = HOUR_MS;
/** How long a listener keeps an event. */
export const LISTENER_EVENT_TTL_MS = HOUR_MS;
/** Size of the events that a listener keeps, besides the oldest. Past it, the oldest are deleted. */
export const MAX_LISTENER_BYTES = 10_000_000;
/** Added to the size of each event's body, so that {@link MAX_LISTENER_BYTES} bounds the number of events too. */
export const LISTENER_EVENT_OVERHEAD_BYTES = 1_000;
/** The longest time that a poll waits for an event. */
export const MAX_LISTENER_WAIT_SECONDS = 20;
/** A poll that waits reads the database this often. */
export const LISTENER_READ_INTERVAL_MS = SECOND_MS;
/** Events in the response to one poll. */
export const MAX_EVENTS_PER_POLL = 100;
/** Size of the events in the response to one poll, besides the first. */
export const MAX_POLL_BYTES = 1_000_000;
/** Maximum length of a poll's cursor. It holds an offset below 2^53. */
export const MAX_LISTENER_CURSOR_CHARS = 15;

// Operation

/** Timeout of each check of `GET /api/health`. */
export const HEALTH_TIMEOUT_MS = 2 * SECOND_MS;
/** An isolate repeats its last health result for this time instead of checking again. */
export const HEALTH_CACHE_MS = 5 * SECOND_MS;
/** `max-age` of the response of `GET /api/service`. */
export const SERVICE_INFO_MAX_AGE_SECONDS = 60;
/** A queue's backlog is logged if its oldest message is older than this. */
export const BACKLOG_REPORTED_AFTER_MS = 5 * MINUTE_MS;

/** Characters in one page of a backup, unless one row or one day of clicks of a link has more. D1 binds 2 MB, and a character has up to 3 bytes. */
export const BACKUP_PAGE_CHARS = 500_000;
/** Maximum characters of clicks in one page of a backup. A call of a Durable Object returns up to 32 MiB. */
export const MAX_BACKUP_PAGE_CHARS = 8_000_000;
/** Maximum number of rows in one page of a table in a backup. */
export const BACKUP_PAGE_ROWS = 500;
/** Columns that one call of an SQL function takes. D1 accepts 32 arguments. */
export const MAX_SQL_FUNCTION_ARGUMENTS = 30;
/** Rows that one statement of a backup searches for changes. */
export const BACKUP_SEARCHED_ROWS = 50_000;
/** Durable Objects that a backup reads concurrently. */
export const BACKUP_CONCURRENT_CLICK_LOGS = 8;

// Jobs

/** Links that one portion of a job changes, with their events, in one transaction. */
export const JOB_PORTION_LINKS = 500;
/** Portions that one request, or the cron for one account, runs. A Worker invocation may call D1 a thousand times. */
export const JOB_PORTIONS_PER_RUN = 20;
/** Accounts whose jobs one run of the cron continues. */
export const JOB_ACCOUNTS_PER_CRON_RUN = 5;
/** The cron continues a job whose last portion was started this long ago. */
export const JOB_RESUME_AFTER_MS = MINUTE_MS;
/** How long a repeated request to rename or delete a tag returns the job of the first one. Clients repeat requests whose response is lost. */
export const JOB_REPEAT_MS = 10 * MINUTE_MS;
/** How long completed jobs are kept. */
export const JOB_RETENTION_MS = 30 * DAY_MS;

// Exports

/** The time in which started exports count. */
export const EXPORT_WINDOW_MS = HOUR_MS;
/** Exports of all data that an account starts in any {@link EXPORT_WINDOW_MS}. */
export const MAX_ACCOUNT_EXPORTS_PER_WINDOW = 2;
/** Exports of links, clicks or QR codes that an account starts in any {@link EXPORT_WINDOW_MS}. */
export const MAX_FILE_EXPORTS_PER_WINDOW = 10;
/** Exports of all data of an account that run at the same time; also its exports of links, clicks or QR codes. */
export const MAX_RUNNING_EXPORTS = 2;
/** Exports of all data of an account that are kept. A new one deletes the oldest. Their files fit into a Durable Object, which holds 10 GB. */
export const MAX_KEPT_ACCOUNT_EXPORTS = 4;
/** Exports of links, clicks or QR codes of an account that are kept. A new one deletes the oldest. Their files fit into a Durable Object, which holds 10 GB. */
export const MAX_KEPT_FILE_EXPORTS = 20;
/** Stored bytes of an export of all data. It is below 4 GB, beyond which a ZIP file needs extensions that some programs lack. */
export const MAX_ACCOUNT_EXPORT_BYTES = 2_000_000_000;
/** Stored bytes of an export of links, clicks or QR codes, compressed. A million links take about 100 MB. */
export const MAX_FILE_EXPORT_BYTES = 450_000_000;
/** Size of a table in a ZIP file, before compression, after which its records go on in another file of it. */
export const MAX_EXPORT_ENTRY_BYTES = 1_000_000_000;
/** An export is deleted after this time. */
export const EXPORT_TTL_MS = 7 * DAY_MS;
/** Links that the start of an export counts, at least {@link MAX_EXPORTED_CODES}. If more match, `total` is at first the number of all links of the account. */
export const MAX_COUNTED_EXPORT_LINKS = 10_000;
/** Links that an export names by their ids. A request body has room for them. */
export const MAX_LISTED_EXPORT_LINKS = 1_000;
/** QR codes in one ZIP file. Drawing one takes up to 10 ms of CPU time. */
export const MAX_EXPORTED_CODES = 10_000;
/** Minimum width and height of the QR codes in a ZIP file: any short URL fits, at every level and with the widest margin. */
export const MIN_EXPORTED_QR_SIZE_PX = 128;
/** Length of a domain in the name of a QR code's file. Windows allows 255 characters for the whole name. */
export const MAX_FILE_NAME_DOMAIN_CHARS = 150;
/** Records that are read from the database at a time for an export. A link may have {@link MAX_BODY_BYTES}. */
export const EXPORT_PAGE_RECORDS = 100;
/** QR codes that are drawn and stored at a time. */
export const EXPORT_PAGE_CODES = 20;
/** Pages that one alarm writes. An invocation may call the database and Durable Objects a thousand times, and use 30 s of CPU time. */
export const EXPORT_PAGES_PER_ALARM = 50;
/** Maximum size of a stored piece of a file. A row of a Durable Object holds 2 MB. */
export const MAX_EXPORT_PIECE_BYTES = 900_000;
/** Bytes of a table that are compressed to one piece. Compression makes random bytes longer, by less than 1 %. */
export const EXPORT_CHUNK_BYTES = 800_000;
/** Bytes of a file that one call reads. A download may make a thousand calls, and a call return up to 32 MiB. */
export const EXPORT_READ_BYTES = 4_000_000;
/** First backoff after a failure of an export. It doubles with each further one. */
export const EXPORT_RETRY_MS = 5 * SECOND_MS;
/** Consecutive failures after which an export is given up: after about 40 minutes. */
export const MAX_EXPORT_FAILURES = 10;
/** Attempts to read a piece of a file, the first one included. */
export const MAX_EXPORT_READ_ATTEMPTS = 3;

// Shared pages

/** Shared pages of an account. */
export const MAX_SHARED_PAGES_PER_ACCOUNT = 100;
/** Queries for clicks by the viewers of all shared pages of an account, in any {@link RATE_LIMIT_WINDOW_MS}. The slowest take about half a second, in which the account's own queries wait. */
export const SHARED_CLICK_QUERIES_PER_ACCOUNT = 120;

// Imports

/** Maximum size of an uploaded file. */
export const MAX_IMPORT_FILE_BYTES = 50_000_000;
/** Maximum number of links in a file. */
export const MAX_IMPORT_ROWS = 100_000;
/** Maximum size of one row of a file. A link may have {@link MAX_BODY_BYTES}; its old service may have stored more. */
export const MAX_IMPORT_ROW_BYTES = 256 * 1_024;
/** Maximum number of columns of a file, or of different fields in its JSON objects. */
export const MAX_IMPORT_COLUMNS = 200;
/** Maximum length of the name of a column. The end of a longer one is cut off. */
export const MAX_IMPORT_COLUMN_CHARS = 100;
/** The bytes at the beginning of a file that its format is recognised by. */
export const IMPORT_HEAD_BYTES = 64 * 1_024;
/** Rows that are stored, checked and imported as a page. */
export const IMPORT_PAGE_ROWS = 500;
/** Links that one transaction creates. Other queries of the database wait for it. */
export const IMPORT_BATCH_LINKS = 50;
/** Rows that are validated before other calls of the isolate run: a few milliseconds of CPU. */
export const IMPORT_ROWS_PER_TURN = 25;
/** Bytes of a file after which a page of rows ends, also with fewer rows. */
export const IMPORT_PAGE_BYTES = 1_000_000;
/** Pages of rows that are read from the file at a time. */
export const IMPORT_PAGES_PER_READING = 4;
/** Rows that are shown before an import is started. */
export const IMPORT_SAMPLE_ROWS = 5;
/** Length of a cell of these rows. The end of a longer one is cut off. */
export const IMPORT_SAMPLE_CHARS = 100;
/** Hosts of a file that are listed, to choose a domain for each. */
export const MAX_IMPORT_HOSTS = 100;
/** Other slugs that are tried for a link whose slug is taken. */
export const MAX_IMPORT_SLUG_ATTEMPTS = 6;
/** Links that one page of an undo deletes. Redirects in the same isolate wait while their entries are published. */
export const IMPORT_UNDO_LINKS = 25;

// Cron

/** Maximum number of rows that one statement of the cron changes. */
export const CRON_BATCH_ROWS = 500;
/** A deleted link can be restored for this time. */
export const DELETED_LINK_KEPT_MS = 7 * DAY_MS;
/** Delay of a deleted link's final deletion, in which requests that are restoring it can finish. */
export const DELETED_LINK_PURGE_DELAY_MS = HOUR_MS;
/** A deleted account can be restored for this time. */
export const DELETED_ACCOUNT_KEPT_MS = 7 * DAY_MS;
/** Other owners of a team who are told by mail that it was deleted or restored. */
export const MAX_TOLD_OWNERS = 20;
/**
 * Delay of a deleted account's final deletion. In the first half, requests that are restoring it can finish. In the second half,
 * links that were being deleted together with the account are due too ({@link DELETED_LINK_PURGE_DELAY_MS}).
 */
export const DELETED_ACCOUNT_PURGE_DELAY_MS = 2 * HOUR_MS;
/** Maximum number of deleted links whose clicks one batch of the cron deletes. */
export const DELETED_LINKS_PER_BATCH = 50;
/** Maximum number of batches of one job in one run of the cron. */
export const MAX_CRON_BATCHES = 20;

// Jobs of a JobRunner: bulk changes

/** Jobs that an account starts in any {@link JOB_WINDOW_MS}. A file that is only uploaded is no start. */
export const MAX_JOBS_PER_WINDOW = 10;
/** The time in which started jobs count. */
export const JOB_WINDOW_MS = HOUR_MS;
/** Files to import that an account uploads in any {@link UPLOAD_WINDOW_MS}, started or not. */
export const MAX_UPLOADS_PER_WINDOW = 60;
/** The time in which uploaded files count. */
export const UPLOAD_WINDOW_MS = HOUR_MS;
/** Jobs of an account that run at the same time, those that are undone included. */
export const MAX_RUNNING_JOBS = 2;
/** How long a job at rest is kept, with what undoes it. */
export const JOB_TTL_MS = 7 * DAY_MS;
/** Time to send the next records of a job, at most {@link MAX_JOB_RECORD_BYTES} of a file. Until then, an upload that broke off takes a place of the account's jobs. */
export const JOB_RECEIVE_TIMEOUT_MS = 10 * MINUTE_MS;
/** Jobs of an account that are kept. A new one deletes the oldest that ended without a start, then the oldest finished one, or else the oldest that is ready or paused. */
export const MAX_KEPT_JOBS = 100;
/** Size of an account's stored jobs beyond which a new one deletes the oldest finished ones, then the oldest that are ready or paused. A Durable Object holds 10 GB. */
export const MAX_JOB_STORAGE_BYTES = 5_000_000_000;
/** Maximum size of a piece of a stored record. A row of a Durable Object holds 2 MB. */
export const MAX_JOB_RECORD_BYTES = 900_000;
/** Pages that one alarm runs. A page makes up to 100 calls, and an invocation may make a thousand. */
export const JOB_PAGES_PER_ALARM = 6;
/** Pause after each page, in which other calls of the isolate and of the database run. */
export const JOB_PAUSE_MS = 25;
/** Links that a job creates, changes or deletes before it slows down. */
export const JOB_FAST_LINKS = 2_000;
/** Links a second that a long import creates at most, so that redirects and the API stay fast. */
export const IMPORTED_LINKS_PER_SECOND = 100;
/** Links a second that a long job changes or deletes at most. It takes longer than to create them, because the caches get each. */
export const CHANGED_LINKS_PER_SECOND = 50;
/** First backoff after a failure of a page. It doubles with each further one. */
export const JOB_RETRY_MS = 5 * SECOND_MS;
/** Consecutive failures after which a job is given up: after about 40 minutes. */
export const MAX_JOB_FAILURES = 10;
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
