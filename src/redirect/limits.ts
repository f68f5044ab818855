import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../limits.ts";

/** Wrong guesses of one client at the passwords of all links and shared pages in any {@link RATE_LIMIT_WINDOW_MS}. */
export const PASSWORD_GUESSES_AT_ALL_LINKS = 30;

/** Wrong guesses of one IPv6 /48 at the password of one link or shared page in any {@link RATE_LIMIT_WINDOW_MS}. */
export const PASSWORD_GUESSES_PER_NETWORK = 20;

/** Wrong guesses of one IPv6 /48 at the passwords of all links and shared pages in any {@link RATE_LIMIT_WINDOW_MS}. */
export const PASSWORD_GUESSES_OF_NETWORK_AT_ALL_LINKS = 120;

/** Password cookies that are verified in one request. Browsers send one. */
export const MAX_PASSWORD_COOKIES_PER_REQUEST = 8;

/** An entry in the memory cache is used for this long without a look at the edge cache. */
export const MEMORY_CACHE_FRESH_MS = 5 * SECOND_MS;

/** This long before an entry in the memory cache stops being fresh, one request refreshes it in the background. */
export const MEMORY_CACHE_REFRESH_BEFORE_MS = SECOND_MS;

/** An entry that was read from the database less than this ago is used without another read. */
export const ENTRY_FRESH_MS = 30 * SECOND_MS;

/**
 * An entry in the memory cache is fresh for at most this long after its read. Of the 35 seconds after which a change is visible, 3
 * are left for the change itself and for visits that have begun.
 */
export const ENTRY_SERVED_MS = 32 * SECOND_MS;

/** Both caches keep an entry this long after the read, to answer when the database fails. */
export const STALE_ENTRY_TTL_MS = DAY_MS;

/** A link read again within this time is in use. If several isolates use it, the edge cache gets the new read. */
export const EDGE_COPY_IN_USE_MS = 5 * MINUTE_MS;

/** From this age, the edge cache's copy of an unchanged entry is replaced, so that it lasts for another day. */
export const EDGE_COPY_REWRITE_AFTER_MS = HOUR_MS;

/** Reads of the nearest replica, and of the primary, that an isolate has under way for look-ups of what no cache has. */
export const MAX_READS_UNDER_WAY = 4;

/**
 * Look-ups that travel in one read. Each is a query of its own for D1, which allows 50 an invocation on the Free plan. An invocation makes
 * at most four such reads: at the replica and at the primary, for its slug and for its domain. It may read the hosts that are taken down too.
 */
export const MAX_LOOKUPS_PER_READ = 12;

/** Look-ups that wait for a read in an isolate. Visitors beyond it get a 503. */
export const MAX_WAITING_LOOKUPS = 1_000;

/** Reads that do not find all that they look for, in an isolate. The following reads wait to keep to it. */
export const EMPTY_READS_PER_SECOND = 50;

/** Such reads after which none waits if there were none before. */
export const EMPTY_READS_AT_ONCE = 10;

/** Different unknown slugs that an isolate looks up for one client (IPv4 address, IPv6 /64) in any {@link RATE_LIMIT_WINDOW_MS}. */
export const UNKNOWN_SLUGS_PER_CLIENT = 60;

/** Clients whose unknown slugs an isolate remembers. With their slugs at most about 10 MB, because the look-ups of a minute are bounded. */
export const MAX_REMEMBERED_SEARCHERS = 10_000;

/** Longest `Retry-After` of a refused look-up. Requests get different ones, so that they do not all come back at once. */
export const REFUSED_LOOKUP_RETRY_SECONDS = 3;

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

/** The page that tries to open an app continues in the browser after this time. */
export const OPEN_APP_TIMEOUT_MS = 1_500;

/** `max-age` of a file's response. */
export const APP_ASSOCIATION_MAX_AGE_SECONDS = 300;

/** `max-age` of a document as Markdown. A deployment changes it. */
export const DOCUMENT_MAX_AGE_SECONDS = 300;

/** How long a browser keeps the choice that its visits are not counted. Chrome keeps no cookie longer. */
export const UNCOUNTED_COOKIE_MAX_AGE_SECONDS = (400 * DAY_MS) / SECOND_MS;

/** How long a fetched security.txt is valid. RFC 9116 recommends less than a year. */
export const SECURITY_TEXT_TTL_MS = 180 * DAY_MS;

/** How long a warning of Web Risk holds at most. It ends earlier if the answer expires earlier. */
export const ADVISORY_TTL_MS = 30 * MINUTE_MS;

/**
 * How long an isolate keeps which hosts are taken down. Redirects use an older list, up to {@link ENTRY_FRESH_MS} after its read, while it is
 * read again.
 */
export const TAKEN_DOWN_HOSTS_TTL_MS = 10 * SECOND_MS;
