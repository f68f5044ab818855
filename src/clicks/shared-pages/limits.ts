/** Shared pages of an account. */
export const MAX_SHARED_PAGES_PER_ACCOUNT = 100;

/** Queries for clicks by the viewers of all shared pages of an account, in any {@link RATE_LIMIT_WINDOW_MS}. The slowest take about half a second, in which the account's own queries wait. */
export const SHARED_CLICK_QUERIES_PER_ACCOUNT = 120;
