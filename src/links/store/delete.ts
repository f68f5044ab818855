import type { ServiceContext } from "../../platform/context.ts";
import type { Result } from "../../platform/database/batch.ts";
import { OutboxBatch } from "../../platform/outbox/batch.ts";
import { areAsRead, type LinkCondition } from "./as-read.ts";
import { recordDeletedLinks } from "./deleted-links.ts";
import { enqueueLinkEvents } from "./events.ts";
import { addExpiries } from "./expiry.ts";
import type { LinkRow } from "./row.ts";
import { LISTED_LINKS } from "./sequence.ts";

/**
 * Deletes those of the links that are still as they were read, with their events, in one transaction. Returns them. `emitsEvents`:
 * whether `link.delete` is emitted for each.
 */
export async function deleteLinks(
  context: ServiceContext,
  rows: readonly LinkRow[],
  { emitsEvents, deletedAt }: { emitsEvents: boolean; deletedAt: number },
): Promise<LinkRow[]> {
  if (rows.length === 0) return [];
  const batch = new OutboxBatch(context);
  const deleted = addDeletion(batch, rows, areAsRead(rows), context, { emitsEvents, deletedAt });
  await batch.commit();
  const ids = new Set(deleted.rows.map(({ id }) => id));
  return rows.filter(({ id }) => ids.has(id));
}

/** Deletes those of the links that meet the condition. */
export function addDeletion(
  batch: OutboxBatch,
  rows: readonly LinkRow[],
  condition: LinkCondition,
  context: ServiceContext,
  { emitsEvents = true, deletedAt = context.now }: { emitsEvents?: boolean; deletedAt?: number } = {},
): Result<{ id: string }> {
  addExpiries(batch, rows, context);
  if (emitsEvents) enqueueLinkEvents(batch, "link.delete", rows, condition, context);
  recordDeletedLinks(batch, condition, deletedAt);
  return batch.add(`DELETE FROM ${LISTED_LINKS} WHERE ${condition.condition} RETURNING id`, condition.values);
}
