import { DAY_MS } from "../duration.ts";

/** Maximum length of what an owner is told besides the reason of a takedown. */
export const MAX_STATEMENT_CHARS = 1_000;

/** Owners of an account who get a mail about a takedown. */
export const MAX_TOLD_OWNERS = 20;

/** Of entries of what operators did. Takedowns themselves are kept. */
export const OPERATOR_ENTRY_RETENTION_MS = 730 * DAY_MS;
