import { Batch } from "../../platform/database/batch.ts";
import { unionAll } from "../../platform/database/rows.ts";
import type { Page } from "../../platform/http/pagination.ts";
import { AFTER_ALL_IDS, firstIdAt } from "../../platform/lib/uuid.ts";
import { SELECTED_BODY } from "../../platform/outbox/body.ts";
import { EVENT_TYPES, type EventType } from "../../platform/outbox/event-types.ts";
import type { Webhook } from "../contract.ts";
import { DELIVERY_STATUSES, type AttemptRecord, type Delivery } from "../delivery-contract.ts";

/** Reading the delivery log of a webhook: the stored deliveries and the newest delivered clicks. */

export interface DeliveryRow {
  event_id: string;
  type: EventType;
  status: Delivery["status"] | "sending";
  due_at: number | null;
  attempts: string;
  created_at: number;
}

/** An entry of `click_deliveries`. */
export interface ClickEntry {
  id: string;
  createdAt: number;
  attempts: AttemptRecord[];
}

/** What decides when the deliveries of a webhook are attempted. */
export interface SendingState {
  status: Webhook["status"];
  /** With an open circuit breaker, no attempt is made before this time. */
  resume_at: number | null;
}

/** The deliveries to list. Absent fields select all. */
export interface DeliveryFilters {
  status?: Delivery["status"] | undefined;
  event?: EventType | undefined;
  /** Events at this time or later, Unix milliseconds. */
  start?: number | undefined;
  /** Events before this time. */
  end?: number | undefined;
}

const COLUMNS = "d.event_id, d.type, d.status, d.due_at, d.attempts, d.created_at";

/** Selects a delivery. Parameters: ?1 webhook, ?2 event. */
export const SELECT_ONE = `SELECT ${COLUMNS}, d.response_body, iif(d.status = 'dropped', NULL, ${SELECTED_BODY}) AS body
  FROM deliveries d WHERE d.webhook_id = ?1 AND d.event_id = ?2`;
export const SELECT_STATE = "SELECT status, resume_at FROM webhooks WHERE id = ?1";
const SELECT_CLICKS = "SELECT entries FROM click_deliveries WHERE webhook_id = ?1";

/** The resource on the wire. A delivery that is held for an inactive webhook has no next attempt. */
export function toDelivery(row: DeliveryRow, webhook: SendingState | undefined): Delivery {
  const waits = row.status === "pending" && row.due_at !== null && webhook?.status === "active";
  return {
    id: row.event_id,
    event: row.type,
    status: row.status === "sending" ? "pending" : row.status,
    attempts: JSON.parse(row.attempts) as AttemptRecord[],
    nextAttemptAt: waits ? Math.max(row.due_at ?? 0, webhook.resume_at ?? 0) : null,
    createdAt: row.created_at,
  };
}

function toClickDelivery({ id, createdAt, attempts }: ClickEntry): Delivery {
  return { id, event: "link.click", status: "delivered", attempts, nextAttemptAt: null, createdAt };
}

function parseClicks(row: { entries: string } | undefined): ClickEntry[] {
  return JSON.parse(row?.entries ?? "[]") as ClickEntry[];
}

/**
 * Returns the deliveries that match, newest event first, with one more than the page holds. It reads rows in proportion to
 * the page, whatever the filters.
 */
export async function listDeliveries(
  db: D1Database,
  webhookId: string,
  filters: DeliveryFilters,
  page: Page,
): Promise<Delivery[]> {
  const first = firstIdAt(filters.start ?? 0);
  const end = filters.end === undefined ? AFTER_ALL_IDS : firstIdAt(filters.end);
  const before = page.after !== null && page.after < end ? page.after : end;
  const count = page.offset + page.limit + 1;
  const batch = new Batch(db);
  const stored = batch.add<DeliveryRow>(
    `SELECT ${COLUMNS}
     FROM (SELECT event_id FROM (${rangesOf(filters)}) ORDER BY event_id DESC LIMIT ?4) l
       CROSS JOIN deliveries d ON d.event_id = l.event_id AND d.webhook_id = ?1
     ORDER BY d.event_id DESC`,
    [webhookId, first, before, count],
  );
  const log = batch.add<{ entries: string }>(SELECT_CLICKS, [webhookId]);
  const webhook = batch.add<SendingState>(SELECT_STATE, [webhookId]);
  await batch.commit();
  const hasClicks = (filters.status ?? "delivered") === "delivered" && (filters.event ?? "link.click") === "link.click";
  const clicks = hasClicks ? parseClicks(log.first).filter(({ id }) => id >= first && id < before) : [];
  return [...stored.rows.map((row) => toDelivery(row, webhook.first)), ...clicks.map(toClickDelivery)]
    .sort((a, b) => (a.id < b.id ? 1 : -1))
    .slice(page.offset, count);
}

/**
 * SQL for the ids of the newest deliveries of each status and type that match: these are ranges of the index. Parameters: ?1
 * webhook, ?2 first id, ?3 end of the ids, ?4 number of rows.
 */
function rangesOf({ status, event }: DeliveryFilters): string {
  const shown = status === undefined ? DELIVERY_STATUSES : [status];
  // What is being sent is shown as pending.
  const statuses = shown.flatMap((each) => (each === "pending" ? ["sending", each] : [each]));
  const types = event === undefined ? EVENT_TYPES : [event];
  const ranges = statuses.flatMap((each) =>
    types.map(
      (type) =>
        `SELECT * FROM (SELECT event_id FROM deliveries INDEXED BY deliveries_by_status
           WHERE status = '${each}' AND webhook_id = ?1 AND type = '${type}' AND event_id >= ?2 AND event_id < ?3
           ORDER BY event_id DESC LIMIT ?4)`,
    ),
  );
  return unionAll(ranges);
}

/** A delivery with what was sent and received. Null: not kept. */
interface FoundDelivery {
  delivery: Delivery;
  /** The stored body of the event, see `src/platform/outbox/body.ts`. */
  body: string | null;
  responseBody: string | null;
}

/** Returns which of these event types the webhook has undelivered events of, since a time. They may be sent again. */
export async function findUndeliveredTypes(
  db: D1Database,
  webhookId: string,
  types: readonly EventType[],
  since: number,
): Promise<EventType[]> {
  const { results } = await db
    .prepare(
      `SELECT x.value AS type FROM json_each(?2) x WHERE EXISTS (SELECT 1 FROM deliveries d INDEXED BY deliveries_by_status
         WHERE d.status IN ('failed', 'pending', 'sending') AND d.webhook_id = ?1 AND d.type = x.value AND d.event_id >= ?3)`,
    )
    .bind(webhookId, JSON.stringify(types), firstIdAt(since))
    .all<{ type: EventType }>();
  return results.map(({ type }) => type);
}

/** Returns a delivery, or null if the webhook has none with this id. */
export async function findDelivery(db: D1Database, webhookId: string, eventId: string): Promise<FoundDelivery | null> {
  const batch = new Batch(db);
  const stored = batch.add<DeliveryRow & { body: string | null; response_body: string | null }>(SELECT_ONE, [
    webhookId,
    eventId,
  ]);
  const log = batch.add<{ entries: string }>(SELECT_CLICKS, [webhookId]);
  const webhook = batch.add<SendingState>(SELECT_STATE, [webhookId]);
  await batch.commit();
  if (stored.first !== undefined) {
    const { body, response_body: responseBody } = stored.first;
    return { delivery: toDelivery(stored.first, webhook.first), body, responseBody };
  }
  const click = parseClicks(log.first).find(({ id }) => id === eventId);
  return click === undefined ? null : { delivery: toClickDelivery(click), body: null, responseBody: null };
}
