import { isLiveOrRestorable } from "../database/account-states.ts";
import { eventBody } from "./statements.ts";
import type { EventType } from "./event-types.ts";
import type { ClickEventMessage } from "./messages.ts";

/** An active webhook that subscribes to an event type, with its filters. */
export interface Subscriber {
  webhookId: string;
  /** A link matches if it is in `linkIds` or has one of the tags. Both null: all links match. */
  linkIds: string[] | null;
  tagKeys: string[] | null;
}

interface SubscriberRow {
  /** Null: the account has no such webhook. */
  id: string | null;
  link_ids: string | null;
  tag_keys: string | null;
  is_active: 0 | 1;
  click_retention_days: number | null;
}

/** The webhooks of an account that subscribe to an event type. */
export interface Subscribers {
  active: Subscriber[];
  /** Whether a change that no caller announces can follow: a restore activates webhooks, and jobs rename the tags of filters. */
  mayChangeUnnoticed: boolean;
  /** For how many days the account keeps single clicks; null: it chose nothing. */
  clickRetentionDays: number | null;
}

/**
 * Returns the account's webhooks that subscribe to `type`, read through an index, or null if the account does not exist or can
 * no longer be restored.
 */
export async function findSubscribers(
  db: D1Database,
  accountId: number,
  type: EventType,
  now: number,
): Promise<Subscribers | null> {
  const { results } = await db
    .prepare(
      `SELECT w.id, w.link_ids, w.tag_keys, w.status = 'active' AS is_active, a.click_retention_days
       FROM accounts a LEFT JOIN webhooks w
         ON w.account_id = a.id AND instr(w.events, '"' || ?2 || '"') > 0
       WHERE a.id = ?1 AND ${isLiveOrRestorable("a.deleted_at", "?3")} ORDER BY w.id`,
    )
    .bind(accountId, type, now)
    .all<SubscriberRow>();
  const [first] = results;
  if (first === undefined) return null;
  const webhooks = results.filter(({ id }) => id !== null);
  const active = webhooks.filter(({ is_active: isActive }) => isActive === 1);
  return {
    active: active.map(({ id, link_ids: links, tag_keys: tags }) => ({
      webhookId: id ?? "",
      linkIds: parseList(links),
      tagKeys: parseList(tags),
    })),
    mayChangeUnnoticed: active.length < webhooks.length || active.some(({ tag_keys: tags }) => tags !== null),
    clickRetentionDays: first.click_retention_days,
  };
}

function parseList(json: string | null): string[] | null {
  return json === null ? null : (JSON.parse(json) as string[]);
}

export interface ClickEvent {
  /** UUID version 7, the same on every redelivery of the click. */
  eventId: string;
  linkId: string;
  /** The keys of the link's tags, as the database has them. */
  tagKeys: readonly string[];
  data: unknown;
  /** When the click happened, Unix milliseconds. */
  at: number;
}

/** The messages that deliver a click to the subscribers whose filters match, for `queueClickEvents`. */
export function clickMessages(subscribers: readonly Subscriber[], click: ClickEvent): ClickEventMessage[] {
  const recipients = subscribers.filter((subscriber) => matches(subscriber, click));
  if (recipients.length === 0) return [];
  const body = eventBody("link.click", click.at, click.data);
  return recipients.map(({ webhookId }) => ({
    kind: "click_event",
    webhookId,
    eventId: click.eventId,
    body,
    createdAt: click.at,
  }));
}

function matches({ linkIds, tagKeys }: Subscriber, click: ClickEvent): boolean {
  if (linkIds === null && tagKeys === null) return true;
  return linkIds?.includes(click.linkId) === true || tagKeys?.some((key) => click.tagKeys.includes(key)) === true;
}
