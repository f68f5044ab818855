import { Batch } from "../../../platform/database/batch.ts";
import { ALWAYS, type Condition } from "../../../platform/database/parameters.ts";
import { GUESS_WINDOW_MS } from "../limits.ts";

/** How many guesses at `subject` may be wrong in {@link GUESS_WINDOW_MS}. */
export interface GuessLimit {
  /** In its stored form. */
  subject: string;
  max: number;
}

/** A guess that is counted, or the time from which one is possible. `count` is that of the first limit, with this guess. */
export type Reservation = { allowed: true; count: number } | { allowed: false; possibleAt: number };

/** Counts a guess before it is checked, for all of the limits, or for none if one of them is reached. Idempotent. */
export async function reserveGuess(
  db: D1Database,
  id: string,
  limits: readonly GuessLimit[],
  now: number,
): Promise<Reservation> {
  const since = now - GUESS_WINDOW_MS;
  const values = [JSON.stringify(limits), since];
  const batch = new Batch(db);
  batch.add(
    `INSERT INTO guesses (id, subject, created_at) SELECT ?3, value ->> 'subject', ?4 FROM json_each(?1)
     WHERE NOT EXISTS (${REACHED}) ON CONFLICT DO NOTHING`,
    [...values, id, now],
  );
  const stored = batch.add<{ n: number }>(
    `SELECT (SELECT count(*) FROM guesses WHERE subject = ?1 ->> '$[0].subject' AND created_at > ?2) AS n
     FROM guesses WHERE id = ?3 LIMIT 1`,
    [...values, id],
  );
  const oldest = batch.add<{ at: number | null }>(`SELECT max(oldest) AS at FROM (${REACHED})`, values);
  await batch.commitWithRetry();
  if (stored.first !== undefined) return { allowed: true, count: stored.first.n };
  return { allowed: false, possibleAt: (oldest.first?.at ?? now) + GUESS_WINDOW_MS };
}

/** The limits of ?1 that are reached, with their oldest guess after the time ?2. */
const REACHED = `SELECT min(g.created_at) AS oldest FROM json_each(?1) l
  CROSS JOIN guesses g ON g.subject = l.value ->> 'subject' AND g.created_at > ?2
  GROUP BY l.key HAVING count(*) >= max(l.value ->> 'max')`;

/** Takes back a guess that was right, if the condition holds. */
export function releaseGuess(batch: Batch, id: string, condition: Condition = ALWAYS): void {
  batch.sql`DELETE FROM guesses WHERE id = ${id} AND ${condition}`;
}
