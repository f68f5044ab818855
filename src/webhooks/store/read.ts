import { boundsOf, type Page } from "../../platform/http/pagination.ts";
import { IS_WEBHOOK, SELECT_WEBHOOK, WEBHOOK_COLUMNS, type WebhookRow } from "./row.ts";

export async function findWebhook(db: D1Database, id: string): Promise<WebhookRow | null> {
  return db.prepare(SELECT_WEBHOOK).bind(id).first<WebhookRow>();
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
