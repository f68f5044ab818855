/** What a webhook sends: the event itself, or a message about it in the format of a chat service. */
export const WEBHOOK_FORMATS = ["event", "slack", "discord", "teams"] as const;

export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

/** The formats of messages. */
export type ChatFormat = Exclude<WebhookFormat, "event">;
