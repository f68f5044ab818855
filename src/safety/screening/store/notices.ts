import type { ServiceContext } from "../../../platform/context.ts";
import { Batch } from "../../../platform/database/batch.ts";
import { holds } from "../../../platform/database/parameters.ts";
import { leaseEnd } from "../../../platform/lib/lease.ts";
import { addMailsTogether, type NewMail } from "../../../platform/mail/store.ts";
import { stateSql } from "../../../redirect/verdict.ts";
import {
  MAX_TOLD_HOSTS,
  SCREENING_HOST_INTERVAL_MS,
  SCREENING_MAIL_DELAY_MS,
  SCREENING_MAIL_INTERVAL_MS,
  SCREENING_MAIL_LEASE_MS,
  SCREENING_MAILS_PER_RUN,
} from "../../limits.ts";

/** What screening found at the host of links of an account. */
export interface ScreeningNotice {
  accountId: number;
  host: string;
  /** Packed, without its time (src/redirect/verdict.ts). */
  verdict: number;
  /** Of one of the links. */
  shortUrl: string;
}

/** Notes what owners are to be told. May be repeated. */
export async function noteFindings({ db, now }: ServiceContext, notices: readonly ScreeningNotice[]): Promise<void> {
  if (notices.length === 0) return;
  const nextMail = `(SELECT t.told_at + ${SCREENING_MAIL_INTERVAL_MS}
    FROM screening_notices t INDEXED BY screening_notices_told
    WHERE t.account_id = n.value ->> 'accountId' AND t.told_at IS NOT NULL ORDER BY t.told_at DESC LIMIT 1)`;
  const staysWorse = `due_at IS NOT NULL AND ${stateSql("verdict")} > ${stateSql("excluded.verdict")}`;
  const isWorse = `${stateSql("excluded.verdict")} > ${stateSql("told_verdict")}`;
  // Only what is worse than what the owners know is told before a day is over, so findings that alternate are one mail a day.
  await db
    .prepare(
      `INSERT INTO screening_notices (account_id, host, verdict, short_url, due_at)
     SELECT n.value ->> 'accountId', n.value ->> 'host', n.value ->> 'verdict', n.value ->> 'shortUrl',
       max(?2, coalesce(${nextMail}, 0)) FROM json_each(?1) n WHERE true
     ON CONFLICT DO UPDATE SET
       verdict = iif(${staysWorse}, verdict, excluded.verdict),
       short_url = iif(${staysWorse}, short_url, excluded.short_url),
       due_at = iif(told_at IS NULL OR ${isWorse},
         min(coalesce(due_at, excluded.due_at), excluded.due_at),
         coalesce(due_at, max(excluded.due_at, told_at + ${SCREENING_HOST_INTERVAL_MS})))`,
    )
    .bind(JSON.stringify(notices), now + SCREENING_MAIL_DELAY_MS)
    .run();
}

/**
 * Forgets what was told long ago. Returns accounts whose owners are to be told, and leases them for
 * {@link SCREENING_MAIL_LEASE_MS}.
 */
export async function claimDueAccounts({ db, now }: ServiceContext): Promise<number[]> {
  const due = "screening_notices INDEXED BY screening_notices_due";
  const accounts = `SELECT account_id FROM ${due} WHERE due_at <= ?1
    GROUP BY account_id ORDER BY min(due_at), account_id LIMIT ${SCREENING_MAILS_PER_RUN}`;
  const [, claimed] = await db.batch<{ account_id: number }>([
    db
      .prepare("DELETE FROM screening_notices WHERE due_at IS NULL AND told_at <= ?1")
      .bind(now - SCREENING_HOST_INTERVAL_MS),
    db.prepare(accounts).bind(now),
    db
      .prepare(`UPDATE ${due} SET due_at = ?2 WHERE due_at < ?2 AND account_id IN (${accounts})`)
      .bind(now, leaseEnd(now, SCREENING_MAIL_LEASE_MS)),
  ]);
  return claimed?.results.map((row) => row.account_id) ?? [];
}

/** What the account's owners are told now: at most {@link MAX_TOLD_HOSTS} hosts, those of blocked links first. */
export async function listNotices({ db, now }: ServiceContext, accountId: number): Promise<ScreeningNotice[]> {
  const { results } = await db
    .prepare(
      `SELECT account_id AS accountId, host, verdict, short_url AS shortUrl FROM screening_notices
     WHERE account_id = ?1 AND due_at <= ?2 ORDER BY verdict DESC, host LIMIT ?3`,
    )
    .bind(accountId, leaseEnd(now, SCREENING_MAIL_LEASE_MS), MAX_TOLD_HOSTS)
    .all<ScreeningNotice>();
  return results;
}

/**
 * Stores the mails to the owners of the account, unless another run has told them of the notices. The next mail is due an hour later at
 * the earliest, also with what this one has no place for. If an address has had too many mails, all owners are told then.
 */
export async function tellFindings(
  { db, now }: ServiceContext,
  accountId: number,
  notices: readonly ScreeningNotice[],
  mails: readonly NewMail[],
): Promise<void> {
  // A finding that has changed meanwhile is told later.
  const told = JSON.stringify(notices.map(({ host, verdict }) => [host, verdict]));
  const areDue = holds`account_id = ${accountId} AND due_at IS NOT NULL`;
  const isTold = holds`(host, verdict) IN (SELECT value ->> 0, value ->> 1 FROM json_each(${told}))`;
  const batch = new Batch(db);
  const isDue = holds`EXISTS (SELECT 1 FROM screening_notices WHERE ${areDue} AND ${isTold})`;
  const areStored = addMailsTogether(batch, mails, now, isDue);
  batch.sql`UPDATE screening_notices SET
    due_at = iif(${isTold} AND ${areStored}, NULL, max(due_at, ${now + SCREENING_MAIL_INTERVAL_MS})),
    told_at = iif(${isTold} AND ${areStored}, ${now}, told_at),
    told_verdict = iif(${isTold} AND ${areStored}, verdict, told_verdict) WHERE ${areDue}`;
  await batch.commitWithRetry();
}
