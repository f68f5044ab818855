import { DAY_MS } from "../duration.ts";

/** Maximum length of what an owner is told besides the reason of a takedown. */
export const MAX_STATEMENT_CHARS = 1_000;

/** Entries of the operators' own list. The Screener has them in memory. */
export const MAX_SCREENING_ENTRIES = 1_000;

/** List files of an installation. Each is searched for each destination. */
export const MAX_SCREENING_FILES = 10;
/** Length of what operators note of a rule, such as the licence of a list. */
export const MAX_NOTE_CHARS = 500;

/** Owners of an account who get a mail about a takedown. */
export const MAX_TOLD_OWNERS = 20;

/** Of entries of what operators did, and of appeals. Takedowns themselves are kept. */
export const OPERATOR_ENTRY_RETENTION_MS = 730 * DAY_MS;
