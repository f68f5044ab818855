import { MINUTE_MS } from "../duration.ts";

/** A person who signed in or confirmed their identity within this time may do what is dangerous. */
export const CONFIRMATION_TTL_MS = 10 * MINUTE_MS;
