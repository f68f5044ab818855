import { Batch } from "../../platform/database/batch.ts";
import { holds } from "../../platform/database/parameters.ts";
import { toTagKey } from "../../platform/lib/tag-key.ts";
import { leaseEnd } from "../../platform/lib/lease.ts";
import { MAIL_WINDOW_MS } from "../../limits.ts";
import { addMail, mailStored, type NewMail } from "../../platform/mail/store.ts";
import type { Role } from "../../platform/auth/roles.ts";
import type { Frequency, MailReport } from "./contract.ts";
import {
  MAX_OWN_MAIL_REPORTS,
  MAX_MAIL_REPORTS_PER_ACCOUNT,
  MAIL_REPORT_LEASE_MS,
  MAIL_REPORTS_PER_RUN,
} from "./limits.ts";

// The same transaction stores the mail of a report and when the next one is due.

export interface MailReportRow {
  id: string;
  account_id: number;
  user_id: string;
  frequency: Frequency;
  timezone: string;
  link_id: string | null;
  tag: string | null;
  report_at: number;
  created_at: number;
}

/** A person in an account. */
export interface Subscriber {
  accountId: number;
  userId: string;
}

const COLUMNS = "id, account_id, user_id, frequency, timezone, link_id, tag, report_at, created_at";
const IS_OWN = "account_id = ?1 AND user_id = ?2";

export function toMailReport(row: MailReportRow): MailReport {
  const { id, frequency, timezone, link_id: linkId, tag, report_at: nextAt, created_at: createdAt } = row;
  return { id, frequency, timezone, linkId, tag, nextAt, createdAt };
}

/** Stores a report. The limits are conditions of the INSERT, so concurrent requests cannot exceed them. */
export async function insertMailReport(
  db: D1Database,
  { accountId, userId }: Subscriber,
  { id, frequency, timezone, linkId, tag, nextAt, createdAt }: MailReport,
): Promise<"created" | "taken" | "too_many" | "too_many_own"> {
  const batch = new Batch(db);
  const tagKey = tag === null ? "" : toTagKey(tag);
  batch.sql`INSERT INTO mail_reports (id, account_id, user_id, frequency, timezone, link_id, tag, tag_key, report_at, due_at, created_at)
    SELECT ${id}, ${accountId}, ${userId}, ${frequency}, ${timezone}, ${linkId}, ${tag}, ${tagKey}, ${nextAt}, ${nextAt}, ${createdAt}
    WHERE (SELECT count(*) FROM mail_reports WHERE account_id = ${accountId}) < ${MAX_MAIL_REPORTS_PER_ACCOUNT}
      AND (SELECT count(*) FROM mail_reports WHERE account_id = ${accountId} AND user_id = ${userId}) < ${MAX_OWN_MAIL_REPORTS}
    ON CONFLICT DO NOTHING`;
  const stored = batch.sql<{ id: string }>`SELECT id FROM mail_reports WHERE account_id = ${accountId}
    AND user_id = ${userId} AND frequency = ${frequency} AND coalesce(link_id, '') = ${linkId ?? ""} AND tag_key = ${tagKey}`;
  const own = batch.sql<{ count: number }>`SELECT count(*) AS count FROM mail_reports
    WHERE account_id = ${accountId} AND user_id = ${userId}`;
  await batch.commitWithRetry();
  if (stored.first === undefined) return (own.first?.count ?? 0) < MAX_OWN_MAIL_REPORTS ? "too_many" : "too_many_own";
  return stored.first.id === id ? "created" : "taken";
}

/** The person's reports, newest first. There are at most {@link MAX_OWN_MAIL_REPORTS}. */
export async function listMailReports(db: D1Database, { accountId, userId }: Subscriber): Promise<MailReportRow[]> {
  const { results } = await db
    .prepare(`SELECT ${COLUMNS} FROM mail_reports WHERE ${IS_OWN} ORDER BY id DESC`)
    .bind(accountId, userId)
    .all<MailReportRow>();
  return results;
}

/** Changes a report of the person. Returns null if there is none, and the row as it was if they get that report already. */
export async function updateMailReport(
  db: D1Database,
  { accountId, userId }: Subscriber,
  { id, frequency, timezone, nextAt }: Pick<MailReport, "id" | "frequency" | "timezone" | "nextAt">,
): Promise<MailReportRow | null> {
  const batch = new Batch(db);
  batch.add(
    `UPDATE OR IGNORE mail_reports SET frequency = ?4, timezone = ?5, report_at = ?6, due_at = ?6 WHERE id = ?3 AND ${IS_OWN}`,
    [accountId, userId, id, frequency, timezone, nextAt],
  );
  const row = batch.add<MailReportRow>(`SELECT ${COLUMNS} FROM mail_reports WHERE id = ?3 AND ${IS_OWN}`, [
    accountId,
    userId,
    id,
  ]);
  await batch.commitWithRetry();
  return row.first ?? null;
}

/** Returns whether the person had the report. */
export async function deleteMailReport(
  db: D1Database,
  { accountId, userId }: Subscriber,
  id: string,
): Promise<boolean> {
  const { meta } = await db
    .prepare(`DELETE FROM mail_reports WHERE id = ?3 AND ${IS_OWN}`)
    .bind(accountId, userId, id)
    .run();
  return meta.changes > 0;
}

/** Deletes a report, whoever gets it. */
export async function endMailReport(db: D1Database, id: string): Promise<void> {
  await db.prepare("DELETE FROM mail_reports WHERE id = ?1").bind(id).run();
}

/** Returns reports that are due, and leases them for {@link MAIL_REPORT_LEASE_MS}. */
export async function claimDueMailReports(db: D1Database, now: number): Promise<MailReportRow[]> {
  const { results } = await db
    .prepare(
      `UPDATE mail_reports SET due_at = ?2 WHERE id IN
         (SELECT id FROM mail_reports WHERE due_at <= ?1 ORDER BY due_at LIMIT ${MAIL_REPORTS_PER_RUN})
       RETURNING ${COLUMNS}`,
    )
    .bind(now, leaseEnd(now, MAIL_REPORT_LEASE_MS))
    .all<MailReportRow>();
  return results;
}

/** Who gets a report, and of which account. */
export interface Recipient {
  email: string;
  role: Role;
  account: string;
  /** Whether the account is deleted or disabled. */
  isStopped: boolean;
}

/** Returns null if the person is no member of the account any more. */
export async function findRecipient(
  db: D1Database,
  { account_id: accountId, user_id: userId }: MailReportRow,
): Promise<Recipient | null> {
  const row = await db
    .prepare(
      `SELECT u.email, m.role, a.name AS account,
         a.deleted_at IS NOT NULL OR a.disabled_at IS NOT NULL AS isStopped
       FROM memberships m JOIN accounts a ON a.id = m.account_id JOIN users u ON u.id = m.user_id
       WHERE m.account_id = ?1 AND m.user_id = ?2`,
    )
    .bind(accountId, userId)
    .first<Omit<Recipient, "isStopped"> & { isStopped: 0 | 1 }>();
  return row === null ? null : { ...row, isStopped: row.isStopped === 1 };
}

/** The tag as the account writes it; null: no link has it. */
export async function findTagName(db: D1Database, accountId: number, tag: string): Promise<string | null> {
  return db
    .prepare("SELECT name FROM tags WHERE account_id = ?1 AND key = ?2")
    .bind(accountId, toTagKey(tag))
    .first<string>("name");
}

/**
 * Stores the mail and when the next one is due, unless another run has done so. If the address has had too many mails, this one is
 * due again in {@link MAIL_WINDOW_MS}.
 */
export async function recordMailReport(
  db: D1Database,
  { id, report_at: reportAt }: MailReportRow,
  mail: NewMail,
  { nextAt, now }: { nextAt: number; now: number },
): Promise<void> {
  const batch = new Batch(db);
  addMail(batch, mail, now, holds`EXISTS (SELECT 1 FROM mail_reports WHERE id = ${id} AND report_at = ${reportAt})`);
  const isStored = mailStored(mail.id);
  batch.sql`UPDATE mail_reports SET report_at = iif(${isStored}, ${nextAt}, report_at),
    due_at = iif(${isStored}, ${nextAt}, ${now + MAIL_WINDOW_MS}) WHERE id = ${id} AND report_at = ${reportAt}`;
  await batch.commitWithRetry();
}

/** Goes on to the next report without this one. */
export async function skipMailReport(
  db: D1Database,
  { id, report_at: reportAt }: MailReportRow,
  nextAt: number,
): Promise<void> {
  await db
    .prepare("UPDATE mail_reports SET report_at = ?3, due_at = ?3 WHERE id = ?1 AND report_at = ?2")
    .bind(id, reportAt, nextAt)
    .run();
}
