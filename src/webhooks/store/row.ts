import type { EventType } from "../../platform/outbox/event-types.ts";
import type { Webhook } from "../contract.ts";
import type { WebhookFormat } from "../formats.ts";
import { mask } from "../secret.ts";

/** The columns that an attempt needs. The secrets are encrypted. */
export interface TargetRow {
  id: string;
  url: string;
  format: WebhookFormat;
  secret: string;
  /** JSON array, see `secrets.ts`. */
  old_secrets: string;
  strikes: number;
}

export const TARGET_COLUMNS = ["id", "url", "format", "secret", "old_secrets", "strikes"];

export interface WebhookRow extends TargetRow {
  account_id: number;
  events: string;
  link_ids: string | null;
  tags: string | null;
  secret_start: string;
  status: Webhook["status"];
  disabled_reason: Webhook["disabledReason"];
  disabled_at: number | null;
  failure_count: number;
  last_triggered_at: number | null;
  created_at: number;
}

export const WEBHOOK_COLUMNS = `${TARGET_COLUMNS.join(", ")}, account_id, events, link_ids, tags, secret_start, status, disabled_reason, disabled_at,
  failure_count, created_at, nullif(max(coalesce(last_triggered_at, 0), coalesce((
    SELECT last_delivered_at FROM delivery_totals WHERE webhook_id = webhooks.id), 0)), 0) AS last_triggered_at`;

/** SQL that tells webhooks from listeners (src/webhooks/listeners), which are rows of the same table. */
export const IS_WEBHOOK = "listener_slot IS NULL";

export const SELECT_WEBHOOK = `SELECT ${WEBHOOK_COLUMNS} FROM webhooks WHERE id = ?1 AND ${IS_WEBHOOK}`;

/** The resource on the wire, with the secret masked. */
export function toWebhook(row: WebhookRow): Webhook {
  return {
    id: row.id,
    url: row.url,
    events: JSON.parse(row.events) as EventType[],
    format: row.format,
    linkIds: fromJson(row.link_ids),
    tags: fromJson(row.tags),
    secret: mask(row.secret_start),
    status: row.status,
    disabledReason: row.disabled_reason,
    disabledAt: row.disabled_at,
    createdAt: row.created_at,
    lastTriggeredAt: row.last_triggered_at,
    failureCount: row.failure_count,
  };
}

function fromJson(json: string | null): string[] | null {
  return json === null ? null : (JSON.parse(json) as string[]);
}
