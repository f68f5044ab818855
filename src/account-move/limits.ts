import { MINUTE_MS, SECOND_MS } from "../duration.ts";

/** Rows that are copied, or whose changes are copied, in one transaction. */
export const ROWS_PER_PAGE = 500;

/** A run of the cron copies for this time and goes on in the next one. */
export const RUN_MS = 25 * SECOND_MS;

/** Maximum number of rounds in which a run copies what was changed meanwhile, before the writes for the account are stopped. */
export const MAX_CATCH_UP_ROUNDS = 20;

/** The rows in the former database are kept for this time: longer than any cache serves copies, and than any request takes. */
export const FORMER_ROWS_KEPT_MS = 2 * MINUTE_MS;

/** Bytes of rows in one statement. */
export const MAX_STATEMENT_BYTES = 500_000;
