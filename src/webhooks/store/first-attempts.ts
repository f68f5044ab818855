import type { FirstDelivery } from "../../context.ts";
import { Batch } from "../../database/batch.ts";
import { CRON_BATCH_ROWS } from "../../limits.ts";
import { readBody, SELECTED_BODY } from "../../outbox/body.ts";
import { readWebhook, type TurnEvent, type WebhookState } from "./turns.ts";

/** Deliveries whose first attempt is made by the isolate that stored them: their status is `sending`. */

/** A delivery with its webhook as it is now; null: it was deleted. */
export interface FirstTurn {
  webhook: WebhookState | null;
  event: TurnEvent;
  leaseEndsAt: number;
}

/** Reads a delivery under its lease, or returns null if the lease has ended. */
export async function readFirstTurn(
  db: D1Database,
  { webhookId, eventId, lease }: FirstDelivery,
): Promise<FirstTurn | null> {
  const batch = new Batch(db);
  const delivery = batch.add<Omit<TurnEvent, "id"> & Pick<FirstTurn, "leaseEndsAt">>(
    `SELECT d.type, d.step, d.created_at AS createdAt, ${SELECTED_BODY} AS body, d.sending_until AS leaseEndsAt
     FROM deliveries d WHERE d.event_id = ?1 AND d.webhook_id = ?2 AND d.lease = ?3`,
    [eventId, webhookId, lease],
  );
  const webhook = readWebhook(batch, webhookId);
  await batch.commit();
  if (delivery.first === undefined) return null;
  const { leaseEndsAt, ...event } = delivery.first;
  return { webhook: webhook(), event: { ...event, id: eventId, body: await readBody(event.body) }, leaseEndsAt };
}

const MAKE_PENDING = "UPDATE deliveries SET status = 'pending', due_at = ?1, lease = NULL, sending_until = NULL";

/** Leaves a delivery to the senders. */
export async function leaveToSenders(db: D1Database, { webhookId, eventId, lease }: FirstDelivery, now: number) {
  await db
    .prepare(`${MAKE_PENDING} WHERE event_id = ?2 AND webhook_id = ?3 AND lease = ?4`)
    .bind(now, eventId, webhookId, lease)
    .run();
}

/** The cron's part: leaves those to the senders whose isolate has crashed. */
export async function leaveAbandoned(db: D1Database, now: number): Promise<void> {
  const statement = db
    .prepare(
      `${MAKE_PENDING} WHERE (event_id, webhook_id) IN (
         SELECT event_id, webhook_id FROM deliveries INDEXED BY deliveries_by_status
         WHERE status = 'sending' AND sending_until <= ?1 LIMIT ?2) RETURNING 1 AS changed`,
    )
    .bind(now, CRON_BATCH_ROWS);
  while ((await statement.all()).results.length === CRON_BATCH_ROWS);
}
