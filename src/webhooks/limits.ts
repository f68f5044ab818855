import { DAY_MS, DNS_TIMEOUT_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../limits.ts";

/** Maximum number of items in the `linkIds`, and in the `tags`, of a webhook. */
export const MAX_WEBHOOK_FILTER_ITEMS = 100;

/** How long the previous secret signs after a rotation. */
export const OLD_SECRET_TTL_MS = DAY_MS;

/** Secrets of a webhook that sign at the same time: the present one and replaced ones. At this number there is no rotation. */
export const MAX_SIGNING_SECRETS = 3;

/** Timeout of an attempt, from the request to the end of the response body. */
export const WEBHOOK_TIMEOUT_MS = 10 * SECOND_MS;

/** The longest that an attempt takes: two DNS queries, one after the other, and the request. */
export const LONGEST_ATTEMPT_MS = 2 * DNS_TIMEOUT_MS + WEBHOOK_TIMEOUT_MS;

/** A receiver's response body is read up to this size. */
export const MAX_WEBHOOK_RESPONSE_BYTES = 16 * 1_024;

/** The delivery log keeps the beginning of the response to a failed attempt, up to this size as received. */
export const MAX_KEPT_RESPONSE_BYTES = 4 * 1_024;

/** The delivery log keeps a receiver's reason phrase up to this length. */
export const MAX_STATUS_TEXT_CHARS = 100;

/** Backoff after failed attempt 1, 2, … of a delivery. A delivery that fails after the last step is given up. */
export const WEBHOOK_RETRY_STEPS_MS = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  HOUR_MS,
  3 * HOUR_MS,
  8 * HOUR_MS,
] as const;

/** Jitter: a backoff step is longer by a random share of at most this. */
export const WEBHOOK_RETRY_JITTER = 0.1;

/** Consecutive failures that open a webhook's circuit breaker. Failures that were in flight together count as one. */
export const CIRCUIT_BREAKER_FAILURES = 5;

/** Consecutive failures that disable a webhook, unless the operator sets `WEBHOOK_MAX_FAILURES`. Counted as for the circuit breaker. */
export const DEFAULT_WEBHOOK_MAX_FAILURES = 20;

/** How long the pending deliveries of an inactive webhook are held for its reactivation. */
export const WEBHOOK_HOLD_MS = 3 * DAY_MS;

/** How long events and their deliveries are kept. */
export const DELIVERY_KEPT_MS = 30 * DAY_MS;

/** Delivered clicks in the delivery log of a webhook. Older ones are dropped. */
export const MAX_KEPT_CLICK_DELIVERIES = 100;

/** Attempts in the log of one delivery. Older ones are dropped. */
export const MAX_KEPT_ATTEMPTS = 20;

/** Deliveries that one call sends again. */
export const MAX_RETRIED_DELIVERIES = 1_000;

/** Attempts in flight for a webhook that is new or has just failed. Each success adds one, up to {@link MAX_IN_FLIGHT_PER_HOST}. */
export const FIRST_IN_FLIGHT_LIMIT = 1;

/** Connections to receivers and resolvers that one Worker invocation has open. Cloudflare allows six; one is left for the queue. */
export const MAX_DELIVERY_CONNECTIONS = 5;

/** Time budget of a sender. It starts no attempt after this. */
export const SENDER_BUDGET_MS = 10 * SECOND_MS;

/** Least time between two wake-ups of a sender for other senders, while it goes on. The queue needs about as long to deliver one. */
export const WAKE_UP_PAUSE_MS = SECOND_MS;

/** Rows of clicks of a webhook that wait, each with those of one queue batch. Further clicks stay in the queue. */
export const MAX_WAITING_CLICK_ROWS = 50;

/** First backoff of a click's queue message while its webhook has no room. It doubles with each retry of the message. */
export const CLICK_EVENT_RETRY_FIRST_SECONDS = 2;

/** Longest backoff of a click's queue message while its webhook has no room. */
export const CLICK_EVENT_RETRY_LONGEST_SECONDS = 60;

/** After this many tries without room, a click is stored as a delivery. */
export const MAX_CLICK_EVENT_TRIES = 20;

/** The cron wakes up webhooks for what is due until its next run. */
export const WAKE_UP_AHEAD_MS = MINUTE_MS;

/** Webhooks that the cron reads with one statement. */
export const WEBHOOK_CRON_PAGE = 100;

/** Within this span, the row of a healthy webhook is written once for `lastTriggeredAt`. The totals of its log are exact. */
export const LAST_TRIGGERED_KEPT_MS = DAY_MS;

/** Within this span, `lastTriggeredAt` is written once for delivered clicks. */
export const LAST_TRIGGERED_RESOLUTION_MS = SECOND_MS;

/** Of a text of an event in a message to a chat service, in UTF-16 code units. */
export const MAX_MESSAGE_TEXT_CHARS = 150;

/** Longer URLs are shown in part in such a message, and are no links. */
export const MAX_MESSAGE_URL_CHARS = 300;
