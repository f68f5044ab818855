import type { Batch, Result } from "../../platform/database/batch.ts";
import { holds, type Condition } from "../../platform/database/parameters.ts";
import { DATABASE_TIME } from "../../platform/installation/store.ts";

/** Who claims the installation, with which code. */
export interface Claim {
  userId: string;
  /** The stored form of the setup code; null: it is the secret. */
  codeHash: string | null;
  /** Since when the code counts. */
  codeMadeAt: number;
  /** The origin that the installation takes; '': none. */
  origin: string;
}

/** Claims the installation, unless it has an owner, a person, or meanwhile another code. Returns when, by the database's clock. Idempotent. */
export function claimInstallation(batch: Batch, claim: Claim): Result<{ at: number }> {
  const { userId, codeHash, codeMadeAt, origin } = claim;
  return batch.add(
    `UPDATE installation
     SET claimed_at = ${DATABASE_TIME}, claimed_by = ?1, origin = ?2, code_hash = NULL, code_made_at = 0
     WHERE claimed_by IS ?1 OR (claimed_at IS NULL AND code_hash IS ?3 AND code_made_at = ?4
       AND NOT EXISTS (SELECT 1 FROM users))
     RETURNING claimed_at AS at`,
    [userId, origin, codeHash, codeMadeAt],
  );
}

/** Holds if the user has claimed the installation. */
export function hasClaimed(userId: string): Condition {
  return holds`EXISTS (SELECT 1 FROM installation WHERE claimed_by = ${userId})`;
}

/** Makes the user an operator of the service, with an entry in the operators' log. */
export function addFirstOperator(batch: Batch, userId: string, entryId: string, now: number): void {
  const condition = hasClaimed(userId);
  batch.sql`INSERT INTO operators (user_id, added_at) SELECT ${userId}, ${now} WHERE ${condition} ON CONFLICT DO NOTHING`;
  batch.sql`INSERT INTO operator_entries (id, action, subject, created_at)
    SELECT ${entryId}, 'operator.add', ${userId}, ${now} WHERE ${condition} ON CONFLICT DO NOTHING`;
}

/** Ends a code that is too old, so that no clock that is set back makes it count again. */
export async function endCode(db: D1Database, codeMadeAt: number): Promise<void> {
  await db.prepare("UPDATE installation SET code_made_at = 0 WHERE code_made_at = ?1").bind(codeMadeAt).run();
}

/** Whether an account has proved that it owns this host name. */
export async function isCustomDomain(db: D1Database, hostname: string): Promise<boolean> {
  return (
    (await db.prepare("SELECT 1 FROM domains WHERE domain = ?1 AND status = 'verified'").bind(hostname).first()) !==
    null
  );
}
