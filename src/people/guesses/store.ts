import { Batch } from "../../database/batch.ts";
import { ALWAYS, Parameters, type Condition } from "../../database/parameters.ts";
import { firstIdAt } from "../../lib/uuid.ts";
import { GUESS_WINDOW_MS, MAX_GUESSES } from "../limits.ts";

/**
 * Counts a guess at `subject` before it is checked, unless there were {@link MAX_GUESSES} in {@link GUESS_WINDOW_MS}.
 * Returns null, or the time at which the next guess is possible. Idempotent.
 */
export async function reserveGuess(db: D1Database, id: string, subject: string, now: number): Promise<number | null> {
  const since = now - GUESS_WINDOW_MS;
  const batch = new Batch(db);
  batch.add(
    `INSERT INTO guesses (id, subject, created_at) SELECT ?1, ?2, ?3
     WHERE (SELECT count(*) FROM guesses WHERE subject = ?2 AND created_at > ?4) < ?5 ON CONFLICT (id) DO NOTHING`,
    [id, subject, now, since, MAX_GUESSES],
  );
  const stored = batch.add("SELECT 1 FROM guesses WHERE id = ?1", [id]);
  const oldest = batch.add<{ at: number | null }>(
    "SELECT min(created_at) AS at FROM guesses WHERE subject = ?1 AND created_at > ?2",
    [subject, since],
  );
  await batch.commitWithRetry();
  return stored.first === undefined ? (oldest.first?.at ?? now) + GUESS_WINDOW_MS : null;
}

/** Takes back a guess that was right, if the condition holds. */
export function releaseGuess(batch: Batch, id: string, condition: Condition = ALWAYS): void {
  const parameters = new Parameters([id]);
  batch.add(`DELETE FROM guesses WHERE id = ?1 AND ${condition(parameters)}`, parameters.values);
}

/** Deletes up to `limit` guesses that no longer count, and returns their number. */
export async function deleteOldGuesses(db: D1Database, now: number, limit: number): Promise<number> {
  const { meta } = await db
    .prepare("DELETE FROM guesses WHERE id IN (SELECT id FROM guesses WHERE id < ?1 ORDER BY id LIMIT ?2)")
    .bind(firstIdAt(now - GUESS_WINDOW_MS), limit)
    .run();
  return meta.changes;
}
