import { IS_WEBHOOK } from "../../webhooks/store/row.ts";
import type { LinkDefaults } from "../../auth/principal.ts";

/** The account as the file describes it. */
export interface ExportedAccount {
  id: string;
  name: string;
  kind: "personal" | "team";
  linkDefaults: LinkDefaults | null;
  brokenDestinationMails: boolean;
  clickRetentionDays: number | null;
  createdAt: number;
}

interface AccountRow {
  uuid: string;
  name: string;
  personal_user_id: string | null;
  link_defaults: string | null;
  broken_destination_mails: 0 | 1;
  click_retention_days: number | null;
  created_at: number;
}

export async function findExportedAccount(db: D1Database, accountId: number): Promise<ExportedAccount | null> {
  const row = await db
    .prepare(
      `SELECT uuid, name, personal_user_id, link_defaults, broken_destination_mails, click_retention_days, created_at
       FROM accounts WHERE id = ?1`,
    )
    .bind(accountId)
    .first<AccountRow>();
  if (row === null) return null;
  return {
    id: row.uuid,
    name: row.name,
    kind: row.personal_user_id === null ? "team" : "personal",
    linkDefaults: row.link_defaults === null ? null : (JSON.parse(row.link_defaults) as LinkDefaults),
    brokenDestinationMails: row.broken_destination_mails === 1,
    clickRetentionDays: row.click_retention_days,
    createdAt: row.created_at,
  };
}

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
