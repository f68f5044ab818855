import { DAY_MS } from "../../limits.ts";

/** The response to a request with an Idempotency-Key is stored for this time. */
export const IDEMPOTENCY_TTL_MS = DAY_MS;

/** Maximum length of an Idempotency-Key. */
export const MAX_IDEMPOTENCY_KEY_CHARS = 255;
