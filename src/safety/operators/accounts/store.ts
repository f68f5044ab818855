import { Batch } from "../../../platform/database/batch.ts";
import { allOf, holds, not, type Condition } from "../../../platform/database/parameters.ts";
import { emailKey } from "../../../platform/mail/email-address.ts";
import { addEntry, type NewEntry } from "../store.ts";

export interface InvitedAccount {
  uuid: string;
  name: string;
  createdAt: number;
  invitation: { id: string; email: string; expiresAt: number };
}

/**
 * Stores an account and the invitation of its owner, whose mail is not written yet, if the condition holds and no operator's
 * invitation of the address is pending. Idempotent. Returns null, or why it did not.
 */
export async function insertAccount(
  db: D1Database,
  { uuid, name, createdAt, invitation: { id, email, expiresAt } }: InvitedAccount,
  entry: NewEntry,
  condition: Condition,
): Promise<"not_allowed" | "invited" | null> {
  const batch = new Batch(db);
  const key = emailKey(email);
  const isInvited = holds`EXISTS (SELECT 1 FROM invitations
    WHERE email_key = ${key} AND invited_by IS NULL AND answered_by IS NULL AND expires_at > ${createdAt})`;
  batch.sql`INSERT INTO accounts (uuid, name, created_at)
    SELECT ${uuid}, ${name}, ${createdAt} WHERE ${allOf(not(isInvited), condition)} ON CONFLICT (uuid) DO NOTHING`;
  const isStored = holds`EXISTS (SELECT 1 FROM accounts WHERE uuid = ${uuid})`;
  addEntry(batch, entry, isStored);
  batch.sql`INSERT INTO invitations (id, account_id, email, email_key, role, created_at, expires_at)
    SELECT ${id}, id, ${email}, ${key}, 'owner', ${createdAt}, ${expiresAt} FROM accounts WHERE uuid = ${uuid}
    ON CONFLICT (id) DO NOTHING`;
  const stored = batch.sql`SELECT 1 WHERE ${isStored}`;
  const allowed = batch.sql`SELECT 1 WHERE ${condition}`;
  await batch.commitWithRetry();
  if (stored.first !== undefined) return null;
  return allowed.first === undefined ? "not_allowed" : "invited";
}
