import { requirePermissions } from "../platform/auth/require-permissions.ts";
import { notFound } from "../platform/http/errors.ts";
import { isId } from "../platform/lib/uuid.ts";
import { readBody } from "../platform/outbox/body.ts";
import type { DeliveryWithBodies } from "./delivery-contract.ts";
import { permissionsOf } from "./event-permissions.ts";
import { getReadableWebhook } from "./get-webhook.ts";
import { findDelivery } from "./store/read-delivery-log.ts";
import type { RequestContext } from "../platform/auth/principal.ts";

const deliveryNotFound = () => notFound("not_found", { resource: "delivery" });

/**
 * Returns a delivery with what was sent and received. Throws 404 if it does not exist, and 403 if the key lacks a permission
 * to read the events of the webhook, or this event, which the webhook may have subscribed to before.
 */
export async function getDelivery(
  context: RequestContext,
  id: string,
  deliveryId: string,
): Promise<DeliveryWithBodies> {
  const { db, principal } = context;
  const webhook = await getReadableWebhook(context, id);
  const found = isId(deliveryId) ? await findDelivery(db, webhook.id, deliveryId) : null;
  if (found === null) throw deliveryNotFound();
  const { delivery, body, responseBody } = found;
  requirePermissions(principal, permissionsOf([delivery.event]));
  return { ...delivery, requestBody: body === null ? null : await readBody(body), responseBody };
}
