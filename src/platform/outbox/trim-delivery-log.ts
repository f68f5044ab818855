import type { ServiceContext } from "../context.ts";
import { Batch } from "../database/batch.ts";
import { unionAll } from "../database/rows.ts";
import { describeError, log } from "../lib/log.ts";
import { MAX_KEPT_DELIVERIES, MAX_KEPT_DROPPED_DELIVERIES, MAX_KEPT_EVENT_BYTES } from "../../limits.ts";
import { EVENT_TYPES } from "./event-types.ts";
import { TRIMMED_DELIVERIES_PER_BATCH, TRIMMED_LOGS_PER_BATCH } from "./limits.ts";

/**
 * The bound of each webhook's delivery log. The triggers of the schema count its deliveries and bytes, so nobody counts
 * rows. Past {@link MAX_KEPT_DELIVERIES} or {@link MAX_KEPT_EVENT_BYTES} the oldest finished deliveries are deleted; when
 * there are none left, the oldest waiting ones are dropped. The log of a deleted webhook is deleted.
 */

/** SQL for whether the log with these `delivery_totals` must be trimmed. */
export const IS_EXCEEDED = `(kept > ${MAX_KEPT_DELIVERIES} OR bytes > ${MAX_KEPT_EVENT_BYTES}
    OR dropped > ${MAX_KEPT_DROPPED_DELIVERIES} OR webhook_deleted = 1)`;

interface Totals {
  kept: number;
  bytes: number;
  dropped: number;
  webhook_deleted: 0 | 1;
}

type Status = "pending" | "delivered" | "failed" | "dropped";

export interface LoggedDelivery {
  id: string;
  /** Size of the stored bodies of its event and its response. */
  bytes: number;
}

/** What is above the limits. Below a limit it is negative. */
interface Excess {
  deliveries: number;
  bytes: number;
}

/** The cron's part: trims logs that exceed a limit. It reads one row for each webhook. Returns how many deliveries it deleted or dropped. */
export async function trimExceededLogs({ db }: Pick<ServiceContext, "db">): Promise<number> {
  const { results } = await db
    .prepare(`SELECT webhook_id AS id FROM delivery_totals WHERE ${IS_EXCEEDED} LIMIT ?1`)
    .bind(TRIMMED_LOGS_PER_BATCH)
    .all<{ id: string }>();
  let trimmed = 0;
  for (const { id } of results) trimmed += await trimLog(db, id);
  return trimmed;
}

/** Trims these logs after a change that added to them. Never throws, because the cron continues. */
export async function trimLogs(db: D1Database, webhookIds: readonly string[]): Promise<void> {
  try {
    for (const id of webhookIds) await trimLog(db, id);
  } catch (error) {
    log("warn", "delivery_logs_not_trimmed", { webhooks: webhookIds.length, ...describeError(error) });
  }
}

/** Deletes and drops up to {@link TRIMMED_DELIVERIES_PER_BATCH} each. Returns their number. */
async function trimLog(db: D1Database, webhookId: string): Promise<number> {
  const totals = await db
    .prepare("SELECT kept, bytes, dropped, webhook_deleted FROM delivery_totals WHERE webhook_id = ?1")
    .bind(webhookId)
    .first<Totals>();
  if (totals === null) return 0;
  const oldest = (statuses: readonly Status[], limit: number) =>
    limit <= 0 ? [] : readOldest(db, webhookId, statuses, Math.min(limit, TRIMMED_DELIVERIES_PER_BATCH));
  if (totals.webhook_deleted === 1) {
    const all = await oldest(["pending", "delivered", "failed", "dropped"], TRIMMED_DELIVERIES_PER_BATCH);
    return removeDeliveries(db, webhookId, all, []);
  }
  const excess = { deliveries: totals.kept - MAX_KEPT_DELIVERIES, bytes: totals.bytes - MAX_KEPT_EVENT_BYTES };
  const finished = takeExcess(await oldest(["delivered", "failed"], expectedCount(excess, totals)), excess);
  const waiting = takeExcess(await oldest(["pending"], expectedCount(excess, totals)), excess);
  const dropped = await oldest(["dropped"], totals.dropped - MAX_KEPT_DROPPED_DELIVERIES);
  return removeDeliveries(db, webhookId, [...finished, ...dropped], waiting);
}

/** The number of deliveries above the limits, if each has as many bytes as the average. */
function expectedCount(excess: Excess, { kept, bytes }: Totals): number {
  return Math.ceil(Math.max(excess.deliveries, (excess.bytes * kept) / Math.max(bytes, 1)));
}

/** Takes deliveries from the beginning until nothing is above the limits. Subtracts them from `excess`. */
function takeExcess(oldest: readonly LoggedDelivery[], excess: Excess): LoggedDelivery[] {
  const taken: LoggedDelivery[] = [];
  for (const delivery of oldest) {
    if (excess.deliveries <= 0 && excess.bytes <= 0) break;
    taken.push(delivery);
    excess.deliveries--;
    excess.bytes -= delivery.bytes;
  }
  return taken;
}

/** Returns the oldest deliveries that have one of these statuses. It reads as many rows of each status and type. */
export async function readOldest(
  db: D1Database,
  webhookId: string,
  statuses: readonly Status[],
  limit: number,
): Promise<LoggedDelivery[]> {
  const lists = statuses.flatMap((status) =>
    EVENT_TYPES.map(
      (type) =>
        `SELECT * FROM (SELECT d.event_id AS id FROM deliveries d INDEXED BY deliveries_by_status
           WHERE d.status = '${status}' AND d.webhook_id = ?1 AND d.type = '${type}'
           ORDER BY d.event_id LIMIT ?2)`,
    ),
  );
  const { results } = await db
    .prepare(
      `SELECT o.id, coalesce(octet_length(d.response_body), 0)
         + coalesce(octet_length(d.body), (SELECT octet_length(body) FROM event_bodies WHERE event_id = o.id), 0) AS bytes
       FROM (SELECT id FROM (${unionAll(lists)}) ORDER BY id LIMIT ?2) o
         CROSS JOIN deliveries d ON d.event_id = o.id AND d.webhook_id = ?1
       ORDER BY o.id`,
    )
    .bind(webhookId, limit)
    .all<LoggedDelivery>();
  return results;
}

/** Deletes and drops deliveries, with the bodies that no other webhook needs. Returns their number. */
export async function removeDeliveries(
  db: D1Database,
  webhookId: string,
  deleted: readonly LoggedDelivery[],
  waiting: readonly LoggedDelivery[],
): Promise<number> {
  if (deleted.length + waiting.length === 0) return 0;
  const [deletedIds, waitingIds] = [deleted, waiting].map((list) => JSON.stringify(list.map(({ id }) => id)));
  const batch = new Batch(db);
  // A delivery that was retried in the meantime stays.
  batch.add(
    `DELETE FROM deliveries WHERE (event_id, webhook_id) IN (SELECT value, ?1 FROM json_each(?2))
       AND status <> 'sending' AND (status <> 'pending' OR NOT EXISTS (SELECT 1 FROM webhooks WHERE id = ?1))`,
    [webhookId, deletedIds ?? ""],
  );
  const dropped = batch.add(
    `UPDATE deliveries SET status = 'dropped', due_at = NULL, response_body = NULL, body = NULL
     WHERE (event_id, webhook_id) IN (SELECT value, ?1 FROM json_each(?2)) AND +status = 'pending'
     RETURNING 1 AS dropped`,
    [webhookId, waitingIds ?? ""],
  );
  batch.add(
    `DELETE FROM event_bodies AS b WHERE event_id IN (SELECT value FROM json_each(?1))
       AND NOT EXISTS (SELECT 1 FROM deliveries WHERE event_id = b.event_id)`,
    [deletedIds ?? ""],
  );
  batch.add(
    `UPDATE event_bodies AS b SET body = NULL
     WHERE event_id IN (SELECT value FROM json_each(?1) UNION ALL SELECT value FROM json_each(?2))
       AND NOT EXISTS (SELECT 1 FROM deliveries WHERE event_id = b.event_id AND status <> 'dropped')`,
    [deletedIds ?? "", waitingIds ?? ""],
  );
  await batch.commitWithRetry();
  if (dropped.rows.length > 0) log("warn", "deliveries_dropped", { webhookId, deliveries: dropped.rows.length });
  return deleted.length + dropped.rows.length;
}
