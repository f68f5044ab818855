import { HOUR_MS } from "../../limits.ts";

/**
 * Delay of a deleted account's final deletion. In the first half, requests that are restoring it can finish. In the second half,
 * links that were being deleted together with the account are due too ({@link DELETED_LINK_PURGE_DELAY_MS}).
 */
export const DELETED_ACCOUNT_PURGE_DELAY_MS = 2 * HOUR_MS;
