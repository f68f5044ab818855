import type { AccountChange } from "../../access/audit/change.ts";
import { Batch, addCheck } from "../../platform/database/batch.ts";
import { Parameters } from "../../platform/database/parameters.ts";
import { MAX_WEBHOOKS_PER_ACCOUNT } from "../../limits.ts";
import type { EventType } from "../../platform/outbox/event-types.ts";
import { toTagKeys } from "../../platform/lib/tag-key.ts";
import type { WebhookFormat } from "../formats.ts";
import { hostOf, toJson, toShownUrl } from "./columns.ts";
import { isWebhookOf, type Demotion } from "./refusal.ts";
import { IS_WEBHOOK, SELECT_WEBHOOK, type WebhookRow } from "./row.ts";

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
  const stored = batch.add<WebhookRow>(SELECT_WEBHOOK, [webhook.id]);
  await batch.commitWithRetry();
  if (stored.first !== undefined) return { outcome: "created", row: stored.first };
  return { outcome: check.first === undefined ? "demoted" : "limit_reached" };
}
