import type { Batch } from "../database/batch.ts";
import { allOf, ALWAYS, holds, Parameters, type Condition } from "../database/parameters.ts";
import type { AppLanguage } from "../languages.ts";
import { leaseEnd } from "../lib/lease.ts";
import { MAIL_WINDOW_MS } from "../../limits.ts";
import { emailKey } from "./email-address.ts";
import type { MailKind } from "./messages.ts";
import { MAIL_LEASE_MS, MAILS_PER_CRON_RUN, MAX_MAILS_PER_KIND, MAX_SHOWN_MAILS, MAX_TOLD_OWNERS } from "./limits.ts";

export interface NewMail {
  id: string;
  kind: MailKind;
  recipient: string;
  /** Encrypted; null: the mail is not sent. It is stored so that the transaction writes as much as with a mail. */
  content: string | null;
}

/**
 * Stores a mail if the condition holds and the address has had fewer than {@link MAX_MAILS_PER_KIND} mails of this kind in
 * {@link MAIL_WINDOW_MS}. It is due at once, if it has a content. Idempotent.
 */
export function addMail(batch: Batch, mail: NewMail, now: number, condition: Condition = ALWAYS): void {
  const { id, kind, recipient, content } = mail;
  batch.sql`INSERT INTO mails (id, kind, recipient, recipient_key, content, due_at, created_at)
    SELECT ${id}, ${kind}, ${recipient}, ${emailKey(recipient)}, ${content}, iif(${content} IS NULL, NULL, ${now}), ${now}
    WHERE ${isWithinLimit(mail, now)} AND ${condition}
    ON CONFLICT (id) DO NOTHING`;
}

/**
 * As {@link addMail}, but stores all of the mails or none: none if one of the addresses has had too many. Returns the condition that
 * holds if they are stored.
 */
export function addMailsTogether(
  batch: Batch,
  mails: readonly NewMail[],
  now: number,
  condition: Condition = ALWAYS,
): Condition {
  const ids = JSON.stringify(mails.map(({ id }) => id));
  const addresses = JSON.stringify(mails.map(({ kind, recipient }) => [kind, emailKey(recipient)]));
  const fit = holds`NOT EXISTS (SELECT 1 FROM json_each(${addresses}) a WHERE ${MAX_MAILS_PER_KIND} <=
    (SELECT count(*) FROM mails WHERE kind = a.value ->> 0 AND recipient_key = a.value ->> 1
      AND created_at > ${now - MAIL_WINDOW_MS} AND id NOT IN (SELECT value FROM json_each(${ids}))))`;
  for (const mail of mails) addMail(batch, mail, now, allOf(condition, fit));
  return holds`(SELECT count(*) FROM mails WHERE id IN (SELECT value FROM json_each(${ids}))) = ${mails.length}`;
}

/** Holds while the address has had fewer than {@link MAX_MAILS_PER_KIND} mails of the kind in {@link MAIL_WINDOW_MS}. */
function isWithinLimit({ kind, recipient }: NewMail, now: number): Condition {
  return holds`(SELECT count(*) FROM mails WHERE recipient_key = ${emailKey(recipient)}
      AND kind = ${kind} AND created_at > ${now - MAIL_WINDOW_MS})
    < ${MAX_MAILS_PER_KIND}`;
}

/** The language of the person with the address; null: none is chosen, or nobody has the address. */
export async function findLanguage(db: D1Database, recipient: string): Promise<AppLanguage | null> {
  return db
    .prepare("SELECT language FROM users WHERE email_key = ?1")
    .bind(emailKey(recipient))
    .first<AppLanguage>("language");
}

/** Holds if the address got a mail of the kind after this time. */
export function wasMailed(kind: MailKind, recipient: string, since: number): Condition {
  return holds`EXISTS (SELECT 1 FROM mails WHERE recipient_key = ${emailKey(recipient)}
    AND kind = ${kind} AND created_at > ${since})`;
}

/** Holds if {@link addMail} would store the mail, or has done so. */
export function mailFits(mail: NewMail, now: number): Condition {
  return holds`(${isWithinLimit(mail, now)} OR ${mailStored(mail.id)})`;
}

/** Holds if {@link addMail} stored the mail. */
export function mailStored(id: string): Condition {
  return holds`EXISTS (SELECT 1 FROM mails WHERE id = ${id})`;
}

export interface DueMail extends Omit<NewMail, "content"> {
  /** Encrypted; null: a notice that is not written yet. */
  content: string | null;
  /** With the present one. */
  attempts: number;
}

/** Claims a due mail for {@link MAIL_LEASE_MS}. Returns null if it is not due: sent, given up, or claimed by another sender. */
export async function claimMail(db: D1Database, id: string, now: number): Promise<DueMail | null> {
  return db
    .prepare(
      `UPDATE mails SET due_at = ?3, attempts = attempts + 1 WHERE id = ?1 AND due_at <= ?2
       RETURNING id, kind, recipient, content, attempts`,
    )
    .bind(id, now, leaseEnd(now, MAIL_LEASE_MS))
    .first<DueMail>();
}

/** Records that the mail was sent or is given up. `keepsContent` is for the outbox. */
export async function finishMail(db: D1Database, id: string, keepsContent: boolean): Promise<void> {
  await db
    .prepare("UPDATE mails SET due_at = NULL, content = iif(?2, content, NULL) WHERE id = ?1")
    .bind(id, keepsContent ? 1 : 0)
    .run();
}

export async function postponeMail(db: D1Database, id: string, dueAt: number): Promise<void> {
  await db.prepare("UPDATE mails SET due_at = ?2 WHERE id = ?1").bind(id, dueAt).run();
}

/** Returns the ids of mails that are due. */
export async function listDueMails(db: D1Database, now: number): Promise<string[]> {
  const { results } = await db
    .prepare("SELECT id FROM mails WHERE due_at <= ?1 ORDER BY due_at LIMIT ?2")
    .bind(now, MAILS_PER_CRON_RUN)
    .all<{ id: string }>();
  return results.map(({ id }) => id);
}

export interface KeptMail {
  id: string;
  recipient: string;
  content: string;
  created_at: number;
}

/** Returns the mails that still have their content, newest first. */
export async function listKeptMails(db: D1Database): Promise<KeptMail[]> {
  const { results } = await db
    .prepare("SELECT id, recipient, content, created_at FROM mails WHERE content IS NOT NULL ORDER BY id DESC LIMIT ?1")
    .bind(MAX_SHOWN_MAILS)
    .all<KeptMail>();
  return results;
}

/**
 * The account's name and the addresses of up to {@link MAX_TOLD_OWNERS} owners for whom the condition holds; null: there are none.
 * The condition is about the account `a` and the membership `m`.
 */
export async function findOwners(
  db: D1Database,
  accountId: number,
  condition: Condition,
): Promise<{ name: string; owners: string[] } | null> {
  const parameters = new Parameters([accountId, MAX_TOLD_OWNERS]);
  const { results } = await db
    .prepare(
      `SELECT a.name, u.email FROM accounts a JOIN memberships m ON m.account_id = a.id JOIN users u ON u.id = m.user_id
       WHERE a.id = ?1 AND m.role = 'owner' AND ${condition(parameters)} ORDER BY m.user_id LIMIT ?2`,
    )
    .bind(...parameters.values)
    .all<{ name: string; email: string }>();
  const [first] = results;
  return first === undefined ? null : { name: first.name, owners: results.map(({ email }) => email) };
}
