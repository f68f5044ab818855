import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../limits.ts";

// URLs

/** URLs within a URL that are looked up with it. */
export const MAX_NESTED_URLS = 8;
/** Hosts without a scheme in the parameters of a URL that are looked up with it. */
export const MAX_NESTED_HOSTS = 64;
/** A URL within a URL within a URL is two levels deep. */
export const MAX_NESTED_DEPTH = 3;
/** URLs in one call of the Screener. */
export const MAX_SCREENED_URLS = 1_000;
/** A request waits so long for the Screener, and then goes on without it. */
export const SCREENING_TIMEOUT_MS = SECOND_MS;

// List files

/** Entries of one list file. A longer one is refused. In memory each takes 8 bytes. */
export const MAX_LIST_ENTRIES = 1_500_000;
/** Size of a list file. A larger one is refused. */
export const MAX_LIST_BYTES = 128_000_000;
/** Time to read a list file. */
export const LIST_TIMEOUT_MS = 2 * MINUTE_MS;
/** Longer lines of a list file are no entries. */
export const MAX_LIST_LINE_CHARS = 4_096;
/** Share of the lines that may be unreadable. */
export const MAX_UNREADABLE_SHARE = 0.1;
/** A new list with a smaller share of the entries of the last one is refused. */
export const MIN_KEPT_SHARE = 0.5;
/** Hashes in one stored chunk: 128 KiB. A row may have 2 MB. */
export const HASHES_PER_CHUNK = 16_384;
/** Chunks in memory: 24 MB. */
export const MAX_CHUNKS_IN_MEMORY = 192;
/** Pause between two successful refreshes of a list. */
export const LIST_REFRESH_MS = 6 * HOUR_MS;
/** Pause after a refresh that failed. */
export const LIST_RETRY_MS = HOUR_MS;

// Rescreening

/** When a link is screened again, counted from its creation or change. */
export const RESCREENING_MS = [0, 10 * MINUTE_MS, HOUR_MS, 4 * HOUR_MS, DAY_MS] as const;
/** Then daily while it is clicked. Without clicks the pause doubles up to this number of days. */
export const MAX_RESCREENING_PAUSE_DAYS = 32;
/** Links that are screened again at once. */
export const LINKS_PER_RESCREENING = 50;
/** Size of the Screener's storage above which no further link is screened again. A link takes about 100 bytes. */
export const MAX_SCREENER_BYTES = 5_000_000_000;
/** Clicks are asked for so long. After that, the links count as clicked. */
export const RESCREENING_CLICKS_TIMEOUT_MS = 5 * SECOND_MS;

/** A verdict that holds for a limited time is confirmed so long before its end, or for the last third of the time if that is shorter. */
export const CONFIRMATION_LEAD_MS = 10 * MINUTE_MS;

/** A confirmation that fails is repeated after a third of this time. */
export const CONFIRMATION_RETRY_MS = 3 * MINUTE_MS;

// Providers

/** Length of a URL, percent-encoded, about which Web Risk is asked. */
export const MAX_WEB_RISK_URI_CHARS = 6_000;

/** Failures in a row after which a provider is not asked for a pause. */
export const PROVIDER_FAILURES = 3;
/** The first such pause. It doubles with each further failure. */
export const PROVIDER_PAUSE_MS = MINUTE_MS;
/** The longest such pause. */
export const MAX_PROVIDER_PAUSE_MS = HOUR_MS;
/** Answers of a provider that are kept in memory. */
export const MAX_KEPT_ANSWERS = 5_000;
/** How long an answer of a provider is kept at most. */
export const PROVIDER_ANSWER_TTL_MS = 10 * MINUTE_MS;
/** URLs that providers are asked about in one call. Each takes up to six requests. */
export const MAX_ASKED_URLS = 200;
/** Time for an answer of Web Risk. */
export const PROVIDER_TIMEOUT_MS = 2 * SECOND_MS;
/** Size of such an answer. */
export const MAX_PROVIDER_RESPONSE_BYTES = 100_000;
/** A call that asks providers takes at most so long. */
export const JUDGEMENT_TIMEOUT_MS = MINUTE_MS;
