import type { Batch } from "../database/batch.ts";
import { ALWAYS, Parameters, type Condition } from "../database/parameters.ts";
import { firstIdAt, newId } from "../lib/uuid.ts";
import { AUDIT_RETENTION_MS } from "../limits.ts";

/** What the audit log records. */
export type AuditAction =
  | "user.sign_up"
  | "user.sign_in"
  | "session.end"
  | "password.change"
  | "password.reset"
  | "email.change"
  | "email.undo"
  | "totp.add"
  | "totp.remove"
  | "passkey.add"
  | "passkey.rename"
  | "passkey.remove"
  | "recovery_codes.replace"
  | "recovery_code.use"
  | "factors.reset"
  | "key.create"
  | "key.revoke"
  | "member.add";

export interface AuditEntry {
  /** The account, or the personal account of a user. */
  account: { id: number } | { personalOf: string };
  actor: { type: "user" | "key"; id: string };
  action: AuditAction;
  /** The id of what was changed. Never a secret. */
  targetId: string | null;
  /** From which country; null: unknown. */
  country: string | null;
}

/** Adds an entry to the batch of the change that it records. `condition` is that of the change. */
export function addAuditEntry(batch: Batch, entry: AuditEntry, now: number, condition: Condition = ALWAYS): void {
  const { account, actor, action, targetId, country } = entry;
  const parameters = new Parameters([newId(now), actor.type, actor.id, action, targetId, country, now]);
  const owner =
    "id" in account ? `id = ${parameters.add(account.id)}` : `personal_user_id = ${parameters.add(account.personalOf)}`;
  batch.add(
    `INSERT INTO audit_entries (id, account_id, actor_type, actor_id, action, target_id, country, created_at)
     SELECT ?1, accounts.id, ?2, ?3, ?4, ?5, ?6, ?7 FROM accounts WHERE accounts.${owner} AND ${condition(parameters)}
     ON CONFLICT (id) DO NOTHING`,
    parameters.values,
  );
}

/** Deletes up to `limit` entries that are past their retention, and returns their number. */
export async function deleteOldAuditEntries(db: D1Database, now: number, limit: number): Promise<number> {
  const { meta } = await db
    .prepare("DELETE FROM audit_entries WHERE id IN (SELECT id FROM audit_entries WHERE id < ?1 ORDER BY id LIMIT ?2)")
    .bind(firstIdAt(now - AUDIT_RETENTION_MS), limit)
    .run();
  return meta.changes;
}
