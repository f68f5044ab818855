import { HOUR_MS, MINUTE_MS } from "../../limits.ts";

/** Resolution of `lastUsedAt` of a key: within this time it is written once. */
export const LAST_USED_RESOLUTION_MS = MINUTE_MS;

/** Resolution of the time at which a session was last used: within this time it is written once. */
export const SESSION_SEEN_RESOLUTION_MS = MINUTE_MS;

/** Reads of the public API that one session, or the tools of one app, may send in any {@link RATE_LIMIT_WINDOW_MS}. */
export const SESSION_READS = 300;

/** Changes on the public API that one session, or the tools of one app, may send in any {@link RATE_LIMIT_WINDOW_MS}. */
export const SESSION_CHANGES = 60;

/** An address may send this many times the calls of one session: several persons share it. */
export const SESSION_CALLS_PER_ADDRESS_FACTOR = 5;

/** Messages that the app of one grant may send to `/mcp` in any {@link RATE_LIMIT_WINDOW_MS}. */
export const GRANT_MESSAGES = 300;

/** Resolution of the time at which an app was last used: within this time it is written once. */
export const GRANT_USE_RESOLUTION_MS = MINUTE_MS;

/** Valid keys that an isolate remembers, and as many access tokens. They are read even if their address sent too many failed ones. */
export const MAX_REMEMBERED_KEYS = 1_000;

/** An isolate remembers a valid key or access token for this time after its last use. */
export const REMEMBERED_KEY_TTL_MS = HOUR_MS;
