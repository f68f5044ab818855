import type { Batch } from "../../platform/database/batch.ts";
import { LISTENER_EVENT_OVERHEAD_BYTES, MAX_LISTENER_BYTES } from "../../limits.ts";
import type { OutgoingEvent } from "../../platform/outbox/event-types.ts";
import { COUNTS } from "./health.ts";

/**
 * Stores the events of a turn and removes their deliveries. The lease fences it, like the results of attempts: repeated, it
 * changes nothing. Events that ended {@link MAX_LISTENER_BYTES} before the newest one are deleted. Call it before the turn is ended.
 */
export function keepEvents(
  batch: Batch,
  { listenerId, lease }: { listenerId: string; lease: string },
  events: readonly OutgoingEvent[],
  now: number,
): void {
  for (const { id, type, body } of events) {
    // Parameters of COUNTS: ?1 webhook, ?2 event, ?3 lease.
    batch.add(
      `INSERT INTO listener_events (listener_id, end_offset, event_id, type, body, arrived_at)
       SELECT w.id, w.last_offset + ${LISTENER_EVENT_OVERHEAD_BYTES} + octet_length(?5), ?2, ?4, ?5, ?6
       FROM webhooks w WHERE w.id = ?1 AND ${COUNTS}`,
      [listenerId, id, lease, type, body, now],
    );
    batch.add("DELETE FROM deliveries WHERE webhook_id = ?1 AND event_id = ?2 AND lease = ?3", [listenerId, id, lease]);
    batch.add(
      "DELETE FROM event_bodies WHERE event_id = ?1 AND NOT EXISTS (SELECT 1 FROM deliveries WHERE event_id = ?1)",
      [id],
    );
  }
  batch.add(
    `DELETE FROM listener_events WHERE listener_id = ?1
       AND end_offset <= (SELECT last_offset FROM webhooks WHERE id = ?1) - ${MAX_LISTENER_BYTES}`,
    [listenerId],
  );
}
