import type { Role } from "../../../../platform/auth/roles.ts";
import { isDeletedAccount } from "../../../../platform/database/account-states.ts";
import type { Batch, Result } from "../../../../platform/database/batch.ts";
import { holds, type Condition } from "../../../../platform/database/parameters.ts";
import { MAX_MEMBERS_PER_TEAM } from "../../../../limits.ts";

// What a person with the link of an invitation does.

/** An invitation that can be answered. */
export interface OpenInvitation {
  id: string;
  accountId: number;
  email: string;
  role: Role;
  /** Unix milliseconds. */
  expiresAt: number;
  team: { id: string; name: string };
  /** The name of the person who invited; null: the operator, or a person who is deleted. */
  inviter: string | null;
}

interface OpenInvitationRow {
  id: string;
  account_id: number;
  email: string;
  role: Role;
  expires_at: number;
  uuid: string;
  name: string;
  inviter: string | null;
}

/** Returns null if the token is unknown, its invitation was answered, revoked or replaced or has expired, or its account is deleted. */
export async function findOpenInvitation(
  db: D1Database,
  tokenHash: string,
  now: number,
): Promise<OpenInvitation | null> {
  const row = await db
    .prepare(
      `SELECT i.id, i.account_id, i.email, i.role, i.expires_at, a.uuid, a.name, u.name AS inviter
       FROM invitations i JOIN accounts a ON a.id = i.account_id LEFT JOIN users u ON u.id = i.invited_by
       WHERE i.answered_by IS NULL AND i.expires_at > ?1 AND i.token_hash = ?2
         AND NOT ${isDeletedAccount("i.account_id")}`,
    )
    .bind(now, tokenHash)
    .first<OpenInvitationRow>();
  if (row === null) return null;
  const { id, account_id: accountId, email, role, expires_at: expiresAt, uuid, name, inviter } = row;
  return { id, accountId, email, role, expiresAt, team: { id: uuid, name }, inviter };
}

/** The answer to an invitation by the user, in the request with this id. */
export interface Answer {
  invitationId: string;
  userId: string;
  requestId: string;
}

/**
 * Answers the invitation if it is pending and is for the user's present address. Of concurrent requests, one gets a row.
 * Idempotent: a repeated batch finds the invitation answered by itself.
 */
export function claimInvitation(
  batch: Batch,
  { invitationId, userId, requestId }: Answer,
  now: number,
  condition: Condition,
): Result<{ id: string }> {
  return batch.sql`UPDATE invitations SET answered_by = ${requestId}
    WHERE id = ${invitationId} AND expires_at > ${now} AND (answered_by IS NULL OR answered_by = ${requestId})
      AND email_key = (SELECT email_key FROM users WHERE id = ${userId}) AND ${condition} RETURNING id`;
}

/** Holds while the invitation is pending, and for the request that has answered it. */
export function isOpen({ invitationId, requestId }: Omit<Answer, "userId">, now: number): Condition {
  return holds`EXISTS (SELECT 1 FROM invitations WHERE id = ${invitationId} AND expires_at > ${now}
    AND (answered_by IS NULL OR answered_by = ${requestId}))`;
}

/** Holds if this request answered the invitation. */
export function isAnswered({ invitationId, requestId }: Answer): Condition {
  return holds`EXISTS (SELECT 1 FROM invitations WHERE id = ${invitationId}
    AND answered_by = ${requestId})`;
}

/** Holds if the account may have one more member. */
export function hasRoomToJoin(accountId: number): Condition {
  return holds`(SELECT count(*) FROM memberships WHERE account_id = ${accountId}) < ${MAX_MEMBERS_PER_TEAM}`;
}

/** Adds the user with the role of the answered invitation. A present member keeps the role. Idempotent. */
export function addInvitedMember(batch: Batch, answer: Answer, now: number): void {
  batch.add(
    `INSERT INTO memberships (account_id, user_id, role, joined_at)
     SELECT account_id, ?2, role, ?4 FROM invitations WHERE id = ?1 AND answered_by = ?3
     ON CONFLICT (account_id, user_id) DO NOTHING`,
    [answer.invitationId, answer.userId, answer.requestId, now],
  );
}
