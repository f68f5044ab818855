import type { Batch, Result } from "../../../../platform/database/batch.ts";
import type { Condition } from "../../../../platform/database/parameters.ts";
import { factorExists } from "../../../../platform/auth/store/conditions.ts";

/** Holds if the user has a second factor. */
export function hasFactor(userId: string): Condition {
  return (parameters) => factorExists(parameters.add(userId));
}

/** Holds if the user has no second factor. */
export function lacksFactor(userId: string): Condition {
  return (parameters) => `NOT ${factorExists(parameters.add(userId))}`;
}

/** The factors of a user, as 0 or 1. */
interface FactorRow {
  totp: number;
  passkey: number;
  recovery: number;
}

const FACTORS = `SELECT EXISTS (SELECT 1 FROM totp_factors WHERE user_id = ?1 AND confirmed_at IS NOT NULL) AS totp,
  EXISTS (SELECT 1 FROM passkeys WHERE user_id = ?1) AS passkey,
  EXISTS (SELECT 1 FROM recovery_codes WHERE user_id = ?1 AND used_by IS NULL) AS recovery`;

/** What a second step of a sign-in accepts. */
export type FactorKind = keyof FactorRow;

/** Reads the factors of the user in a batch. */
export function readFactorKinds(batch: Batch, userId: string): Result<FactorRow> {
  return batch.add<FactorRow>(FACTORS, [userId]);
}

export function toFactorKinds(row: FactorRow | undefined): FactorKind[] {
  const kinds: FactorKind[] = ["totp", "passkey", "recovery"];
  return kinds.filter((kind) => row?.[kind] === 1);
}

/** Holds if the user has one second factor and no other. */
export function hasOneFactor(userId: string): Condition {
  return (parameters) => {
    const user = parameters.add(userId);
    return `(SELECT count(*) FROM passkeys WHERE user_id = ${user})
      + (SELECT count(*) FROM totp_factors WHERE user_id = ${user} AND confirmed_at IS NOT NULL) = 1`;
  };
}
