import { DAY_MS, MINUTE_MS } from "../../limits.ts";

/** A person who signed in or confirmed their identity within this time may do what is dangerous. */
export const CONFIRMATION_TTL_MS = 10 * MINUTE_MS;

/** The connection of an app ends when it was not used for this time. */
export const GRANT_IDLE_TTL_MS = 90 * DAY_MS;
