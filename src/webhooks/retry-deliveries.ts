import type { RequestContext } from "../context.ts";
import { conflict, notFound } from "../http/errors.ts";
import { isId } from "../lib/uuid.ts";
import { sendWakeUps } from "../outbox/messages.ts";
import type { Delivery } from "./delivery-contract.ts";
import { getWebhook } from "./get-webhook.ts";
import * as store from "./store/deliveries.ts";

const isInactive = () => conflict("This webhook is inactive. Set its status to active first.");

/** Makes a delivery due now and wakes up a sender. Returns the delivery. */
export async function retryDelivery(context: RequestContext, id: string, deliveryId: string): Promise<Delivery> {
  const { env, now } = context;
  const webhook = await getWebhook(context, id);
  const result = isId(deliveryId) ? await store.retryDelivery(env.DB, webhook.id, deliveryId, now) : null;
  if (result === null || result.outcome === "not_found")
    throw notFound("This webhook has no such delivery. The events of delivered clicks are not kept.");
  if (result.outcome === "inactive") throw isInactive();
  context.waitUntil(sendWakeUps(env.DELIVERIES, [webhook.id]));
  return result.delivery;
}

/** The same for the events since a time that failed or wait for their next attempt. Returns their number. */
export async function retryDeliveries(context: RequestContext, id: string, since: number): Promise<number> {
  const { env, now } = context;
  const webhook = await getWebhook(context, id);
  const retried = await store.retryDeliveries(env.DB, webhook.id, since, now);
  if (retried === null) throw isInactive();
  // Also without any: deliveries that are due may have waited for the circuit breaker.
  context.waitUntil(sendWakeUps(env.DELIVERIES, [webhook.id]));
  return retried;
}
