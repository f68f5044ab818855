import { Parameters, type Condition, type Value } from "../database/parameters.ts";
import { SENT_DELIVERIES, webhooksAtHost } from "./connections.ts";
import { MAX_IN_FLIGHT_PER_HOST } from "../../limits.ts";
import { IS_EXCEEDED } from "./trim-delivery-log.ts";
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
  /** The recipient whose delivery is leased for its wake-up; null: the consumer leases what is due. */
  first: string | null;
}

/** The lease of a delivery that its wake-up carries to the consumer. */
export interface FirstLease {
  lease: string;
  now: number;
  expiresAt: number;
}

export interface Statement {
  sql: string;
  values: readonly Value[];
}

/**
 * The statements that store the bodies of events with several recipients, write the deliveries, and read the recipients.
 * Without subscribers they write nothing. They are idempotent. With `first`, a delivery that has the only recipient of its event
 * is leased, if it may be sent at once.
 */
export function outboxStatements(
  { select, parameters, account }: EventSource,
  ids: EventIds,
  first: FirstLease | null,
): [bodies: Statement, deliveries: Statement, recipients: Statement] {
  const tables = account === undefined ? "s CROSS JOIN webhooks w" : "webhooks w CROSS JOIN s";
  const inAccount = account === undefined ? "" : `w.account_id = ${account} AND`;
  // Has no row if the account has fewer than two webhooks. Then the source is not run.
  const several =
    account === undefined ? "" : `(SELECT 1 FROM webhooks WHERE account_id = ${account} LIMIT 1 OFFSET 1) CROSS JOIN`;
  const added = typeof ids === "string" ? "d.event_id = ?1" : "d.event_id BETWEEN ?1 AND ?2";
  const bounds = typeof ids === "string" ? [ids] : [ids.first, ids.last];
  return [
    {
      sql: `WITH s AS (${select})
        INSERT INTO event_bodies (event_id, body)
        SELECT s.id, s.body FROM ${several} s WHERE (SELECT count(*) FROM webhooks w WHERE ${SUBSCRIBED}) > 1
        ON CONFLICT (event_id) DO NOTHING`,
      values: parameters,
    },
    first === null
      ? {
          sql: `WITH s AS (${select})
            INSERT INTO deliveries (event_id, webhook_id, type, status, due_at, created_at, body)
            SELECT s.id, w.id, s.type, 'pending', s.created_at, s.created_at, iif(${IS_SHARED}, NULL, s.body)
            FROM ${tables} WHERE ${inAccount} ${SUBSCRIBED} ON CONFLICT DO NOTHING`,
          values: parameters,
        }
      : insertFirst({ select, parameters }, `${tables} WHERE ${inAccount} ${SUBSCRIBED}`, first),
    // A RETURNING clause on the insert would read two rows even without subscribers.
    {
      sql: `SELECT d.event_id AS id, json_group_array(d.webhook_id) AS webhooks,
          coalesce(octet_length(d.body), (SELECT octet_length(body) FROM event_bodies b WHERE b.event_id = d.event_id)) AS bytes,
          (SELECT json_group_array(webhook_id) FROM delivery_totals WHERE ${IS_EXCEEDED} AND webhook_id IN (
            SELECT webhook_id FROM deliveries r WHERE r.event_id = d.event_id)) AS exceeded,
          ${first === null ? "NULL" : `max(iif(d.status = 'sending' AND d.lease = ?2, d.webhook_id, NULL))`} AS first
        FROM deliveries d WHERE ${added} GROUP BY d.event_id`,
      values: first === null ? bounds : [...bounds, first.lease],
    },
  ];
}

/** SQL for whether the body of the event `s` is stored for several recipients. */
const IS_SHARED = "EXISTS (SELECT 1 FROM event_bodies WHERE event_id = s.id)";

/**
 * Inserts the deliveries of one event. If it has one recipient that may be sent to, the delivery is leased, unless something waits at the
 * host, or an ended lease of the recipient has not been made due yet.
 */
function insertFirst(
  { select, parameters }: Pick<EventSource, "select" | "parameters">,
  recipients: string,
  { lease, now, expiresAt }: FirstLease,
): Statement {
  const all = new Parameters(parameters);
  const [leased, time, end] = [lease, now, expiresAt].map((value) => all.add(value)) as [string, string, string];
  return {
    // With a LIMIT, SQLite computes the columns of a subquery once.
    sql: `WITH s AS (${select}),
        recipient AS (
          SELECT s.id AS event_id, s.type, s.created_at, s.body, ${IS_SHARED} AS is_shared,
            w.id, w.account_id, w.host, w.listener_slot IS NOT NULL AS is_listener
          FROM ${recipients} LIMIT -1),
        delivery AS (
          SELECT *, NOT is_shared AND NOT is_listener AND (
            SELECT max(id = r.id AND may_send AND in_use < in_flight_limit) AND sum(in_use) < ${MAX_IN_FLIGHT_PER_HOST}
              AND NOT max(may_send AND waits)
            FROM (${webhooksAtHost("(SELECT r.account_id, r.host)", time)} LIMIT -1)
          ) AND NOT EXISTS (
            SELECT 1 FROM ${SENT_DELIVERIES} WHERE status = 'sending' AND webhook_id = r.id AND sending_until <= ${time}
          ) AS is_leased
          FROM recipient r LIMIT -1)
      INSERT INTO deliveries (event_id, webhook_id, type, status, sending_until, due_at, lease, created_at, body)
      SELECT event_id, id, type, iif(is_leased, 'sending', 'pending'), iif(is_leased, ${end}, NULL),
        iif(is_leased, NULL, created_at), iif(is_leased, ${leased}, NULL), created_at, iif(is_shared, NULL, body)
      FROM delivery WHERE true ON CONFLICT DO NOTHING`,
    values: all.values,
  };
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
