import { lacksPermissions } from "../platform/auth/require-permissions.ts";
import { conflict, notFound } from "../platform/http/errors.ts";
import { sendWakeUps } from "../platform/outbox/messages.ts";
import type { Delivery } from "./delivery-contract.ts";
import { permissionsOf, unreadableEvents } from "./event-permissions.ts";
import { getDelivery } from "./get-delivery.ts";
import { getReadableWebhook } from "./get-webhook.ts";
import * as store from "./store/deliveries.ts";
import { findUndeliveredTypes } from "./store/read-delivery-log.ts";
import type { RequestContext } from "../platform/auth/principal.ts";

const isInactive = () => conflict("webhook_inactive");

/** Makes a delivery due now and wakes up a sender. Throws a 409 if it was dropped. Returns the delivery. */
export async function retryDelivery(context: RequestContext, id: string, deliveryId: string): Promise<Delivery> {
  const { db, now } = context;
  await getDelivery(context, id, deliveryId);
  const result = await store.retryDelivery(db, id, deliveryId, now);
  if (result.outcome === "not_found") throw notFound("click_delivered");
  if (result.outcome === "dropped") throw conflict("delivery_dropped");
  if (result.outcome === "inactive") throw isInactive();
  context.waitUntil(sendWakeUps(context.env, [id]));
  return result.delivery;
}

/** The same for the events since a time that failed or wait for their next attempt. Returns their number. */
export async function retryDeliveries(context: RequestContext, id: string, since: number): Promise<number> {
  const { db, now, principal } = context;
  const webhook = await getReadableWebhook(context, id);
  // The webhook may have subscribed to other events before.
  const unreadable = unreadableEvents(principal.permissions);
  const missing = permissionsOf(await findUndeliveredTypes(db, webhook.id, unreadable, since));
  if (missing.length > 0) throw lacksPermissions(principal, missing);
  const retried = await store.retryDeliveries(db, webhook.id, since, now);
  if (retried === null) throw isInactive();
  // Also without any: deliveries that are due may have waited for the circuit breaker.
  context.waitUntil(sendWakeUps(context.env, [webhook.id]));
  return retried;
}
