import { OPERATOR_ENTRY_RETENTION_MS } from "../console/limits.ts";
import { AUDIT_RETENTION_MS } from "../../access/audit/limits.ts";
import { firstIdAt } from "../../platform/lib/uuid.ts";
import { INVITATION_TTL_MS } from "../../limits.ts";
import { GUESS_WINDOW_MS, MAIL_RETENTION_MS } from "../../identity/people/limits.ts";
import { REPORT_RETENTION_MS } from "../report-form/limits.ts";

/** The tables whose rows the cron deletes by their ids, once the rows are `maxAge` old. */
export const RETENTIONS = [
  { table: "guesses", maxAge: GUESS_WINDOW_MS },
  { table: "mails", maxAge: MAIL_RETENTION_MS },
  { table: "invitations", maxAge: INVITATION_TTL_MS },
  { table: "audit_entries", maxAge: AUDIT_RETENTION_MS },
  { table: "operator_entries", maxAge: OPERATOR_ENTRY_RETENTION_MS },
  { table: "appeals", maxAge: OPERATOR_ENTRY_RETENTION_MS },
  { table: "reports", maxAge: REPORT_RETENTION_MS },
] as const;

/** Deletes up to `limit` of the rows that are too old, the oldest first. Returns their number. */
export async function deleteOldRows(
  db: D1Database,
  { table, maxAge }: (typeof RETENTIONS)[number],
  now: number,
  limit: number,
): Promise<number> {
  const { meta } = await db
    .prepare(`DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE id < ?1 ORDER BY id LIMIT ?2)`)
    .bind(firstIdAt(now - maxAge), limit)
    .run();
  return meta.changes;
}
