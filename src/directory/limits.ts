import { DAY_MS, HOUR_MS, SECOND_MS } from "../duration.ts";

/** An entry of another database is left alone for this time, because its link may be about to be stored. */
export const RESERVATION_MS = 60 * SECOND_MS;

/** How long a lost token is kept: longer than any request or page of a job that may still use it, ms. */
export const LOST_TOKEN_KEPT_MS = DAY_MS;

/** Maximum number of attempts to reserve a key while others take and give it back. */
export const MAX_RESERVATION_ATTEMPTS = 3;

/** How many databases are directories, the first ones. An installation that grows from one database keeps one. */
export const DIRECTORIES = 1;

/** A database with more bytes gets no new accounts, so that those that it has can grow: half of what D1 stores in a database. */
export const FULL_FOR_NEW_ACCOUNTS_BYTES = 5_000_000_000;

/** How often it is looked where new accounts go, ms. */
export const ACCOUNT_RANGE_INTERVAL_MS = HOUR_MS;

/** Databases that are asked for their sizes concurrently. */
export const CONCURRENT_SIZES = 4;
