import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../limits.ts";

/** Calls within this time after the first 429 do not count as ignoring `Retry-After`: they may have been sent before it. */
export const PENALTY_GRACE_MS = SECOND_MS;

/** Calls that ignore `Retry-After` without a penalty. The next one brings it. */
export const PENALTY_FORGIVEN_CALLS = 10;

/** Length of the first penalty. Each further one is twice as long. */
export const PENALTY_FIRST_MS = MINUTE_MS;

/** Maximum length of a penalty. */
export const PENALTY_LONGEST_MS = HOUR_MS;

/** For each period of this length without a penalty, the last one counts as half as long. */
export const PENALTY_DECAY_MS = 10 * MINUTE_MS;

/** Timeout of a call to the limiter. After it, the limiter counts as failed. */
export const RATE_LIMITER_TIMEOUT_MS = 2 * SECOND_MS;

/** The limiter of a client deletes its storage at most this often. An earlier alarm would cost a written row for each minute with calls. */
export const CLEANUP_INTERVAL_MS = DAY_MS;

/** Calls of one client whose keys are read and found wrong, revoked or expired, or whose access tokens are unknown, in a {@link RATE_LIMIT_WINDOW_MS}. Further ones are refused unread. */
export const MAX_FAILED_KEYS_PER_ADDRESS = 1_000;

/** Calls of one client and operation, or of one app, whose valid keys or known access tokens are read before the rate limit refuses them, in a {@link RATE_LIMIT_WINDOW_MS}. */
export const MAX_REFUSED_READS_PER_ADDRESS = 1_000;

/** Refusals by the limiter that an isolate remembers, to repeat them by itself: about 1 MB. */
export const MAX_REMEMBERED_REFUSALS = 10_000;

/** Resolution of the times in the windows of a key with limits of its own. Without it, each call would write the times of all calls of its window. */
export const KEY_LIMIT_RESOLUTION_MS = SECOND_MS;

/** Links that one account creates in any {@link RATE_LIMIT_WINDOW_MS}, unless the operator sets `ACCOUNT_LINKS_PER_MINUTE`. One address can create 250. */
export const DEFAULT_ACCOUNT_LINKS_PER_MINUTE = 1_000;

/** Calls of one network (IPv4 /24, IPv6 /48) that create a link without a key, in any {@link RATE_LIMIT_WINDOW_MS}. */
export const ANONYMOUS_LINKS_PER_NETWORK = 60;

/** Links of one network that are created without a key in a {@link RATE_LIMIT_WINDOW_MS} before further ones count as a burst. */
export const ANONYMOUS_BURST_LINKS = 20;

/** Calls of all clients that create a link without a key, in any {@link RATE_LIMIT_WINDOW_MS}, unless the operator sets `ANONYMOUS_LINKS_PER_MINUTE`; 0 permits none. */
export const DEFAULT_ANONYMOUS_LINKS_PER_MINUTE = 1_000;

/** Minimum of `ACCOUNT_LINKS_PER_MINUTE`, so that a bulk creation of {@link MAX_BULK_LINKS} can be accepted. */
export const MIN_ACCOUNT_LINKS_PER_MINUTE = 100;

/** Maximum of `ACCOUNT_LINKS_PER_MINUTE` and `ANONYMOUS_LINKS_PER_MINUTE`. The limiter of all anonymous callers keeps 8 bytes in memory for each of their calls of the last minute. */
export const MAX_LINKS_PER_MINUTE_SETTING = 100_000;

/** Resolution of the times in the limits of created links. Without it, each call would write the times of all links of a window. */
export const CREATION_RESOLUTION_MS = SECOND_MS;
