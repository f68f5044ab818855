import { HOUR_MS, SECOND_MS } from "../../limits.ts";

export const MAX_LISTENERS_PER_ACCOUNT = 2;

/** A listener is deleted this long after its creation or its last poll. */
export const LISTENER_TTL_MS = HOUR_MS;

/** How long a listener keeps an event. */
export const LISTENER_EVENT_TTL_MS = HOUR_MS;

/** The longest time that a poll waits for an event. */
export const MAX_LISTENER_WAIT_SECONDS = 20;

/** A poll that waits reads the database this often. */
export const LISTENER_READ_INTERVAL_MS = SECOND_MS;

/** Events in the response to one poll. */
export const MAX_EVENTS_PER_POLL = 100;

/** Size of the events in the response to one poll, besides the first. */
export const MAX_POLL_BYTES = 1_000_000;

/** Maximum length of a poll's cursor. It holds an offset below 2^53. */
export const MAX_LISTENER_CURSOR_CHARS = 15;
