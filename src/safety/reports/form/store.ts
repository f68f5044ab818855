import { Batch } from "../../../platform/database/batch.ts";
import type { MailKind } from "../../../platform/mail/messages.ts";
import type { ReportReason, ValidReport } from "./form.ts";
import {
  MAX_OPEN_REPORTS,
  MAX_OPEN_REPORTS_OF_LINK,
  MAX_OPEN_REPORTS_OF_LINK_BY_NETWORK,
  MAX_OPEN_REPORTS_OF_NETWORK,
  OPERATOR_MAIL_INTERVAL_MS,
  UNRESERVED_OPEN_REPORTS,
} from "./limits.ts";

export interface NewReport extends Pick<ValidReport, "reason" | "details" | "name" | "email" | "domain"> {
  id: string;
  linkId: string;
  accountId: number | null;
  shortUrl: string;
  /** A keyed hash of the reporter's network, kept until the decision. */
  network: string;
}

/**
 * - `stored`.
 * - `stored_in_reserve`: the same, and at least {@link UNRESERVED_OPEN_REPORTS} wait.
 * - `enough`: as many reports of this link as are stored wait for a decision.
 * - `network_full`: the same of the network, or of the network and this link.
 * - `full`: the same of all links.
 */
type Insertion = "stored" | "stored_in_reserve" | "enough" | "network_full" | "full";

/** The open reports. One index has all that is counted, so that one scan of it counts all. */
interface OpenReports {
  total: number;
  ofLink: number;
  ofNetwork: number;
  ofBoth: number;
  hasThis: number;
}

/** Stores a report if there is room for it. Idempotent. */
export async function insertReport(db: D1Database, report: NewReport, now: number): Promise<Insertion> {
  const { id, linkId, accountId, domain, shortUrl, reason, details, name, email, network } = report;
  const batch = new Batch(db);
  batch.sql`INSERT INTO reports
      (id, link_id, account_id, domain, short_url, reason, details, name, email, network, created_at)
    SELECT ${id}, ${linkId}, ${accountId}, ${domain}, ${shortUrl}, ${reason}, ${details}, ${name}, ${email}, ${network}, ${now}
    FROM (SELECT count(*) AS total, total(link_id = ${linkId}) AS of_link, total(network = ${network}) AS of_network,
        total(link_id = ${linkId} AND network = ${network}) AS of_both
      FROM reports WHERE decided_at IS NULL)
    WHERE total < ${MAX_OPEN_REPORTS}
      AND of_link < iif(total < ${UNRESERVED_OPEN_REPORTS}, ${MAX_OPEN_REPORTS_OF_LINK}, 1)
      AND of_both < ${MAX_OPEN_REPORTS_OF_LINK_BY_NETWORK}
      AND of_network < iif(total < ${UNRESERVED_OPEN_REPORTS}, ${MAX_OPEN_REPORTS_OF_NETWORK}, 1)
    ON CONFLICT (id) DO NOTHING`;
  const open = batch.sql<OpenReports>`SELECT count(*) AS total, total(link_id = ${linkId}) AS ofLink,
      total(network = ${network}) AS ofNetwork,
      total(link_id = ${linkId} AND network = ${network}) AS ofBoth, total(id = ${id}) AS hasThis
    FROM reports WHERE decided_at IS NULL`;
  await batch.commitWithRetry();
  return toInsertion(open.first ?? { total: 0, ofLink: 0, ofNetwork: 0, ofBoth: 0, hasThis: 0 });
}

function toInsertion({ total, ofLink, ofNetwork, ofBoth, hasThis }: OpenReports): Insertion {
  const isReserved = total >= UNRESERVED_OPEN_REPORTS;
  if (hasThis > 0) return isReserved ? "stored_in_reserve" : "stored";
  if (ofLink >= (isReserved ? 1 : MAX_OPEN_REPORTS_OF_LINK)) return "enough";
  if (ofBoth >= MAX_OPEN_REPORTS_OF_LINK_BY_NETWORK) return "network_full";
  return ofNetwork >= (isReserved ? 1 : MAX_OPEN_REPORTS_OF_NETWORK) ? "network_full" : "full";
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

/** Reports or appeals wait, or they fill half of the room for reports. */
export type OperatorMail = Extract<MailKind, "reports_wait" | "reports_fill">;

/**
 * Stores a mail of the kind to each operator who has none that is still to come, with one of the ids. It is due once the last one is
 * {@link OPERATOR_MAIL_INTERVAL_MS} old, and its time of creation is that time. Returns the ids of those that are due now.
 */
export async function addOperatorMails(
  db: D1Database,
  kind: OperatorMail,
  ids: readonly string[],
  now: number,
): Promise<string[]> {
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
