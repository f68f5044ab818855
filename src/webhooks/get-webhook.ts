import type { RequestContext } from "../context.ts";
import { forbidden, notFound } from "../http/errors.ts";
import { isId } from "../lib/uuid.ts";
import { findWebhook, type WebhookRow } from "./store/webhooks.ts";

export const webhookNotFound = () => notFound("There is no such webhook.");
export const webhookForbidden = () => forbidden("This webhook belongs to another account.");

/** Returns the account's webhook. Throws 404 if it does not exist, and 403 if it belongs to another account. */
export async function getWebhook(
  { env, principal }: Pick<RequestContext, "env" | "principal">,
  id: string,
): Promise<WebhookRow> {
  const row = isId(id) ? await findWebhook(env.DB, id) : null;
  if (row === null) throw webhookNotFound();
  if (row.account_id !== principal.accountId) throw webhookForbidden();
  return row;
}
