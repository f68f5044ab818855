import type { Page } from "../../http/pagination.ts";
import { batchWithRetry } from "../../database/retry.ts";
import { MAX_WEBHOOKS_PER_ACCOUNT, WEBHOOK_HOLD_MS } from "../../limits.ts";
import type { Webhook } from "../contract.ts";
import type { EventType } from "../../outbox/event-types.ts";
import { statusAssignments } from "./health.ts";
import type { DisabledReason } from "../delivery/schedule.ts";
import { mask } from "../secret.ts";
import type { TargetRow } from "../delivery/signing-target.ts";

export interface WebhookRow extends TargetRow {
  account_id: number;
  events: string;
  link_ids: string | null;
  tags: string | null;
  secret_start: string;
  status: "active" | "inactive";
  disabled_reason: DisabledReason | null;
  disabled_at: number | null;
  failure_count: number;
  last_triggered_at: number | null;
  created_at: number;
}

const COLUMNS = `id, account_id, url, events, link_ids, tags, secret, secret_start, old_secret, old_secret_until, status,
  disabled_reason, disabled_at, failure_count, last_triggered_at, created_at`;

/** The row as the wire shows it, the secret masked. */
export function toWebhook(row: WebhookRow): Webhook {
  return {
    id: row.id,
    url: row.url,
    events: JSON.parse(row.events) as EventType[],
    linkIds: toList(row.link_ids),
    tags: toList(row.tags),
    secret: mask(row.secret_start),
    status: row.status,
    disabledReason: row.disabled_reason,
    disabledAt: row.disabled_at,
    createdAt: row.created_at,
    lastTriggeredAt: row.last_triggered_at,
    failureCount: row.failure_count,
  };
}

function toList(json: string | null): string[] | null {
  return json === null ? null : (JSON.parse(json) as string[]);
}

export interface NewWebhook {
  id: string;
  accountId: number;
  url: string;
  events: readonly EventType[];
  linkIds: readonly string[] | null;
  tags: readonly string[] | null;
  /** Encrypted. */
  secret: string;
  secretStart: string;
}

/**
 * Stores a webhook unless the account has {@link MAX_WEBHOOKS_PER_ACCOUNT} already, which null tells. The count is a
 * condition of the insert, so it holds however many requests come at once.
 */
export async function insertWebhook(db: D1Database, webhook: NewWebhook, now: number): Promise<WebhookRow | null> {
  const [, stored] = await batchWithRetry(db, [
    db
      .prepare(
        `INSERT INTO webhooks (id, account_id, url, events, link_ids, tags, secret, secret_start, status, created_at)
         SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 'active', ?9
         WHERE (SELECT count(*) FROM webhooks WHERE account_id = ?2) < ?10
         ON CONFLICT (id) DO NOTHING`,
      )
      .bind(
        webhook.id,
        webhook.accountId,
        webhook.url,
        JSON.stringify(webhook.events),
        toJson(webhook.linkIds),
        toJson(webhook.tags),
        webhook.secret,
        webhook.secretStart,
        now,
        MAX_WEBHOOKS_PER_ACCOUNT,
      ),
    selectById(db, webhook.id),
  ]);
  return (stored?.results[0] as unknown as WebhookRow | undefined) ?? null;
}

/** A list as it is stored. */
export function toJson(list: readonly string[] | null): string | null {
  return list === null ? null : JSON.stringify(list);
}

function selectById(db: D1Database, id: string): D1PreparedStatement {
  return db.prepare(`SELECT ${COLUMNS} FROM webhooks WHERE id = ?1`).bind(id);
}

export async function findWebhook(db: D1Database, id: string): Promise<WebhookRow | null> {
  return selectById(db, id).first<WebhookRow>();
}

/** The account's webhooks, newest first; one more than the page holds. */
export async function listWebhooks(db: D1Database, accountId: number, page: Page): Promise<WebhookRow[]> {
  const { results } = await db
    .prepare(`SELECT ${COLUMNS} FROM webhooks WHERE account_id = ?1 AND id < ?2 ORDER BY id DESC LIMIT ?3 OFFSET ?4`)
    .bind(accountId, page.after ?? "~", page.limit + 1, page.offset)
    .all<WebhookRow>();
  return results;
}

/** The columns that a change may set; those absent stay as they are. */
export type WebhookChanges = Partial<Pick<WebhookRow, "url" | "events" | "link_ids" | "tags" | "status">>;

export type ChangeOutcome =
  | { outcome: "changed"; row: WebhookRow }
  | { outcome: "not_found" }
  | { outcome: "forbidden" };

/** Changes an account's webhook; only the given columns, so changes and results of deliveries do not undo each other. */
export async function updateWebhook(
  db: D1Database,
  accountId: number,
  id: string,
  { status, ...columns }: WebhookChanges,
  now: number,
): Promise<ChangeOutcome> {
  const parameters: (string | number | null)[] = [id, accountId, now];
  const assignments = Object.entries(columns).map(([column, value]) => `${column} = ?${parameters.push(value)}`);
  if (status !== undefined) assignments.push(...statusAssignments(status, "?3"));
  // Another receiver need not wait for what the one before it did.
  else if (columns.url !== undefined) assignments.push("resume_at = NULL");
  assignments.push("woken_until = iif(?3 IS NULL, woken_until, NULL)");
  const [, before, after] = await batchWithRetry(db, [
    giveUpHeld(db, accountId, id, now),
    db.prepare("SELECT account_id FROM webhooks WHERE id = ?1").bind(id),
    db
      .prepare(`UPDATE webhooks SET ${assignments.join(", ")} WHERE id = ?1 AND account_id = ?2 RETURNING ${COLUMNS}`)
      .bind(...parameters),
  ]);
  return changeOutcome(before, after);
}

/** What was held for longer than is promised does not go out, however late the cron is. */
function giveUpHeld(db: D1Database, accountId: number, id: string, now: number): D1PreparedStatement {
  return db
    .prepare(
      `UPDATE deliveries INDEXED BY deliveries_due SET status = 'failed', due_at = NULL, lease = NULL
       WHERE webhook_id = ?1 AND due_at IS NOT NULL AND EXISTS (
         SELECT 1 FROM webhooks WHERE id = ?1 AND account_id = ?2 AND status = 'inactive' AND disabled_at <= ?3)`,
    )
    .bind(id, accountId, now - WEBHOOK_HOLD_MS);
}

function changeOutcome(before: D1Result | undefined, after: D1Result | undefined): ChangeOutcome {
  if (before?.results[0] === undefined) return { outcome: "not_found" };
  const row = after?.results[0] as WebhookRow | undefined;
  return row === undefined ? { outcome: "forbidden" } : { outcome: "changed", row };
}

/** Gives the webhook a new secret, both encrypted; until `oldUntil` the one before it signs too. */
export async function replaceSecret(
  db: D1Database,
  accountId: number,
  id: string,
  { secret, secretStart, oldUntil }: { secret: string; secretStart: string; oldUntil: number },
): Promise<ChangeOutcome> {
  const [before, , after] = await batchWithRetry(db, [
    db.prepare("SELECT account_id FROM webhooks WHERE id = ?1").bind(id),
    db
      .prepare(
        `UPDATE webhooks SET old_secret = secret, old_secret_until = ?5, secret = ?3, secret_start = ?4
         WHERE id = ?1 AND account_id = ?2 AND secret <> ?3`,
      )
      .bind(id, accountId, secret, secretStart, oldUntil),
    db.prepare(`SELECT ${COLUMNS} FROM webhooks WHERE id = ?1 AND account_id = ?2`).bind(id, accountId),
  ]);
  return changeOutcome(before, after);
}

/** Deletes an account's webhook. Its pending deliveries are given up, the log goes with time. */
export async function deleteWebhook(
  db: D1Database,
  accountId: number,
  id: string,
): Promise<"deleted" | "not_found" | "forbidden"> {
  const gone = "AND NOT EXISTS (SELECT 1 FROM webhooks WHERE id = ?1)";
  const [before] = await batchWithRetry(db, [
    db.prepare("SELECT account_id FROM webhooks WHERE id = ?1").bind(id),
    db.prepare("DELETE FROM webhooks WHERE id = ?1 AND account_id = ?2").bind(id, accountId),
    db.prepare(`DELETE FROM click_deliveries WHERE webhook_id = ?1 ${gone}`).bind(id),
    db.prepare(`DELETE FROM webhook_lanes WHERE webhook_id = ?1 ${gone}`).bind(id),
  ]);
  const row = before?.results[0] as { account_id: number } | undefined;
  if (row === undefined) return "not_found";
  return row.account_id === accountId ? "deleted" : "forbidden";
}
