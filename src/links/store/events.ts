import type { ServiceContext } from "../../platform/context.ts";
import { groupBySize } from "../../platform/database/json-pieces.ts";
import { Parameters } from "../../platform/database/parameters.ts";
import { newIds } from "../../platform/lib/uuid.ts";
import type { OutboxBatch } from "../../platform/outbox/batch.ts";
import { eventBody } from "../../platform/outbox/statements.ts";
import type { LinkCondition } from "./as-read.ts";
import { toLink, type LinkRow } from "./row.ts";
import { sequenceOf } from "./sequence.ts";

type LinkEventType = "link.create" | "link.update" | "link.delete" | "link.expired";

/**
 * Enqueues an event for each of the links that exists, and meets the condition, at this point of the batch. `rows` are the links as
 * the events report them. Links without an account have no events.
 */
export function enqueueLinkEvents(
  batch: OutboxBatch,
  type: LinkEventType,
  rows: readonly LinkRow[],
  { condition, values }: LinkCondition,
  { now, baseUrl }: Pick<ServiceContext, "now" | "baseUrl">,
): void {
  const ids = newIds(now, rows.length);
  const events = rows.flatMap((row, index) => {
    if (row.account_id === null) return [];
    const data = toLink(row, baseUrl, now);
    const body = eventBody(type, now, type === "link.expired" ? { ...data, reason: expiryReason(row, now) } : data);
    return [{ seq: sequenceOf(row.id), id: row.id, eventId: ids[index] as string, tagKeys: row.tag_keys, body }];
  });
  const accounts = new Set(rows.map((row) => row.account_id));
  const [only = null] = accounts.size === 1 ? accounts : [];
  for (const piece of groupBySize(events)) {
    const parameters = new Parameters(values);
    const event = parameters.add(JSON.stringify(piece));
    const account = only !== null && { account: parameters.add(only) };
    const [first = "", last = ""] = [piece[0]?.eventId, piece.at(-1)?.eventId];
    // A constant id saves the sorting of the events.
    const id = first === last ? parameters.add(first) : "e.value ->> 'eventId'";
    const select = `SELECT ${id} AS id, l.account_id, '${type}' AS type, l.id AS link_id, e.value ->> 'tagKeys' AS tag_keys,
      e.value ->> 'body' AS body, ${parameters.add(now)} AS created_at FROM json_each(${event}) e
      CROSS JOIN links AS l NOT INDEXED ON l.seq = CAST(e.value ->> 'seq' AS INTEGER) AND l.id = e.value ->> 'id'
      WHERE ${condition}`;
    batch.enqueue({ select, parameters: parameters.values, ...account }, first === last ? first : { first, last });
  }
}

/** The setting that ended the link. */
function expiryReason({ expires_at }: LinkRow, now: number): "expiresAt" | "maxClicks" {
  return expires_at !== null && expires_at <= now ? "expiresAt" : "maxClicks";
}
