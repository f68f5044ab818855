import { isDeletedAccount } from "../database/account-states.ts";
import { MAX_IN_FLIGHT_PER_HOST } from "../limits.ts";

/**
 * SQL for whether the first attempt of an event for the webhook `w` may be made at the time `now` by the isolate that commits the
 * event: its circuit is closed, it has a free connection, and nobody waits at its host. Senders take turns there, so an event that
 * came later must not be sent before those that wait. `now` is SQL.
 */
export function maySendFirst(now: string): string {
  const atHost = "webhooks h WHERE h.account_id = w.account_id AND h.host = w.host";
  return `(w.listener_slot IS NULL AND w.resume_at IS NULL AND NOT ${isDeletedAccount("w.account_id")}
    AND w.in_flight_limit > ${connectionsOf("w", now)}
    AND ${MAX_IN_FLIGHT_PER_HOST} > (SELECT sum(${connectionsOf("h", now)}) FROM ${atHost})
    AND NOT EXISTS (SELECT 1 FROM ${atHost} AND (
      EXISTS (SELECT 1 FROM webhook_slots s WHERE s.webhook_id = h.id AND s.expires_at <= ${now})
      OR h.status = 'active' AND coalesce(h.resume_at, 0) <= ${now} AND EXISTS (
        SELECT 1 FROM deliveries d INDEXED BY deliveries_due WHERE d.webhook_id = h.id AND d.due_at <= ${now}))))`;
}

/** SQL for the connections of a webhook: those of its slots, and one for each delivery that is sent by the isolate that stored it. */
const connectionsOf = (webhook: string, now: string) => `(
  (SELECT coalesce(sum(s.connections), 0) FROM webhook_slots s WHERE s.webhook_id = ${webhook}.id AND s.expires_at > ${now})
  + (SELECT count(*) FROM deliveries d INDEXED BY deliveries_by_status
     WHERE d.status = 'sending' AND d.webhook_id = ${webhook}.id AND d.sending_until > ${now}))`;
