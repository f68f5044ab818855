import { emailKey } from "../email.ts";

/** Whether there is a pending invitation for the address. */
export async function isInvited(db: D1Database, email: string, now: number): Promise<boolean> {
  const row = await db
    .prepare("SELECT 1 FROM invitations WHERE email_key = ?1 AND answered_by IS NULL AND expires_at > ?2 LIMIT 1")
    .bind(emailKey(email), now)
    .first();
  return row !== null;
}
