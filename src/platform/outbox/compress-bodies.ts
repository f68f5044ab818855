import { describeError, log } from "../lib/log.ts";
import { compressBody } from "./body.ts";
import type { WrittenEvent } from "./statements.ts";
import { COMPRESSED_TOGETHER_BYTES, MIN_COMPRESSED_BODY_BYTES } from "./limits.ts";

/**
 * Compresses the large bodies of events that SQL has written, because SQL cannot. What is sent stays the same. Never throws:
 * a body that is not compressed is sent as it is.
 */
export async function compressBodies(db: D1Database, events: readonly WrittenEvent[]): Promise<void> {
  const large = events.filter(({ bytes }) => bytes >= MIN_COMPRESSED_BODY_BYTES);
  try {
    for (const ids of groupIds(large)) await compressGroup(db, ids);
  } catch (error) {
    log("warn", "events_not_compressed", { events: large.length, ...describeError(error) });
  }
}

/** The ids in groups of up to {@link COMPRESSED_TOGETHER_BYTES}, so that few bodies are in memory. */
function groupIds(events: readonly WrittenEvent[]): string[][] {
  const groups: string[][] = [];
  let groupBytes = Infinity;
  for (const { id, bytes } of events) {
    if (groupBytes + bytes > COMPRESSED_TOGETHER_BYTES) {
      groups.push([]);
      groupBytes = 0;
    }
    groups.at(-1)?.push(id);
    groupBytes += bytes;
  }
  return groups;
}

async function compressGroup(db: D1Database, ids: readonly string[]): Promise<void> {
  const { results } = await db
    .prepare(
      `SELECT event_id AS id, body FROM event_bodies WHERE event_id IN (SELECT value FROM json_each(?1)) AND typeof(body) = 'text'
       UNION ALL
       SELECT event_id, body FROM deliveries WHERE event_id IN (SELECT value FROM json_each(?1)) AND typeof(body) = 'text'`,
    )
    .bind(JSON.stringify(ids))
    .all<{ id: string; body: string }>();
  // One value with all bodies and their places in it: a statement can bind only 100 values.
  const parts: ArrayBuffer[] = [];
  const places: [id: string, start: number, bytes: number][] = [];
  let start = 1;
  for (const { id, body } of results) {
    const compressed = await compressBody(body);
    parts.push(compressed);
    places.push([id, start, compressed.byteLength]);
    start += compressed.byteLength;
  }
  const values = [await new Blob(parts).arrayBuffer(), JSON.stringify(places)] as const;
  await db.batch(
    ["event_bodies", "deliveries"].map((table) =>
      db
        .prepare(
          `UPDATE ${table} SET body = substr(?1, j.value ->> 1, j.value ->> 2) FROM json_each(?2) j
           WHERE ${table}.event_id = j.value ->> 0 AND typeof(body) = 'text'`,
        )
        .bind(...values),
    ),
  );
}
