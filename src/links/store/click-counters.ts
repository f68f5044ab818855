import { sequenceOf } from "./sequence.ts";

interface ClickCounters {
  linkId: string;
  clicks: number;
  lastClickedAt: number;
}

/** Raises the click counters of links to these values, in one statement. It never lowers them, so calls may be repeated and reordered. */
export async function raiseClickCounters(db: D1Database, counters: readonly ClickCounters[]): Promise<void> {
  const rows = counters.map(({ linkId, clicks, lastClickedAt }) => [sequenceOf(linkId), linkId, clicks, lastClickedAt]);
  await db
    .prepare(
      `WITH counters (seq, id, clicks, last_clicked_at) AS (
         SELECT CAST(value ->> 0 AS INTEGER), value ->> 1, value ->> 2, value ->> 3 FROM json_each(?1)
       )
       UPDATE links SET clicks = max(links.clicks, counters.clicks),
         last_clicked_at = max(links.last_clicked_at, counters.last_clicked_at)
       FROM counters
       WHERE links.seq = counters.seq AND links.id = counters.id
         AND (links.clicks < counters.clicks OR links.last_clicked_at < counters.last_clicked_at)`,
    )
    .bind(JSON.stringify(rows))
    .run();
}
