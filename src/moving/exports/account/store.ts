import { IS_WEBHOOK } from "../../../webhooks/store/row.ts";

/** The number of the account's links and of all other records that the export has. */
export async function countRecords(db: D1Database, accountId: number): Promise<number> {
  const tables = ["utm_templates", "notes", "domains", "shared_pages", "api_keys", "memberships", "audit_entries"];
  const counts = tables.map((table) => `(SELECT count(*) FROM ${table} WHERE account_id = ?1)`);
  const webhooks = `(SELECT count(*) FROM webhooks WHERE account_id = ?1 AND ${IS_WEBHOOK})`;
  const links = "(SELECT coalesce(sum(links), 0) FROM account_usage WHERE account_id = ?1)";
  const count = await db
    .prepare(`SELECT ${[links, webhooks, ...counts].join(" + ")} AS records`)
    .bind(accountId)
    .first<number>("records");
  return count ?? 0;
}
