/** Everything a webhook can be told of (6.1). */
export const EVENT_TYPES = [
  "link.click",
  "link.create",
  "link.update",
  "link.delete",
  "link.expired",
  "domain.verified",
  "domain.lost",
  "webhook.test",
] as const;

export type EventType = (typeof EVENT_TYPES)[number];
