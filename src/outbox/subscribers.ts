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
  id: string;
  link_ids: string | null;
  tag_keys: string | null;
}

/** Returns the account's active webhooks that subscribe to `type`, read through an index. */
export async function findSubscribers(db: D1Database, accountId: number, type: EventType): Promise<Subscriber[]> {
  const { results } = await db
    .prepare(
      `SELECT id, link_ids, tag_keys FROM webhooks
       WHERE account_id = ?1 AND status = 'active' AND instr(events, '"' || ?2 || '"') > 0 ORDER BY id`,
    )
    .bind(accountId, type)
    .all<SubscriberRow>();
  return results.map((row) => ({
    webhookId: row.id,
    linkIds: row.link_ids === null ? null : (JSON.parse(row.link_ids) as string[]),
    tagKeys: row.tag_keys === null ? null : (JSON.parse(row.tag_keys) as string[]),
  }));
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
