import { DAY_MS, MINUTE_MS } from "../../src/limits.ts";

/** Maximum factor of an account with limits by key. The busiest operation then takes 12,000 calls a minute of one key. */
export const MAX_RATE_LIMIT_FACTOR = 100;

/** Lifetime of the link with which the demo person signs in. */
export const SIGN_IN_LINK_TTL_MS = DAY_MS;

/** Lifetime of the link with which a person signs in whom the operator lets in. */
export const OPERATOR_LINK_TTL_MS = 15 * MINUTE_MS;

/** Maximum value of a quota that an operator sets, in links or bytes. JavaScript numbers have all digits of it. */
export const MAX_QUOTA = Number.MAX_SAFE_INTEGER;

/** Maximum number of rows in one page of a table in a backup. */
export const BACKUP_PAGE_ROWS = 500;

/** Columns that one call of an SQL function takes. D1 accepts 32 arguments. */
export const MAX_SQL_FUNCTION_ARGUMENTS = 30;

/** Rows that one statement of a backup searches for changes. */
export const BACKUP_SEARCHED_ROWS = 50_000;

/** Durable Objects that a backup reads concurrently. */
export const BACKUP_CONCURRENT_CLICK_LOGS = 8;
