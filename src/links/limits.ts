import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../limits.ts";

// Limits of links that other folders use too, such as the lengths of destinations, slugs and titles, are in src/limits.ts.

/** Maximum size of one piece of a stored response. Each is a row, and D1 allows 2 MB for a row. */
export const MAX_RESPONSE_PIECE_BYTES = 900_000;

/** Minimum length of a search text: the trigram index cannot find shorter ones. */
export const MIN_SEARCH_CHARS = 3;

/** Maximum length of a search text. */
export const MAX_SEARCH_CHARS = 50;

/** Maximum size of a pattern of LIKE in D1. */
export const MAX_LIKE_PATTERN_BYTES = 50;

/** The places of a word of a search where ss and ß are looked for. Each doubles the spellings. */
export const MAX_SHARP_S_PER_WORD = 3;

/** The characters at the start of a URL that a search text can be found in. The schema has the same number. */
export const SEARCHED_URL_CHARS = 1_024;

/** Links that a list counts. If there are more, it only says so. */
export const MAX_COUNTED_LINKS = 1_000;

/** Domains that a filter of links names. */
export const MAX_FILTER_DOMAINS = 20;
/** Keys and users that a filter of links can name. */
export const MAX_FILTER_CREATORS = 50;

/** Links that the tags which a filter leaves out may have: a page of a list may read all of them. */
export const MAX_LEFT_OUT_LINKS = 10_000;

/**
 * Bytes that every link counts besides its texts: about what its row and its entries in indexes take. Besides its texts, a
 * link with a URL of 40 characters takes 470 bytes, with a title and two tags 800, and with UTM parameters too 1,190: the sizes
 * in docs/adr/0010-search-index.md less the texts.
 */
export const LINK_OVERHEAD_BYTES = 800;

/** Length of a random slug. */
export const RANDOM_SLUG_CHARS = 7;

/** Maximum number of random slugs that are tried for one link. A second one is rarely needed. */
export const MAX_SLUG_ATTEMPTS = 5;

/** Numbered variants of a slug that its check looks up, to suggest one that is free. */
export const NUMBERED_SLUG_VARIANTS = 4;

/** Maximum number of links that one bulk request creates, updates or deletes. */
export const MAX_BULK_LINKS = 100;

/** Maximum length of one UTM value. */
export const MAX_UTM_CHARS = 255;

/** Unix milliseconds (2001). Earlier times are taken for seconds. */
export const MIN_EXPIRES_AT = 1_000_000_000_000;

/** Maximum length of an `externalId`. */
export const MAX_EXTERNAL_ID_CHARS = 255;

/** Maximum number of rules of a link. */
export const MAX_RULES_PER_LINK = 50;

/** Maximum number of values in one condition of a rule. */
export const MAX_RULE_VALUES = 50;

/** Maximum number of countries with a destination; enough for all countries. */
export const MAX_GEO_TARGETS = 250;

/** Minimum length of the password of a link or a shared page. */
export const MIN_PASSWORD_CHARS = 8;

/** Maximum value of `maxClicks`. */
export const MAX_MAX_CLICKS = 1_000_000_000;

/** An anonymous link expires after this time. */
export const ANONYMOUS_LINK_TTL_MS = 30 * DAY_MS;

/** Anonymous links that one browser can claim at a time. Further ones belong to nobody. */
export const MAX_CLAIMS_PER_BROWSER = 50;

/** The clicks of a claimed link are deleted in the ClickLogs of anonymous links after this time, once they are copied again. */
export const CLICK_MOVE_DELAY_MS = 10 * MINUTE_MS;

/** Claimed links whose clicks one run of the cron moves. Each takes about five calls of Durable Objects and the database. */
export const CLICK_MOVES_PER_RUN = 20;

/** Claimed links whose clicks a claim moves at the same time. */
export const CONCURRENT_CLICK_MOVES = 6;

/** A claim waits this long for the clicks of its links; the rest is moved after the response. */
export const CLICK_MOVE_TIMEOUT_MS = 3_000;

/** A response with links waits this long for current click counters. */
export const CLICK_COUNTERS_TIMEOUT_MS = SECOND_MS;

/** Delay of a deleted link's final deletion, in which requests that are restoring it can finish. */
export const DELETED_LINK_PURGE_DELAY_MS = HOUR_MS;

/** Links that one transaction changes, with their events. The rows and the events of as many of the largest links fit in memory. */
export const LINKS_PER_TRANSACTION = 100;

/** Maximum number of times that a change of a link is decided if other requests change the link meanwhile. */
export const MAX_DECISIONS = 16;
/** Maximum wait, in milliseconds, before the second decision. Each further wait may be twice as long. */
export const CHANGE_BACKOFF_MS = 20;
/** Maximum wait before any decision. */
export const MAX_CHANGE_BACKOFF_MS = 2_000;

/** Body of a bulk creation beyond which an object makes it: it takes 250 ms of CPU time for each megabyte. */
export const MAX_OWN_CREATION_BYTES = 128 * 1_024;

/** Body of a bulk change or deletion beyond which an object makes it: the ids of four links. A link of {@link MAX_BODY_BYTES} takes 10 ms. */
export const MAX_OWN_IDS_BYTES = 200;

/** Links that have ended, beyond which an object notices it for a list: one of {@link MAX_BODY_BYTES} takes 2.5 ms of CPU time. */
export const MAX_OWN_EXPIRIES = 20;
