import type { Batch } from "../../../../platform/database/batch.ts";
import { isDeletedAccount } from "../../../../platform/database/account-states.ts";
import { mailStored } from "../../../../platform/mail/store.ts";
import { holds, type Condition } from "../../../../platform/database/parameters.ts";
import { emailKey } from "../../../../platform/mail/email-address.ts";
import { INVITATIONS_PER_CRON_RUN } from "../../limits.ts";

const OF_DELETED = isDeletedAccount("invitations.account_id");

/** Whether there is a pending invitation for the address. */
export async function isInvited(db: D1Database, email: string, now: number): Promise<boolean> {
  const row = await db
    .prepare(
      `SELECT 1 FROM invitations WHERE email_key = ?1 AND answered_by IS NULL AND expires_at > ?2 AND NOT ${OF_DELETED} LIMIT 1`,
    )
    .bind(emailKey(email), now)
    .first();
  return row !== null;
}

export interface UnsentInvitation {
  id: string;
  email: string;
  /** The name of the account. */
  team: string;
}

/** Returns invitations whose mail is not written yet, oldest first. */
export async function listUnsentInvitations(db: D1Database, now: number): Promise<UnsentInvitation[]> {
  const { results } = await db
    .prepare(
      `SELECT invitations.id, email, accounts.name AS team FROM invitations JOIN accounts ON accounts.id = account_id
       WHERE token_hash IS NULL AND expires_at > ?1 AND NOT ${OF_DELETED} ORDER BY invitations.id LIMIT ?2`,
    )
    .bind(now, INVITATIONS_PER_CRON_RUN)
    .all<UnsentInvitation>();
  return results;
}

/** Holds while the mail of the invitation is not written. */
export function invitationIsUnsent(id: string): Condition {
  return holds`EXISTS (SELECT 1 FROM invitations WHERE id = ${id} AND token_hash IS NULL)`;
}

/** Sets the token of an invitation that has none, if the mail with the token is stored. Idempotent. */
export function setInvitationToken(batch: Batch, id: string, tokenHash: string, mailId: string): void {
  batch.sql`UPDATE invitations SET token_hash = ${tokenHash}
    WHERE id = ${id} AND token_hash IS NULL AND ${mailStored(mailId)}`;
}
