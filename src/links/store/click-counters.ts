import { Batch } from "../../database/batch.ts";
import { sequenceOf } from "./sequence.ts";

interface ClickCounters {
  linkId: string;
  clicks: number;
  lastClickedAt: number;
}

/**
 * Raises the click counters of links to these values, also of deleted links that may be restored. It never lowers them, so
 * calls may be repeated and reordered.
 */
export async function raiseClickCounters(db: D1Database, counters: readonly ClickCounters[]): Promise<void> {
  const rows = counters.map(({ linkId, clicks, lastClickedAt }) => [sequenceOf(linkId), linkId, clicks, lastClickedAt]);
  const batch = new Batch(db);
  const values = [JSON.stringify(rows)];
  batch.add(
    `${COUNTERS}
       UPDATE links SET clicks = max(links.clicks, counters.clicks),
         last_clicked_at = max(links.last_clicked_at, counters.last_clicked_at)
       FROM counters
       WHERE links.seq = counters.seq AND links.id = counters.id
         AND (links.clicks < counters.clicks OR links.last_clicked_at < counters.last_clicked_at)`,
    values,
  );
  batch.add(
    `${COUNTERS}
     UPDATE deleted_links SET link = json_set(link, '$.clicks', max(link ->> 'clicks', counters.clicks),
       '$.last_clicked_at', max(link ->> 'last_clicked_at', counters.last_clicked_at))
     FROM counters WHERE deleted_links.seq = counters.seq AND deleted_links.id = counters.id`,
    values,
  );
  await batch.commit();
}

const COUNTERS = `WITH counters (seq, id, clicks, last_clicked_at) AS (
  SELECT CAST(value ->> 0 AS INTEGER), value ->> 1, value ->> 2, value ->> 3 FROM json_each(?1)
)`;
