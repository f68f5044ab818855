import { invalidRequest } from "../http/errors.ts";
import { TEMPLATE_EVENTS } from "./messages/placeholders.ts";
import { toWebhook, type WebhookRow } from "./store/row.ts";
import type { WebhookChanges } from "./store/webhooks.ts";

/**
 * Throws a 400 if the webhook would have templates that it cannot use after the changes: it sends no messages, or not the event.
 * The error names a field of the changes.
 */
export function requireUsableTemplates(webhook: WebhookRow | null, changes: WebhookChanges): void {
  const stored = webhook === null ? null : toWebhook(webhook);
  const templates = changes.templates === undefined ? stored?.templates : changes.templates;
  if (templates == null) return;
  const format = changes.format ?? stored?.format ?? "event";
  if (format === "event")
    throw changes.templates === undefined
      ? refuse("format", 'event sends no messages, and the webhook has templates; remove them with "templates": null')
      : refuse("templates", "are only for messages: the format must be slack, discord or teams");
  const events = changes.events ?? stored?.events ?? [];
  for (const type of TEMPLATE_EVENTS) {
    if (templates[type] === undefined || events.includes(type)) continue;
    throw changes.templates === undefined
      ? refuse("events", `must have ${type}, which the webhook has a template for; change templates too`)
      : refuse(`templates.${type}`, `is for an event that the webhook does not send; add ${type} to events`);
  }
}

const refuse = (path: string, message: string) => invalidRequest([{ path, message }]);
