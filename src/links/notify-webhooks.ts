import type { Context } from "hono";
import type { HttpEnv } from "../http/context.ts";
import { notifyWebhooks } from "../outbox/messages.ts";

/** Has the senders of these webhooks look at once what a change owes them. */
export function wake(c: Pick<Context<HttpEnv>, "env" | "executionCtx">, webhookIds: readonly string[]): void {
  if (webhookIds.length > 0) c.executionCtx.waitUntil(notifyWebhooks(c.env.DELIVERIES, webhookIds));
}
