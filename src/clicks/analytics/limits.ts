import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../limits.ts";

/** Pages of the values of a dimension: the 1,000 most frequent values. */
export const MAX_VALUE_PAGES = 10;

/** Values of one filter of clicks, and links of one query. */
export const MAX_FILTER_VALUES = 100;

/** Links that a query for clicks selects by tag and domain. Their ids are about 400 KB. */
export const MAX_SELECTED_LINKS = 10_000;

/** Buckets of a time series. */
export const MAX_BUCKETS = 1_000;

/** Newest clicks in a response with totals. */
export const RECENT_CLICKS = 10;

/** A WebSocket for live clicks is closed after this time, unless its key expires earlier. The client opens another one. */
export const LIVE_SOCKET_TTL_MS = 5 * MINUTE_MS;

/** Links whose short URLs a CSV file of clicks keeps in memory. */
export const MAX_KNOWN_SHORT_URLS = 10_000;

/** A custom range up to this length has hourly buckets: three days, one of which may have 25 hours. */
export const MAX_HOURLY_PERIOD_MS = 3 * DAY_MS + HOUR_MS;

/** A custom range up to this length has daily buckets, a longer one monthly buckets. */
export const MAX_DAILY_PERIOD_MS = 100 * DAY_MS + HOUR_MS;

/** Longest custom range: 20 years, which are at most 241 months. */
export const MAX_PERIOD_YEARS = 20;
export const MAX_PERIOD_MS = MAX_PERIOD_YEARS * 366 * DAY_MS;

/** The longest IANA name has 32 characters. */
export const MAX_TIME_ZONE_CHARS = 64;
