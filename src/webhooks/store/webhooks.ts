import type { AccountChange } from "../../access/audit/change.ts";
import { Batch, addCheck } from "../../platform/database/batch.ts";
import { allOf, holds, Parameters, type Condition } from "../../platform/database/parameters.ts";
import { boundsOf, type Page } from "../../platform/http/pagination.ts";
import { MAX_WEBHOOKS_PER_ACCOUNT } from "../../limits.ts";
import type { EventType } from "../../platform/outbox/event-types.ts";
import type { Webhook } from "../contract.ts";
import type { WebhookFormat } from "../formats.ts";
import { toTagKeys } from "../../platform/lib/tag-key.ts";
import { toShownUrl } from "../shown-url.ts";
import { statusAssignments } from "./health.ts";
import { isWebhookOf, readOwner, sendsNone, toRefusal, type Demotion, type Refusal } from "./refusal.ts";
import { IS_WEBHOOK, SELECT_BY_ID, WEBHOOK_COLUMNS, type WebhookRow } from "./row.ts";
import { listWaitingBeside } from "./state.ts";
import { FIRST_IN_FLIGHT_LIMIT, WEBHOOK_HOLD_MS } from "../limits.ts";

function toJson<Absent extends null | undefined>(value: readonly string[] | Absent): string | Absent {
  return value === null || value === undefined ? value : JSON.stringify(value);
}

export interface NewWebhook {
  id: string;
  url: string;
  events: readonly EventType[];
  format: WebhookFormat;
  linkIds: readonly string[] | null;
  tags: readonly string[] | null;
  sealedSecret: string;
  secretStart: string;
}

/** `limit_reached`: the account has {@link MAX_WEBHOOKS_PER_ACCOUNT} already. */
type InsertOutcome = { outcome: "created"; row: WebhookRow } | { outcome: "limit_reached" } | Demotion;

/** Stores a webhook. The limit is a condition of the INSERT, so concurrent requests cannot exceed it. */
export async function insertWebhook(
  db: D1Database,
  { accountId, now, creator, isAllowed, record }: AccountChange,
  webhook: NewWebhook,
): Promise<InsertOutcome> {
  const batch = new Batch(db);
  const check = addCheck(batch, isAllowed);
  const parameters = new Parameters([
    webhook.id,
    accountId,
    webhook.url,
    JSON.stringify(webhook.events),
    toJson(webhook.linkIds),
    toJson(webhook.tags),
    webhook.sealedSecret,
    webhook.secretStart,
    now,
    MAX_WEBHOOKS_PER_ACCOUNT,
    toTagKeys(webhook.tags ?? []),
    hostOf(webhook.url),
    toShownUrl(webhook.url),
    creator.key,
    creator.user,
    webhook.format,
  ]);
  batch.add(
    `INSERT INTO webhooks (id, account_id, url, host, events, link_ids, tags, secret, secret_start, status, created_at,
       tag_keys, shown_url, created_by_key, created_by_user, url_set_by_key, url_set_by_user, format)
     SELECT ?1, ?2, ?3, ?12, ?4, ?5, ?6, ?7, ?8, 'active', ?9, ?11, ?13, ?14, ?15, ?14, ?15, ?16
     WHERE (SELECT count(*) FROM webhooks WHERE account_id = ?2 AND ${IS_WEBHOOK}) < ?10 AND ${isAllowed(parameters)}
     ON CONFLICT (id) DO NOTHING`,
    parameters.values,
  );
  record(batch, "webhook.create", webhook.id, isWebhookOf(accountId, webhook.id));
  const stored = batch.add<WebhookRow>(SELECT_BY_ID, [webhook.id]);
  await batch.commitWithRetry();
  if (stored.first !== undefined) return { outcome: "created", row: stored.first };
  return { outcome: check.first === undefined ? "demoted" : "limit_reached" };
}

/** Webhooks at the same host share its concurrency, whatever their ports. `example.com.` is `example.com`. */
function hostOf(url: string): string {
  return new URL(url).hostname.replace(/\.$/, "");
}

export async function findWebhook(db: D1Database, id: string): Promise<WebhookRow | null> {
  return db.prepare(SELECT_BY_ID).bind(id).first<WebhookRow>();
}

/** Returns the account's webhooks, newest first, with one more than the page holds. */
export async function listWebhooks(db: D1Database, accountId: number, page: Page): Promise<WebhookRow[]> {
  const { results } = await db
    .prepare(
      `SELECT ${WEBHOOK_COLUMNS} FROM webhooks WHERE account_id = ?1 AND id < ?2 AND ${IS_WEBHOOK}
       ORDER BY id DESC LIMIT ?3 OFFSET ?4`,
    )
    .bind(accountId, ...boundsOf(page))
    .all<WebhookRow>();
  return results;
}

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

export type DeleteOutcome = ({ outcome: "deleted" } & LeftHost) | Refusal;

/** What a webhook leaves behind that leaves its host. */
interface LeftHost {
  /** The account's other webhooks there that waited for connections. No sender of this webhook takes a turn there any more. */
  waitingIds: string[];
}

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

/** Deletes an account's webhook. The cron gives up its pending deliveries; its delivery log expires. */
export async function deleteWebhook(
  db: D1Database,
  { accountId, now, isAllowed, record }: AccountChange,
  id: string,
): Promise<DeleteOutcome> {
  const batch = new Batch(db);
  const waiting = listWaitingBeside(batch, id, now);
  const owner = readOwner(batch, id, isAllowed);
  const isDeletable = allOf(isAllowed, isWebhookOf(accountId, id));
  record(batch, "webhook.delete", id, isDeletable);
  batch.sql`DELETE FROM webhooks WHERE id = ${id} AND ${isDeletable}`;
  for (const table of ["click_deliveries", "waiting_clicks"])
    batch.add(`DELETE FROM ${table} WHERE webhook_id = ?1 AND NOT EXISTS (SELECT 1 FROM webhooks WHERE id = ?1)`, [id]);
  await batch.commitWithRetry();
  return toRefusal(owner.first, accountId) ?? { outcome: "deleted", waitingIds: waiting.rows.map((row) => row.id) };
}
