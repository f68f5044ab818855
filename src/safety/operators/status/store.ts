import { MAX_COUNTED_DECISIONS } from "../../limits.ts";

const countOpen = (table: "reports" | "appeals") =>
  `(SELECT count(*) FROM (SELECT 1 FROM ${table} WHERE decided_at IS NULL LIMIT ${MAX_COUNTED_DECISIONS}))`;

/** How many reports and appeals are open. */
export async function countWaiting(db: D1Database): Promise<{ reports: number; appeals: number }> {
  const sql = `SELECT ${countOpen("reports")} AS reports, ${countOpen("appeals")} AS appeals`;
  return (await db.prepare(sql).first<{ reports: number; appeals: number }>()) ?? { reports: 0, appeals: 0 };
}
