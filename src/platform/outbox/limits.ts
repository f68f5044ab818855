import { SECOND_MS } from "../../limits.ts";

/**
 * Lease of a delivery or of a row of clicks, taken for one attempt or stored with the delivery. Longer than an attempt with its two
 * DNS queries.
 */
export const DELIVERY_LEASE_MS = 30 * SECOND_MS;

/** Deliveries of a webhook that one transaction deletes or drops. A transaction of a change adds at most as many. */
export const TRIMMED_DELIVERIES_PER_BATCH = 1_000;

/** Webhooks whose delivery logs one batch of the cron trims. */
export const TRIMMED_LOGS_PER_BATCH = 10;

/** Size of all delivery logs of a database, which has at most 10 GB. Past it, the largest logs are trimmed. */
export const MAX_ALL_LOGS_BYTES = 2_000_000_000;

/** Approximate size of a delivery without the bodies of its event and its response, with its entries in indexes. */
export const DELIVERY_OVERHEAD_BYTES = 500;

/** Bodies of events with at least this size are compressed. For a smaller one, the further write costs more than 30 days of its storage. */
export const MIN_COMPRESSED_BODY_BYTES = 2_048;

/** Bodies that are compressed at a time, in bytes before compression, unless one body has more. */
export const COMPRESSED_TOGETHER_BYTES = 500_000;

/** Maximum size of one `sendBatch`. Queues accept 256,000 bytes. */
export const MAX_QUEUE_BATCH_BYTES = 240_000;

/** Maximum size of one message. Queues accept 128,000 bytes. */
export const MAX_QUEUE_MESSAGE_BYTES = 120_000;

/** The longest delay that Queues accept for a message. */
export const MAX_QUEUE_DELAY_SECONDS = 12 * 60 * 60;
