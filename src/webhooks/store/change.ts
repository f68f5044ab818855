import type { AccountChange } from "../../access/audit/change.ts";
import { Batch } from "../../platform/database/batch.ts";
import { allOf, holds, Parameters, type Condition } from "../../platform/database/parameters.ts";
import type { EventType } from "../../platform/outbox/event-types.ts";
import { toTagKeys } from "../../platform/lib/tag-key.ts";
import type { Webhook } from "../contract.ts";
import type { WebhookFormat } from "../formats.ts";
import { FIRST_IN_FLIGHT_LIMIT, WEBHOOK_HOLD_MS } from "../limits.ts";
import { hostOf, toJson, toShownUrl } from "./columns.ts";
import { statusAssignments } from "./health.ts";
import { readOwner, sendsNone, toRefusal, type Refusal } from "./refusal.ts";
import { WEBHOOK_COLUMNS, type WebhookRow } from "./row.ts";
import { listWaitingBeside, type LeftHost } from "./state.ts";

/** The fields to change. Absent fields keep their values. */
export interface WebhookChanges {
  url?: string | undefined;
  events?: readonly EventType[] | undefined;
  format?: WebhookFormat | undefined;
  linkIds?: readonly string[] | null | undefined;
  tags?: readonly string[] | null | undefined;
  status?: Webhook["status"] | undefined;
}

export type ChangeOutcome = { outcome: "changed"; row: WebhookRow } | Refusal;

/**
 * Changes an account's webhook unless it sends one of the `excluded` events. The events are a condition of the UPDATE, so a
 * concurrent change cannot add one unnoticed. It writes no other columns, so it does not undo a result of a delivery.
 */
export async function updateWebhook(
  db: D1Database,
  change: AccountChange,
  id: string,
  changes: WebhookChanges,
  excluded: readonly EventType[],
): Promise<({ outcome: "changed"; row: WebhookRow } & LeftHost) | Refusal> {
  const { accountId, now, isAllowed } = change;
  const columns = {
    ...(changes.url === undefined ? {} : urlColumns(changes.url, change)),
    events: toJson(changes.events),
    format: changes.format,
    link_ids: toJson(changes.linkIds),
    tags: toJson(changes.tags),
    tag_keys: changes.tags === undefined ? undefined : toTagKeys(changes.tags ?? []),
  };
  const parameters = new Parameters([id, accountId]);
  // Without changes, the statement still has to assign something.
  const assignments = ["url = url"];
  for (const [column, value] of Object.entries(columns))
    if (value !== undefined) assignments.push(`${column} = ${parameters.add(value)}`);
  if (changes.status !== undefined) assignments.push(...statusAssignments(changes.status, parameters, now));
  // A new receiver is attempted at once: the backoff belongs to the previous one.
  else if (changes.url !== undefined)
    assignments.push("resume_at = NULL", `in_flight_limit = ${FIRST_IN_FLIGHT_LIMIT}`);

  const batch = new Batch(db);
  const waiting = changes.url === undefined ? null : listWaitingBeside(batch, id, now);
  const isChangeable = allOf(isAllowed, sendsNone(accountId, id, excluded));
  giveUpHeldDeliveries(batch, accountId, id, now);
  if (changes.status === "active") sendHeldDeliveries(batch, accountId, id, now, isChangeable);
  const owner = readOwner(batch, id, isAllowed, excluded);
  recordUpdate(batch, change, id, changes, isChangeable);
  const changed = batch.add<WebhookRow>(
    `UPDATE webhooks SET ${assignments.join(", ")} WHERE id = ?1 AND account_id = ?2 AND ${isChangeable(parameters)}
     RETURNING ${WEBHOOK_COLUMNS}`,
    parameters.values,
  );
  await batch.commitWithRetry();
  const refusal = toRefusal(owner.first, accountId);
  if (refusal !== null || changed.first === undefined) return refusal ?? { outcome: "not_found" };
  return { outcome: "changed", row: changed.first, waitingIds: waiting?.rows.map((row) => row.id) ?? [] };
}

/** The person or key that sets the URL gets the events from then on. */
function urlColumns(url: string, { creator }: AccountChange) {
  const setBy = { url_set_by_key: creator.key, url_set_by_user: creator.user };
  return { url, host: hostOf(url), shown_url: toShownUrl(url), ...setBy };
}

/** Records the update: the settings, if some are given, and the status, if it is another one. Before the update. */
function recordUpdate(
  batch: Batch,
  { record }: AccountChange,
  id: string,
  { status, ...settings }: WebhookChanges,
  condition: Condition,
): void {
  if (Object.values(settings).some((value) => value !== undefined)) record(batch, "webhook.update", id, condition);
  if (status === undefined) return;
  const isOther: Condition = holds`EXISTS (SELECT 1 FROM webhooks WHERE id = ${id} AND status <> ${status})`;
  record(batch, status === "active" ? "webhook.enable" : "webhook.disable", id, allOf(condition, isOther));
}

/** Deliveries that were held for too long must not be sent after a reactivation, even if the cron is late. */
function giveUpHeldDeliveries(batch: Batch, accountId: number, id: string, now: number): void {
  batch.add(
    `UPDATE deliveries INDEXED BY deliveries_due SET status = 'failed', due_at = NULL
     WHERE webhook_id = ?1 AND status = 'pending' AND EXISTS (
       SELECT 1 FROM webhooks WHERE id = ?1 AND account_id = ?2 AND status = 'inactive' AND disabled_at <= ?3)`,
    [id, accountId, now - WEBHOOK_HOLD_MS],
  );
}

/** At a reactivation, held deliveries do not wait for their next attempt. */
function sendHeldDeliveries(batch: Batch, accountId: number, id: string, now: number, isReactivated: Condition): void {
  batch.sql`UPDATE deliveries INDEXED BY deliveries_due SET due_at = ${now}
    WHERE webhook_id = ${id} AND status = 'pending' AND due_at > ${now} AND ${isReactivated} AND EXISTS (
      SELECT 1 FROM webhooks WHERE id = ${id} AND account_id = ${accountId} AND status = 'inactive')`;
}
