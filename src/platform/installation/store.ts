/** What the database says about the installation itself. */
export interface Installation {
  /** Whether it has, or had, an owner. A database in which a person exists is claimed, whatever else it says. */
  isClaimed: boolean;
  /** SHA-256 of the setup code, in hexadecimal; null: the secret `SETUP_CODE` counts. */
  codeHash: string | null;
  /** Since when the setup code counts, Unix milliseconds; 0: it has ended. */
  codeMadeAt: number;
  /** Where it was claimed, if it had no `BASE_URL`; '': it has no such origin. */
  origin: string;
}

export async function readInstallation(db: D1Database): Promise<Installation> {
  const row = await db
    .prepare(
      `SELECT code_hash, code_made_at, origin, claimed_at IS NOT NULL OR EXISTS (SELECT 1 FROM users) AS is_claimed
       FROM installation`,
    )
    .first<{ code_hash: string | null; code_made_at: number; origin: string; is_claimed: number }>();
  if (row === null) throw new Error("The table installation has no row.");
  const { code_hash, code_made_at, origin, is_claimed } = row;
  return { isClaimed: is_claimed === 1, codeHash: code_hash, codeMadeAt: code_made_at, origin };
}
