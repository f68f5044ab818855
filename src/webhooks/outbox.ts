import type { EventType } from "./event-types.ts";

/** What an event reports, as a SELECT: no row, no event. */
export interface EventSource {
  /**
   * Has the columns `id`, `account_id`, `type`, `link_id` and `link_tags` (NULL: of no link; tags between
   * two U+001F each), `body` and `created_at`.
   */
  select: string;
  parameters: (string | number | null)[];
  /** SQL for the account, if all events are of one: nothing else is read where that has no webhooks. */
  account?: string;
}

type Parameter = string | number | null;

const OF_LINK = `s.link_id IS NULL OR (w.link_ids IS NULL AND w.tags IS NULL) OR instr(w.link_ids, s.link_id) > 0
  OR EXISTS (SELECT 1 FROM json_each(w.tags) t WHERE instr(lower(s.link_tags), char(31) || lower(t.value) || char(31)) > 0)`;

const SUBSCRIBED = `w.account_id = s.account_id AND w.status = 'active' AND instr(w.events, '"' || s.type || '"') > 0
  AND (${OF_LINK})`;

/** The ids of a batch's events: one, or those from one to another. */
export type EventIds = string | { first: string; last: string };

/**
 * The three statements that put events into the outbox, for the batch of the change that they report: after it,
 * or before it where the change takes away what is reported. Where nobody subscribes they write nothing, and
 * repeated they do nothing.
 */
export function outboxStatements(db: D1Database, source: EventSource, ids: EventIds): D1PreparedStatement[] {
  const { account } = source;
  const tables = account === undefined ? "s CROSS JOIN webhooks w" : "webhooks w CROSS JOIN s";
  const ofAccount = account === undefined ? "" : `w.account_id = ${account} AND`;
  const added = typeof ids === "string" ? "e.id = ?1" : "e.id BETWEEN ?1 AND ?2";
  const bounds = typeof ids === "string" ? [ids] : [ids.first, ids.last];
  return [
    db
      .prepare(
        `WITH s AS (${source.select})
         INSERT INTO events (id, type, body, webhooks, created_at)
         SELECT s.id, s.type, s.body, json_group_array(w.id), s.created_at
         FROM ${tables} WHERE ${ofAccount} ${SUBSCRIBED}
         GROUP BY s.id ON CONFLICT (id) DO NOTHING`,
      )
      .bind(...source.parameters),
    db
      .prepare(
        `INSERT INTO deliveries (webhook_id, event_id, status, due_at)
         SELECT j.value, e.id, 'pending', e.created_at FROM events e CROSS JOIN json_each(e.webhooks) j
         WHERE ${added} ON CONFLICT DO NOTHING`,
      )
      .bind(...bounds),
    // RETURNING would cost two reads also where there is nothing to return.
    db.prepare(`SELECT e.webhooks FROM events e WHERE ${added}`).bind(...bounds),
  ];
}

/** Whom to wake, from the result of the last of {@link outboxStatements}. */
export function wokenBy(result: D1Result | undefined): string[] {
  const rows = (result?.results ?? []) as { webhooks: string }[];
  return [...new Set(rows.flatMap(({ webhooks }) => JSON.parse(webhooks) as string[]))];
}

export interface AccountEvent {
  id: string;
  accountId: number;
  type: EventType;
  data: unknown;
  now: number;
}

/**
 * An event of an account whose data is known before the change, such as `domain.verified`. It is emitted
 * where `condition` holds: SQL about the database after the change, with the parameters `?6` and on.
 */
export function accountEventSource(
  event: AccountEvent,
  condition: { sql: string; parameters: Parameter[] },
): EventSource {
  return {
    select: `SELECT ?1 AS id, ?2 AS account_id, ?3 AS type, NULL AS link_id, NULL AS link_tags, ?4 AS body, ?5 AS created_at
      WHERE ${condition.sql}`,
    parameters: [
      event.id,
      event.accountId,
      event.type,
      eventBody(event.type, event.now, event.data),
      event.now,
      ...condition.parameters,
    ],
    account: "?2",
  };
}

/** The body of a delivery (6.2). */
export function eventBody(type: EventType, timestamp: number, data: unknown): string {
  return JSON.stringify({ event: type, timestamp, data });
}
