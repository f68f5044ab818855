import { MAX_WRITE_ATTEMPTS } from "../limits.ts";
import { isTransient } from "./errors.ts";

/**
 * Runs a D1 batch, which is one transaction, and repeats it after a transient failure. The failed attempt may have been
 * committed, so every statement must be idempotent.
 */
export async function batchWithRetry(
  db: D1Database,
  statements: D1PreparedStatement[],
): Promise<D1Result<Record<string, unknown>>[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.batch<Record<string, unknown>>(statements);
    } catch (error) {
      if (attempt >= MAX_WRITE_ATTEMPTS || !isTransient(error)) throw error;
    }
  }
}
