import { CRON_BATCH_ROWS } from "../limits.ts";

const DUE = "status = 'active' AND expires_at IS NOT NULL AND expires_at <= ?1";

/** Moves links past their `expiresAt` (3.3) to `expired`, the longest overdue first, at most {@link CRON_BATCH_ROWS}; answers how many. */
export async function expireDueLinks(db: D1Database, now: number): Promise<number> {
  return (await moving(db, DUE).bind(now, CRON_BATCH_ROWS).all()).results.length;
}

/** The same for the links of one account, as a statement of a batch with a row for each. */
export function expireDueOfAccount(db: D1Database, accountId: number, now: number): D1PreparedStatement {
  return moving(db, `account_id = ?3 AND ${DUE}`).bind(now, CRON_BATCH_ROWS, accountId);
}

/** Its rows are what it moved: the database's own count takes in what the triggers write. */
function moving(db: D1Database, condition: string): D1PreparedStatement {
  return db.prepare(
    `UPDATE links SET status = 'expired'
     WHERE seq IN (SELECT seq FROM links WHERE ${condition} ORDER BY expires_at LIMIT ?2)
     RETURNING 1 AS moved`,
  );
}
