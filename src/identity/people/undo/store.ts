import type { Batch } from "../../../platform/database/batch.ts";
import { Parameters, type Condition } from "../../../platform/database/parameters.ts";
import type { Claim } from "../tokens/store.ts";

// What an undo of a change keeps and removes. A token lists the factors that its user had before the change, as the
// transaction of the change found them: clocks of several requests do not decide.

/** The purposes of tokens that undo a change. */
export const UNDO_PURPOSES = ["undo_email", "undo_factor"] as const;

/** The payload of such a token. */
export interface UndoPayload {
  /** The address that the token was sent to, and which the undo restores. */
  email: string;
  /** The ids of the passkeys that the undo keeps. */
  passkeys: string[];
  /** When the authenticator app was confirmed that the undo keeps, Unix milliseconds; null: it keeps none. */
  totp: number | null;
  /** The least hash of the recovery codes that the undo keeps, which are replaced all at once; null: it keeps none. */
  codes: string | null;
}

/** What was there before the change: nothing, factors whose recovery codes were replaced, or all that is there. */
export type Kept = "nothing" | "factors" | "all";

export interface NewUndo {
  hash: string;
  purpose: (typeof UNDO_PURPOSES)[number];
  userId: string;
  email: string;
  expiresAt: number;
}

// SQL of the members of the payload; ?3 is the id of the user.
const PRESENT_PASSKEYS = "(SELECT json_group_array(id) FROM passkeys WHERE user_id = ?3)";
const PRESENT_TOTP = "(SELECT confirmed_at FROM totp_factors WHERE user_id = ?3)";
const PRESENT_CODES = "(SELECT min(hash) FROM recovery_codes WHERE user_id = ?3)";
const NO_CODES = { codes: "NULL" };
const NO_FACTORS = { passkeys: "'[]'", totp: "NULL" };

/** Stores the token of an undo that keeps what the user has at this place of the batch, if the condition holds. Idempotent. */
export function addUndo(batch: Batch, undo: NewUndo, kept: Kept, now: number, condition: Condition): void {
  const { hash, purpose, userId, email, expiresAt } = undo;
  const parameters = new Parameters([hash, purpose, userId, email, now, expiresAt]);
  const present = { passkeys: PRESENT_PASSKEYS, totp: PRESENT_TOTP, codes: PRESENT_CODES };
  const { passkeys, totp, codes } = {
    ...present,
    ...(kept !== "all" && NO_CODES),
    ...(kept === "nothing" && NO_FACTORS),
  };
  batch.add(
    `INSERT INTO tokens (hash, purpose, subject, payload, created_at, expires_at)
     SELECT ?1, ?2, ?3, json_object('email', ?4,
       'passkeys', json(${passkeys}), 'totp', ${totp}, 'codes', ${codes}), ?5, ?6
     WHERE ${condition(parameters)} ON CONFLICT (hash) DO NOTHING`,
    parameters.values,
  );
}

/**
 * Deletes the factors and recovery codes that the token of the claim does not keep, if the condition holds. The undo of an
 * address also deletes those that an unused token of a factor does not keep: a stranger may have added the factor first.
 * Idempotent.
 */
export function deleteNewFactors(
  batch: Batch,
  { hash }: Claim,
  { purpose, userId }: Pick<NewUndo, "purpose" | "userId">,
  now: number,
  condition: Condition,
): void {
  const undone = `(undo.hash = ?2 OR (?3 = 'undo_email' AND undo.subject = ?1 AND undo.purpose = 'undo_factor'
    AND undo.used_by IS NULL AND undo.expires_at > ?4))`;
  const isNew: Record<string, string> = {
    passkeys: "passkeys.id NOT IN (SELECT value FROM json_each(undo.payload, '$.passkeys'))",
    // A factor that was never confirmed belongs to nobody.
    totp_factors: "(confirmed_at IS NULL OR confirmed_at IS NOT json_extract(undo.payload, '$.totp'))",
    recovery_codes: `json_extract(undo.payload, '$.codes') IS NOT (SELECT min(c.hash) FROM recovery_codes c WHERE c.user_id = ?1)`,
  };
  for (const [table, condemned] of Object.entries(isNew)) {
    const parameters = new Parameters([userId, hash, purpose, now]);
    batch.add(
      `DELETE FROM ${table} WHERE user_id = ?1 AND EXISTS (SELECT 1 FROM tokens undo WHERE ${undone} AND ${condemned})
         AND ${condition(parameters)}`,
      parameters.values,
    );
  }
}
