import type { Role } from "../../../platform/auth/roles.ts";
import type { Batch, Result } from "../../../platform/database/batch.ts";
import { holds, Parameters, type Condition } from "../../../platform/database/parameters.ts";
import { boundsOf, type Page } from "../../../platform/http/pagination.ts";
import { emailKey } from "../../../platform/mail/email-address.ts";
import type { InvitationBody } from "../schemas.ts";
import { MAX_PENDING_INVITATIONS_PER_TEAM } from "../limits.ts";

interface InvitationRow {
  id: string;
  account_id: number;
  email: string;
  role: Role;
  invited_by: string | null;
  created_at: number;
  expires_at: number;
}

const COLUMNS = "id, account_id, email, role, invited_by, created_at, expires_at";
/** Needs the present time as the first value. */
const PENDING = "answered_by IS NULL AND expires_at > ?1";

function toInvitation(row: InvitationRow): InvitationBody {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    invitedBy: row.invited_by,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}

/** The pending invitations, newest first; one more than the page holds. */
export async function listInvitations(
  db: D1Database,
  accountId: number,
  page: Page,
  now: number,
): Promise<InvitationBody[]> {
  const { results } = await db
    .prepare(
      `SELECT ${COLUMNS} FROM invitations WHERE ${PENDING} AND account_id = ?2 AND id < ?3
       ORDER BY id DESC LIMIT ?4 OFFSET ?5`,
    )
    .bind(now, accountId, ...boundsOf(page))
    .all<InvitationRow>();
  return results.map(toInvitation);
}

export interface NewInvitation {
  id: string;
  accountId: number;
  email: string;
  role: Role;
  tokenHash: string;
  invitedBy: string;
  expiresAt: number;
}

/** Holds if no member has this address. */
export function isNoMember(accountId: number, email: string): Condition {
  return holds`NOT EXISTS (SELECT 1 FROM users u JOIN memberships m ON m.user_id = u.id
    AND m.account_id = ${accountId} WHERE u.email_key = ${emailKey(email)})`;
}

/** Holds if one more invitation may be pending. One of the same address does not count, because it is replaced. */
export function hasRoomToInvite(accountId: number, email: string, now: number): Condition {
  return holds`(SELECT count(*) FROM invitations WHERE account_id = ${accountId} AND answered_by IS NULL
    AND expires_at > ${now} AND email_key <> ${emailKey(email)}) < ${MAX_PENDING_INVITATIONS_PER_TEAM}`;
}

/** Adds an invitation and deletes the pending ones of the same address, if the condition holds. Idempotent. */
export function addInvitation(
  batch: Batch,
  invitation: NewInvitation,
  now: number,
  condition: Condition,
): Result<{ id: string }> {
  const { id, accountId, email, role, tokenHash, invitedBy, expiresAt } = invitation;
  const former = new Parameters([accountId, emailKey(email), id]);
  batch.add(
    `DELETE FROM invitations WHERE account_id = ?1 AND email_key = ?2 AND id <> ?3 AND answered_by IS NULL
       AND ${condition(former)}`,
    former.values,
  );
  batch.sql`INSERT INTO invitations (id, account_id, email, email_key, role, token_hash, invited_by, created_at, expires_at)
    SELECT ${id}, ${accountId}, ${email}, ${emailKey(email)}, ${role}, ${tokenHash}, ${invitedBy}, ${now}, ${expiresAt}
    WHERE ${condition} ON CONFLICT (id) DO NOTHING`;
  return batch.add<{ id: string }>("SELECT id FROM invitations WHERE id = ?1", [id]);
}

/** Holds if the account has this pending invitation. */
export function isPending(accountId: number, id: string, now: number): Condition {
  return holds`EXISTS (SELECT 1 FROM invitations WHERE id = ${id} AND account_id = ${accountId}
    AND answered_by IS NULL AND expires_at > ${now})`;
}

/** Deletes the pending invitation. The result has a row if there was one. */
export function deleteInvitation(batch: Batch, accountId: number, id: string, now: number): Result<{ id: string }> {
  return batch.add(`DELETE FROM invitations WHERE ${PENDING} AND account_id = ?2 AND id = ?3 RETURNING id`, [
    now,
    accountId,
    id,
  ]);
}

/**
 * Deletes the pending invitations of the user that the user's present role does not allow: so nobody comes back with an
 * invitation of their own. `inviters` are the roles that may invite, `ownerInviters` those that may invite owners.
 */
export function deleteUnbackedInvitations(
  batch: Batch,
  accountId: number,
  userId: string,
  { inviters, ownerInviters }: { inviters: readonly Role[]; ownerInviters: readonly Role[] },
): void {
  batch.add(
    `DELETE FROM invitations WHERE account_id = ?1 AND invited_by = ?2 AND answered_by IS NULL AND NOT EXISTS (
       SELECT 1 FROM memberships m WHERE m.account_id = ?1 AND m.user_id = ?2 AND m.role IN
         (SELECT value FROM json_each(iif(invitations.role = 'owner', ?4, ?3))))`,
    [accountId, userId, JSON.stringify(inviters), JSON.stringify(ownerInviters)],
  );
}
