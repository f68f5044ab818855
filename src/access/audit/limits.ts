import { DAY_MS } from "../../limits.ts";

/** Actions and kinds of a filter. */
export const MAX_FILTERED_ACTIONS = 20;

/** Length of an action or a kind in a filter. */
export const MAX_ACTION_CHARS = 40;

/** Entries of the period that a filter or a file may have to read. */
export const MAX_SEARCHED_ENTRIES = 50_000;

/** Entries that a file reads at once. */
export const AUDIT_FILE_PAGE_ENTRIES = 1_000;

/** How long entries of the audit log are kept. */
export const AUDIT_ENTRY_KEPT_MS = 365 * DAY_MS;
