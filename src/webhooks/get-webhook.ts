import { requirePermissions } from "../platform/auth/require-permissions.ts";
import { forbidden, notFound } from "../platform/http/errors.ts";
import { isId } from "../platform/lib/uuid.ts";
import { permissionsOf } from "./event-permissions.ts";
import { toWebhook, type WebhookRow } from "./store/row.ts";
import { findWebhook } from "./store/read.ts";
import type { RequestContext } from "../platform/auth/principal.ts";

export const webhookNotFound = () => notFound("not_found", { resource: "webhook" });
export const webhookForbidden = () => forbidden("of_another_account", { resource: "webhook" });

/** Returns the account's webhook. Throws 404 if it does not exist, and 403 if it belongs to another account. */
export async function getWebhook(
  { db, principal }: Pick<RequestContext, "db" | "principal">,
  id: string,
): Promise<WebhookRow> {
  const row = isId(id) ? await findWebhook(db, id) : null;
  if (row === null) throw webhookNotFound();
  if (row.account_id !== principal.accountId) throw webhookForbidden();
  return row;
}

/** As {@link getWebhook}. Also throws 403 if the key lacks a permission to read the events of the webhook. */
export async function getReadableWebhook(context: RequestContext, id: string): Promise<WebhookRow> {
  const row = await getWebhook(context, id);
  requirePermissions(context.principal, permissionsOf(toWebhook(row).events));
  return row;
}
