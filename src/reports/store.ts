import { Batch } from "../database/batch.ts";
import type { MailKind } from "../people/mail/messages.ts";
import type { ReportReason, ValidReport } from "./form.ts";
import { MAX_OPEN_REPORTS, MAX_OPEN_REPORTS_OF_LINK, OPERATOR_MAIL_INTERVAL_MS } from "./limits.ts";

export interface NewReport extends Pick<ValidReport, "reason" | "details" | "name" | "email" | "domain"> {
  id: string;
  linkId: string;
  accountId: number | null;
  shortUrl: string;
}

/**
 * Stores a report. `enough`: as many reports of this link as are stored wait for a decision already. `full`: the same of all
 * links.
 */
export async function insertReport(
  db: D1Database,
  report: NewReport,
  now: number,
): Promise<"stored" | "enough" | "full"> {
  const { id, linkId, accountId, domain, shortUrl, reason, details, name, email } = report;
  const batch = new Batch(db);
  batch.sql`INSERT INTO reports (id, link_id, account_id, domain, short_url, reason, details, name, email, created_at)
    SELECT ${id}, ${linkId}, ${accountId}, ${domain}, ${shortUrl}, ${reason}, ${details}, ${name}, ${email}, ${now}
    WHERE (SELECT count(*) FROM reports WHERE link_id = ${linkId} AND decided_at IS NULL) < ${MAX_OPEN_REPORTS_OF_LINK}
      AND (SELECT count(*) FROM reports WHERE decided_at IS NULL) < ${MAX_OPEN_REPORTS}
    ON CONFLICT (id) DO NOTHING`;
  const stored = batch.sql`SELECT 1 FROM reports WHERE id = ${id}`;
  const ofLink = batch.sql<{ count: number }>`SELECT count(*) AS count FROM reports
    WHERE link_id = ${linkId} AND decided_at IS NULL`;
  await batch.commitWithRetry();
  if (stored.first !== undefined) return "stored";
  return (ofLink.first?.count ?? 0) >= MAX_OPEN_REPORTS_OF_LINK ? "enough" : "full";
}

/** What the reporter sees of a report. */
export interface Receipt {
  short_url: string;
  reason: ReportReason;
  created_at: number;
  /** Null: nobody has decided yet. */
  decision: "dismissed" | "taken_down" | null;
  decided_at: number | null;
}

export async function findReceipt(db: D1Database, id: string): Promise<Receipt | null> {
  return db
    .prepare("SELECT short_url, reason, created_at, decision, decided_at FROM reports WHERE id = ?1")
    .bind(id)
    .first<Receipt>();
}

/**
 * Stores a mail to each operator who has none that is still to come, with one of the ids. It is due once the last one is
 * {@link OPERATOR_MAIL_INTERVAL_MS} old, and its time of creation is that time. Returns the ids of those that are due now.
 */
export async function addOperatorMails(db: D1Database, ids: readonly string[], now: number): Promise<string[]> {
  const kind: MailKind = "reports_wait";
  const { results } = await db
    .prepare(
      `INSERT INTO mails (id, kind, recipient, recipient_key, due_at, created_at)
       SELECT id, ?2, email, email_key, due, due FROM (
         SELECT i.value AS id, u.email, u.email_key, max(?3, coalesce(?4 + (SELECT max(created_at) FROM mails
           WHERE recipient_key = u.email_key AND kind = ?2), 0)) AS due
         FROM (SELECT user_id, row_number() OVER (ORDER BY user_id) - 1 AS number FROM operators) o
         JOIN json_each(?1) i ON i.key = o.number
         JOIN users u ON u.id = o.user_id
         WHERE NOT EXISTS (SELECT 1 FROM mails WHERE recipient_key = u.email_key AND kind = ?2 AND created_at > ?3))
       WHERE true ON CONFLICT DO NOTHING RETURNING id, due_at`,
    )
    .bind(JSON.stringify(ids), kind, now, OPERATOR_MAIL_INTERVAL_MS)
    .all<{ id: string; due_at: number }>();
  return results.filter(({ due_at }) => due_at <= now).map(({ id }) => id);
}
