import type { ServiceContext } from "../../../platform/context.ts";
import { Batch } from "../../../platform/database/batch.ts";
import { allOf, holds } from "../../../platform/database/parameters.ts";
import { leaseEnd } from "../../../platform/lib/lease.ts";
import { addMailsTogether, type NewMail } from "../../../platform/mail/store.ts";
import { MAIL_WINDOW_MS } from "../../../limits.ts";
import { TAKEDOWN_MAIL_LEASE_MS, TOLD_TAKEDOWNS_PER_RUN } from "../../limits.ts";

/** An account that a takedown concerns. */
export interface Concerned {
  accountId: number;
  takedownId: string;
}

/** Returns those whose owners are to be told, and leases them for {@link TAKEDOWN_MAIL_LEASE_MS}. */
export async function claimDue({ db, now }: ServiceContext): Promise<Concerned[]> {
  const { results } = await db
    .prepare(
      `UPDATE takedown_accounts SET due_at = ?2 WHERE (account_id, takedown_id) IN
       (SELECT account_id, takedown_id FROM takedown_accounts WHERE due_at <= ?1 ORDER BY due_at LIMIT ?3)
     RETURNING account_id AS accountId, takedown_id AS takedownId`,
    )
    .bind(now, leaseEnd(now, TAKEDOWN_MAIL_LEASE_MS), TOLD_TAKEDOWNS_PER_RUN)
    .all<Concerned>();
  return results;
}

/** What the owners of an account know once they have the mail. */
export interface Told {
  /** When the takedown was reversed; null: it is in force. */
  reversedAt: number | null;
  /** When the account's appeal was decided; null: it was not, or there is none. */
  decidedAt: number | null;
}

/**
 * Stores the mails to the owners, unless they were told, or something else is to be told by now. If an address has had too many mails,
 * all owners are told when it may have more.
 */
export async function tellOnce(
  { db, now }: ServiceContext,
  { accountId, takedownId }: Concerned,
  { reversedAt, decidedAt }: Told,
  mails: readonly NewMail[],
): Promise<void> {
  const batch = new Batch(db);
  const isDue = holds`EXISTS (SELECT 1 FROM takedown_accounts
    WHERE account_id = ${accountId} AND takedown_id = ${takedownId} AND due_at IS NOT NULL)`;
  const isCurrent = holds`((SELECT reversed_at FROM takedowns WHERE id = ${takedownId}) IS ${reversedAt}
    AND (SELECT decided_at FROM appeals WHERE takedown_id = ${takedownId} AND account_id = ${accountId}) IS ${decidedAt})`;
  const areStored = addMailsTogether(batch, mails, now, allOf(isDue, isCurrent));
  batch.sql`UPDATE takedown_accounts SET due_at = iif(NOT ${isCurrent}, due_at, iif(${areStored}, NULL, ${now + MAIL_WINDOW_MS}))
    WHERE account_id = ${accountId} AND takedown_id = ${takedownId} AND due_at IS NOT NULL`;
  await batch.commitWithRetry();
}
