import { eventBody } from "./statements.ts";
import type { EventType } from "./event-types.ts";
import type { ClickEventMessage } from "./messages.ts";

/** A webhook that is told of an event, with what it is limited to. */
export interface Subscriber {
  webhookId: string;
  /** Null together with `tags`: of all links. */
  linkIds: string[] | null;
  tags: string[] | null;
}

interface SubscriberRow {
  id: string;
  link_ids: string | null;
  tags: string | null;
}

/** The account's active webhooks that subscribe to `type`: one read by an index. */
export async function findSubscribers(db: D1Database, accountId: number, type: EventType): Promise<Subscriber[]> {
  const { results } = await db
    .prepare(
      `SELECT id, link_ids, tags FROM webhooks
       WHERE account_id = ?1 AND status = 'active' AND instr(events, '"' || ?2 || '"') > 0 ORDER BY id`,
    )
    .bind(accountId, type)
    .all<SubscriberRow>();
  return results.map((row) => ({
    webhookId: row.id,
    linkIds: row.link_ids === null ? null : (JSON.parse(row.link_ids) as string[]),
    tags: row.tags === null ? null : (JSON.parse(row.tags) as string[]),
  }));
}

export interface ClickEvent {
  /** A UUID version 7 of its own, the same however often the click is handed in. */
  eventId: string;
  linkId: string;
  /** The link's, for webhooks that are limited to tags. */
  tags: readonly string[];
  data: unknown;
  /** Unix milliseconds. */
  at: number;
}

/** The messages that deliver a click to those of `subscribers` that want this link's; {@link sendClicks} sends them. */
export function clickMessages(subscribers: readonly Subscriber[], click: ClickEvent): ClickEventMessage[] {
  const wanting = subscribers.filter((subscriber) => wants(subscriber, click));
  if (wanting.length === 0) return [];
  const body = eventBody("link.click", click.at, click.data);
  return wanting.map(({ webhookId }) => ({
    kind: "click",
    webhookId,
    eventId: click.eventId,
    body,
    createdAt: click.at,
  }));
}

function wants({ linkIds, tags }: Subscriber, click: ClickEvent): boolean {
  if (linkIds === null && tags === null) return true;
  if (linkIds?.includes(click.linkId) === true) return true;
  const has = new Set(click.tags.map(foldCase));
  return tags?.some((tag) => has.has(foldCase(tag))) === true;
}

/** As SQLite's lower(), by which the outbox compares tags. */
function foldCase(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
