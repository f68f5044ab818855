import { LISTENER_EVENT_OVERHEAD_BYTES } from "../../../limits.ts";
import type { OutgoingEvent } from "../../../platform/outbox/event-types.ts";
import { LISTENER_EVENT_TTL_MS, MAX_EVENTS_PER_POLL, MAX_POLL_BYTES } from "../limits.ts";

/**
 * The events that listeners keep for polls. An event's offset is the number of bytes of all events up to it, in the order in
 * which they arrived, so offsets are cursors and bound the size too. D1 runs transactions one after the other: an event
 * that is stored later has a higher offset.
 */

/** An event with its offsets. */
export interface KeptEvent extends OutgoingEvent {
  start: number;
  end: number;
}

interface EventRow extends OutgoingEvent {
  end_offset: number;
  bytes: number;
}

const KEPT = "FROM listener_events WHERE listener_id = ?1 AND end_offset > ?2 AND arrived_at > ?3";

/**
 * Returns the first events after the offset, at most {@link MAX_EVENTS_PER_POLL}, and after the first one at most
 * {@link MAX_POLL_BYTES}.
 */
export async function listEvents(db: D1Database, listenerId: string, after: number, now: number): Promise<KeptEvent[]> {
  const { results } = await db
    .prepare(
      `SELECT event_id AS id, type, body, end_offset, octet_length(body) + ${LISTENER_EVENT_OVERHEAD_BYTES} AS bytes ${KEPT}
         AND end_offset <= (SELECT end_offset ${KEPT} ORDER BY end_offset LIMIT 1) + ${MAX_POLL_BYTES}
       ORDER BY end_offset LIMIT ${MAX_EVENTS_PER_POLL}`,
    )
    .bind(listenerId, after, now - LISTENER_EVENT_TTL_MS)
    .all<EventRow>();
  return results.map(({ id, type, body, end_offset: end, bytes }) => ({ id, type, body, start: end - bytes, end }));
}

/** The cron's part: deletes up to `limit` events that are no longer kept, and returns their number. */
export async function deleteOldListenerEvents(db: D1Database, now: number, limit: number): Promise<number> {
  const { results } = await db
    .prepare(
      `DELETE FROM listener_events WHERE (listener_id, end_offset) IN (
         SELECT listener_id, end_offset FROM listener_events INDEXED BY listener_events_by_age
         WHERE arrived_at <= ?1 ORDER BY arrived_at LIMIT ?2) RETURNING 1 AS deleted`,
    )
    .bind(now - LISTENER_EVENT_TTL_MS, limit)
    .all();
  return results.length;
}
