/** What the database says about the installation itself. Times and ages are by its own clock. */
export interface Installation {
  /** Whether it has, or had, an owner. A database in which a person exists is claimed, whatever else it says. */
  isClaimed: boolean;
  /** SHA-256 of the setup code, in hexadecimal; null: the secret `SETUP_CODE` counts. */
  codeHash: string | null;
  /** Since when the setup code counts, Unix milliseconds; 0: it has ended. */
  codeMadeAt: number;
  /** For how long it has counted, ms. */
  codeAge: number;
  /** Where it was claimed. It counts without a `BASE_URL`. '': on this machine, or nobody has claimed it. */
  origin: string;
}

/** SQL for the time of the database. The clock of the machine that makes a code may be another one. */
export const DATABASE_TIME = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";

/** SQL: whether a row of `installation` has, or had, an owner. */
export const IS_CLAIMED = "(claimed_at IS NOT NULL OR EXISTS (SELECT 1 FROM users))";

export async function readInstallation(db: D1Database): Promise<Installation> {
  const row = await db
    .prepare(
      `SELECT code_hash AS codeHash, code_made_at AS codeMadeAt, ${DATABASE_TIME} - code_made_at AS codeAge, origin,
         ${IS_CLAIMED} AS isClaimed
       FROM installation`,
    )
    .first<Omit<Installation, "isClaimed"> & { isClaimed: number }>();
  if (row === null) throw new Error("The table installation has no row.");
  return { ...row, isClaimed: row.isClaimed === 1 };
}
