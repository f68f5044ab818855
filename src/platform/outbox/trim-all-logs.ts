import type { ServiceContext } from "../context.ts";
import { log } from "../lib/log.ts";
import {
  DELIVERY_OVERHEAD_BYTES,
  MAX_ALL_LOGS_BYTES,
  TRIMMED_DELIVERIES_PER_BATCH,
  TRIMMED_LOGS_PER_BATCH,
} from "./limits.ts";
import { readOldest, removeDeliveries, type LoggedDelivery } from "./trim-delivery-log.ts";

/**
 * The bound of all delivery logs together, which leaves the database to links. The largest logs are trimmed to one size, at which
 * all fit. So a small log loses nothing because of a large one. The sizes are those that the triggers count.
 */

const SIZES = `SELECT webhook_id AS id, kept + dropped AS deliveries,
    bytes + (kept + dropped) * ${DELIVERY_OVERHEAD_BYTES} AS size FROM delivery_totals`;

/**
 * The size to which logs are trimmed, and the largest logs above it. With the k largest logs at one size and all others as they
 * are, that size is what they may have together, divided by k. The greatest of these is the one at which no log grows.
 */
const LARGEST = `WITH sizes AS (${SIZES}),
    ranked AS (SELECT sum(size) OVER largest AS together, row_number() OVER largest AS k FROM sizes
      WINDOW largest AS (ORDER BY size DESC, id ROWS UNBOUNDED PRECEDING)),
    fair AS (SELECT max((together - ?1) / k) AS size FROM ranked)
  SELECT sizes.id, deliveries, sizes.size, fair.size AS fair FROM sizes, fair
  WHERE sizes.size > fair.size ORDER BY sizes.size DESC LIMIT ?2`;

interface LargeLog {
  id: string;
  deliveries: number;
  size: number;
  fair: number;
}

/**
 * The cron's part: reads one row for each webhook, and trims the largest logs if all together have more than `maxBytes`. Returns
 * the number of deliveries that it deleted or dropped.
 */
export async function trimAllLogs({ db }: Pick<ServiceContext, "db">, maxBytes = MAX_ALL_LOGS_BYTES): Promise<number> {
  const bytes = await db.prepare(`SELECT sum(size) AS bytes FROM (${SIZES})`).first<number>("bytes");
  if (bytes === null || bytes <= maxBytes) return 0;
  const { results } = await db
    .prepare(LARGEST)
    .bind(bytes - maxBytes, TRIMMED_LOGS_PER_BATCH)
    .all<LargeLog>();
  let trimmed = 0;
  for (const large of results) trimmed += await trimLog(db, large);
  log("warn", "delivery_logs_too_large", { bytes, maxBytes, trimmed });
  return trimmed;
}

/** Deletes the oldest finished deliveries, then dropped ones, and then drops waiting ones, up to a batch of each. */
async function trimLog(db: D1Database, { id, deliveries, size, fair }: LargeLog): Promise<number> {
  let excess = size - fair;
  const takeOldest = async (
    statuses: Parameters<typeof readOldest>[2],
    freed: (delivery: LoggedDelivery) => number,
  ) => {
    if (excess <= 0) return [];
    // As many as are above the size if each has the average, and one more for the rest.
    const limit = Math.min(Math.ceil((excess * deliveries) / size) + 1, TRIMMED_DELIVERIES_PER_BATCH);
    const oldest = await readOldest(db, id, statuses, limit);
    return oldest.filter((delivery) => {
      if (excess <= 0) return false;
      excess -= freed(delivery);
      return true;
    });
  };
  const finished = await takeOldest(["delivered", "failed"], ({ bytes }) => bytes + DELIVERY_OVERHEAD_BYTES);
  const dropped = await takeOldest(["dropped"], () => DELIVERY_OVERHEAD_BYTES);
  const waiting = await takeOldest(["pending"], ({ bytes }) => bytes);
  return removeDeliveries(db, id, [...finished, ...dropped], waiting);
}
