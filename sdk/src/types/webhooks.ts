import type { PageQuery } from "../list.ts";
import type { ClickRecord } from "./clicks.ts";
import type { Time } from "./common.ts";
import type { Domain } from "./domains.ts";
import type { Link } from "./links.ts";

/** The body of a delivery by its event. `timestamp` is in Unix milliseconds. */
export type WebhookEvent =
  | { event: "link.click"; timestamp: number; data: ClickEventData }
  | { event: "link.create"; timestamp: number; data: Link }
  | { event: "link.update"; timestamp: number; data: Link }
  | { event: "link.delete"; timestamp: number; data: Link }
  | { event: "link.expired"; timestamp: number; data: ExpiredLink }
  | { event: "domain.verified"; timestamp: number; data: Domain }
  | { event: "domain.lost"; timestamp: number; data: Domain }
  | { event: "webhook.test"; timestamp: number; data: { webhookId: string } };

export type EventName = WebhookEvent["event"];

export interface ClickEventData extends ClickRecord {
  link: { id: string; slug: string; domain: string; shortUrl: string; url: string };
}

/** `reason` is the setting that ended the link. */
export interface ExpiredLink extends Link {
  reason: "expiresAt" | "maxClicks";
}

export interface NewWebhook {
  id: string;
  url: string;
  events: EventName[];
  /** Only events of these links. */
  linkIds: string[] | null;
  /** Only events of links with these tags. */
  tags: string[] | null;
  /** It cannot be read again. */
  secret: string;
  status: "active" | "inactive";
  createdAt: number;
  failureCount: number;
}

/** An endpoint that receives events. `secret` is masked. */
export interface Webhook extends NewWebhook {
  disabledReason: "failures" | "gone" | "manual" | "restored" | null;
  disabledAt: number | null;
  lastTriggeredAt: number | null;
}

export interface CreateWebhook {
  url: string;
  events: EventName[];
  linkIds?: string[] | null;
  tags?: string[] | null;
}

export interface UpdateWebhook {
  url?: string;
  events?: EventName[];
  /** `active` also sets `failureCount` to 0. */
  status?: "active" | "inactive";
  linkIds?: string[] | null;
  tags?: string[] | null;
}

/** The result of a test ping. `status` is 0 without a response. */
export type Ping = { success: true; status: number } | { success: false; status: number; statusText: string };

export type DeliveryStatus = "pending" | "delivered" | "failed" | "dropped";

/** One event for one webhook. */
export interface Delivery {
  id: string;
  event: EventName;
  status: DeliveryStatus;
  attempts: { at: number; status: number; statusText: string | null; durationMs: number }[];
  nextAttemptAt: number | null;
  createdAt: number;
}

export interface DeliveryWithBodies extends Delivery {
  requestBody: string | null;
  responseBody: string | null;
}

export interface ListDeliveries extends PageQuery {
  status?: DeliveryStatus;
  event?: EventName;
  start?: Time;
  end?: Time;
}

export interface RetryDeliveries {
  since: Time;
}

/** Listeners get no test pings. */
export type ListenerEventName = Exclude<EventName, "webhook.test">;

/** A receiver of events that polls for them. */
export interface NewListener {
  id: string;
  events: ListenerEventName[];
  /** It cannot be read again. */
  secret: string;
  createdAt: number;
  /** An hour after the last poll. */
  expiresAt: number;
}

/** A listener of a list. `secret` is masked. */
export type Listener = NewListener;

export interface CreateListener {
  events: ListenerEventName[];
}

export interface PollListener {
  /** The events behind this cursor. */
  after?: string;
  /** How long to wait for an event, in seconds. */
  wait?: number;
}

export interface ListenerPoll {
  /** Each with what a webhook would receive. */
  events: { id: string; cursor: string; headers: Record<string, string>; body: string }[];
  /** `after` of the next poll. */
  next: string;
  /** Whether events behind `after` are no longer kept. */
  missed: boolean;
}
