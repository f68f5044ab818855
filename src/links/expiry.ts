import { CRON_BATCH_ROWS } from "../limits.ts";

/** Moves links past their `expiresAt` (3.3) to `expired`, the longest overdue first; at most {@link CRON_BATCH_ROWS}. */
export function expireDue(db: D1Database, now: number): D1PreparedStatement {
  return db
    .prepare(
      `UPDATE links SET status = 'expired' WHERE seq IN (
         SELECT seq FROM links WHERE status = 'active' AND expires_at IS NOT NULL AND expires_at <= ?1
         ORDER BY expires_at LIMIT ?2)`,
    )
    .bind(now, CRON_BATCH_ROWS);
}

/** Runs {@link expireDue}; answers how many links it moved. */
export async function expireDueLinks(db: D1Database, now: number): Promise<number> {
  return (await expireDue(db, now).run()).meta.changes;
}
