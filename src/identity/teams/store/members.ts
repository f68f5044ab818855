import type { Role } from "../../../platform/auth/roles.ts";
import type { Batch } from "../../../platform/database/batch.ts";
import type { Condition } from "../../../platform/database/parameters.ts";
import { boundsOf, type Page } from "../../../platform/http/pagination.ts";
import type { MemberBody } from "../schemas.ts";

interface MemberRow {
  user_id: string;
  name: string;
  email: string;
  role: Role;
  joined_at: number;
}

const MEMBERS = `SELECT m.user_id, u.name, u.email, m.role, m.joined_at
  FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.account_id = ?1`;

function toMember(row: MemberRow): MemberBody {
  return { userId: row.user_id, name: row.name, email: row.email, role: row.role, joinedAt: row.joined_at };
}

export async function findMember(db: D1Database, accountId: number, userId: string): Promise<MemberBody | null> {
  const row = await db.prepare(`${MEMBERS} AND m.user_id = ?2`).bind(accountId, userId).first<MemberRow>();
  return row === null ? null : toMember(row);
}

/** The members; one more than the page holds. */
export async function listMembers(db: D1Database, accountId: number, page: Page): Promise<MemberBody[]> {
  const { results } = await db
    .prepare(`${MEMBERS} AND m.user_id < ?2 ORDER BY m.user_id DESC LIMIT ?3 OFFSET ?4`)
    .bind(accountId, ...boundsOf(page))
    .all<MemberRow>();
  return results.map(toMember);
}

/** Sets a member's role, if the condition holds. Idempotent. */
export function setRole(batch: Batch, accountId: number, userId: string, role: Role, condition: Condition): void {
  batch.sql`UPDATE memberships SET role = ${role}
    WHERE account_id = ${accountId} AND user_id = ${userId} AND role <> ${role}
      AND ${condition}`;
}

/** Ends a membership, if the condition holds. */
export function deleteMember(batch: Batch, accountId: number, userId: string, condition: Condition): void {
  batch.sql`DELETE FROM memberships WHERE account_id = ${accountId} AND user_id = ${userId} AND ${condition}`;
}

/** Whether a change failed because the account would have no owner (a trigger in schema.sql). */
export function isOwnerless(error: unknown): boolean {
  return error instanceof Error && error.message.includes("an account needs an owner");
}
