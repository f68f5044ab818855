import { DAY_MS } from "../../limits.ts";

/** How long a setup code counts. */
export const SETUP_CODE_TTL_MS = 7 * DAY_MS;
/** Random bytes of a setup code. */
export const SETUP_CODE_BYTES = 16;
/** The least number of letters and digits in the secret `SETUP_CODE`: 32 hexadecimal digits hold 128 bits. */
export const MIN_SETUP_SECRET_CHARS = 32;
/** The longest text that is read as a setup code. */
export const MAX_SETUP_CODE_CHARS = 256;
/** Tries of setup codes in a minute, from all addresses together, that are checked at once. Others wait for {@link LATE_CLAIM_MS}. */
export const PROMPT_CLAIMS_PER_MINUTE = 10;
/** How long a try waits that comes after too many others. Strangers slow the owner down, and never lock the owner out. */
export const LATE_CLAIM_MS = 5_000;
/** The longest origin: https:// and a host name. */
export const MAX_ORIGIN_CHARS = 261;
