/** All event types. */
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

/** An event as it is sent. Id and body are the same on every attempt. */
export interface OutgoingEvent {
  id: string;
  type: EventType;
  body: string;
}
