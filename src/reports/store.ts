import { Batch } from "../database/batch.ts";
import type { ReportReason, ValidReport } from "./form.ts";
import { MAX_OPEN_REPORTS, MAX_OPEN_REPORTS_OF_LINK } from "./limits.ts";

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
