import { Parameters, type Condition, type Value } from "../database/parameters.ts";
import { EXCEEDED_LOGS } from "./trim-delivery-log.ts";
import type { EventType } from "./event-types.ts";

/** The events to write, as a SELECT with one row per event. */
export interface EventSource {
  /**
   * Selects `id`, `account_id`, `type`, `link_id`, `tag_keys`, `body` and `created_at`. The columns of the link are NULL
   * for other events.
   */
  select: string;
  parameters: Value[];
  /** SQL for the account, if all events belong to one. If it has no webhooks, `select` is not run. */
  account?: string;
}

// Both lists hold keys between borders, so a key that is found in the text of the webhook's list is one of its keys. To
// parse that list for each link took most of the time of a bulk call.
const MATCHES_LINK = `s.link_id IS NULL OR (w.link_ids IS NULL AND w.tags IS NULL) OR instr(w.link_ids, s.link_id) > 0
  OR EXISTS (SELECT 1 FROM json_each(s.tag_keys) t WHERE instr(w.tag_keys, json_quote(t.value)) > 0)`;

const SUBSCRIBED = `w.account_id = s.account_id AND w.status = 'active' AND instr(w.events, '"' || s.type || '"') > 0
  AND (${MATCHES_LINK})`;

/** The id of one event, or a range of ids with both ends included. */
export type EventIds = string | { first: string; last: string };

/** An event that was written, as the third statement of {@link outboxStatements} reads it. */
export interface WrittenEvent {
  id: string;
  /** JSON array of the recipients' ids. */
  webhooks: string;
  /** Size of the stored body. */
  bytes: number;
  /** JSON array of the recipients whose delivery logs exceed a limit. */
  exceeded: string;
}

export interface Statement {
  sql: string;
  values: readonly Value[];
}

/**
 * The statements that write events, write their deliveries, and read the recipients. Without subscribers they write
 * nothing. They are idempotent.
 */
export function outboxStatements(
  { select, parameters, account }: EventSource,
  ids: EventIds,
): [events: Statement, deliveries: Statement, recipients: Statement] {
  const tables = account === undefined ? "s CROSS JOIN webhooks w" : "webhooks w CROSS JOIN s";
  const inAccount = account === undefined ? "" : `w.account_id = ${account} AND`;
  const added = typeof ids === "string" ? "e.id = ?1" : "e.id BETWEEN ?1 AND ?2";
  const bounds = typeof ids === "string" ? [ids] : [ids.first, ids.last];
  return [
    {
      sql: `WITH s AS (${select})
        INSERT INTO events (id, type, body, webhooks, created_at)
        SELECT s.id, s.type, s.body, json_group_array(w.id), s.created_at
        FROM ${tables} WHERE ${inAccount} ${SUBSCRIBED}
        GROUP BY s.id ON CONFLICT (id) DO NOTHING`,
      values: parameters,
    },
    {
      sql: `INSERT INTO deliveries (webhook_id, event_id, type, status, due_at)
        SELECT j.value, e.id, e.type, 'pending', e.created_at FROM events e CROSS JOIN json_each(e.webhooks) j
        WHERE ${added} ON CONFLICT DO NOTHING`,
      values: bounds,
    },
    // A RETURNING clause on the insert would read two rows even without subscribers.
    {
      sql: `SELECT e.id, e.webhooks, octet_length(e.body) AS bytes,
          (SELECT json_group_array(webhook_id) FROM ${EXCEEDED_LOGS} AND instr(e.webhooks, webhook_id) > 0) AS exceeded
        FROM events e WHERE ${added}`,
      values: bounds,
    },
  ];
}

export interface AccountEvent {
  id: string;
  accountId: number;
  type: EventType;
  data: unknown;
  now: number;
}

/**
 * The source of an event whose data is known before the change, such as `domain.verified`. The event is written if
 * `condition` is that of the change.
 */
export function accountEventSource(event: AccountEvent, condition: Condition): EventSource {
  const body = eventBody(event.type, event.now, event.data);
  const parameters = new Parameters([event.id, event.accountId, event.type, body, event.now]);
  const select = `SELECT ?1 AS id, ?2 AS account_id, ?3 AS type, NULL AS link_id, NULL AS tag_keys, ?4 AS body, ?5 AS created_at
    WHERE ${condition(parameters)}`;
  return { select, parameters: parameters.values, account: "?2" };
}

/** The body of a delivery. */
export function eventBody(type: EventType, timestamp: number, data: unknown): string {
  return JSON.stringify({ event: type, timestamp, data });
}
