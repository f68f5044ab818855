import type { AccountContext } from "../../context.ts";
import { toJsonPieces } from "../../database/json-pieces.ts";
import { changeValues, enqueueEvents } from "../../links/store/events.ts";
import { tagSearchQuery } from "../../links/store/search-index.ts";
import { changedColumns, selectGrowth } from "../../links/store/row.ts";
import { OutboxBatch } from "../../outbox/batch.ts";
import { changeUsage } from "../../usage/store.ts";
import { toBorderedKey, toSearchTerm, toTagKey, toTagKeys } from "../../lib/tag-key.ts";
import type { TagInput } from "../input.ts";

/** A link with its tags as they are stored: a JSON array. */
interface TaggedLink {
  /** Decimal, with more digits than a JavaScript number holds. */
  seq: string;
  tags: string;
  updatedAt: number;
}

/** New tags of a link that has the tags `before`, which is JSON. */
export interface TagChange {
  seq: string;
  before: string;
  after: string[];
  updatedAt: number;
}

/** The changes of a page: the time at which they are made, and the links with their `updatedAt` before. */
export interface PlannedChanges {
  at: number;
  links: [seq: string, updatedAt: number][];
}

/**
 * Returns the next links of a job that have the tag, in the order of creation. The index folds case in its own way, so the
 * keys are compared too: a link that a page cannot change would keep the job from its end.
 */
export async function findTaggedLinks(
  db: D1Database,
  accountId: number,
  position: string,
  tag: string,
  limit: number,
): Promise<TaggedLink[]> {
  const { results } = await db
    .prepare(
      `SELECT CAST(l.seq AS TEXT) AS seq, l.tags, l.updated_at AS updatedAt
       FROM links_fts AS f CROSS JOIN links AS l ON l.seq = f.rowid
       WHERE f.links_fts MATCH ?1 AND f.rowid > CAST(?2 AS INTEGER) AND instr(l.tag_keys, ?4) > 0
       ORDER BY f.rowid LIMIT ?3`,
    )
    .bind(tagSearchQuery(accountId, tag), position === "" ? "-1" : position, limit, toSearchTerm(tag))
    .all<TaggedLink>();
  return results;
}

/** The number of links that the changes were made to, and nobody has changed since. */
export async function countChanged(db: D1Database, { at, links }: PlannedChanges): Promise<number> {
  const items = links.map(([seq, updatedAt]) => ({ seq, updated_at: updatedAt }));
  const found = await db
    .prepare(
      `SELECT count(*) AS links FROM json_each(?1) j CROSS JOIN links l ON l.seq = CAST(j.value ->> 'seq' AS INTEGER)
       WHERE l.updated_at = max(?2, (j.value ->> 'updated_at') + 1)`,
    )
    .bind(JSON.stringify(items), at)
    .first<number>("links");
  return found ?? 0;
}

/**
 * Changes the tags of links, with their events, in one transaction. A link whose tags are not those that the change was made from
 * is left for a later page. `isLast`: no link has the tag any more.
 */
export async function commitPage(
  context: AccountContext,
  { tag, name }: TagInput,
  changes: readonly TagChange[],
  isLast: boolean,
): Promise<void> {
  const isSameTag = name !== null && toTagKey(name) === toTagKey(tag);
  if (changes.length === 0 && name === null && !isLast) return;
  const { accountId } = context.principal;
  const batch = new OutboxBatch(context);
  const items = changes.map(({ seq, before, after }) => ({
    seq,
    before,
    tags: after.length === 0 ? null : JSON.stringify(after),
    tag_keys: toTagKeys(after),
  }));
  if (name !== null) addToFilters(batch, accountId, tag, name);
  for (const piece of toJsonPieces(items)) addChanges(batch, accountId, piece, context);
  if (name !== null) {
    // The list of tags shows the new name, also if another spelling was there first.
    const values = [accountId, toTagKey(name), name];
    batch.add("UPDATE tags SET name = ?3 WHERE account_id = ?1 AND key = ?2 AND name <> ?3", values);
    if (!isSameTag) copyColor(batch, accountId, tag, name);
    if (isLast) {
      removeFromFilters(batch, accountId, tag, name);
      renameItsUses(batch, accountId, tag, name, context.now);
    }
  }
  if (isLast && !isSameTag)
    batch.add("DELETE FROM tag_colors WHERE account_id = ?1 AND key = ?2", [accountId, toTagKey(tag)]);
  await batch.commitWithRetry();
}

/** The new name has the colour of the old one, unless it has its own. While the job runs, both have it. */
function copyColor(batch: OutboxBatch, accountId: number, tag: string, name: string): void {
  batch.add(
    `INSERT INTO tag_colors (account_id, key, color) SELECT account_id, ?3, color FROM tag_colors
     WHERE account_id = ?1 AND key = ?2 ON CONFLICT (account_id, key) DO NOTHING`,
    [accountId, toTagKey(tag), toTagKey(name)],
  );
}

/** The links `l` that the changes ?4, a JSON array, change; `j` is the change. */
const CHANGED_LINKS = `json_each(?4) j CROSS JOIN links l ON l.seq = CAST(j.value ->> 'seq' AS INTEGER)
  WHERE l.tags = j.value ->> 'before'`;

/** By column, its new value. ?1 is the current time. */
const NEW_VALUES = {
  tags: "j.value ->> 'tags'",
  tag_keys: "j.value ->> 'tag_keys'",
  updated_at: "CAST(max(?1, l.updated_at + 1) AS INTEGER)",
};

function addChanges(batch: OutboxBatch, accountId: number, piece: string, context: AccountContext): void {
  const values = changeValues(context, piece);
  // Before the update, because only then the links have the tags that the change was made from.
  const from = `(SELECT ${changedColumns(NEW_VALUES)}, j.key AS number FROM ${CHANGED_LINKS}) l`;
  enqueueEvents(batch, "link.update", context.now, [...values, accountId], { from, number: "l.number", account: "?5" });
  // A job that was accepted is completed, also if other changes have used up the quota since.
  const growth = selectGrowth(CHANGED_LINKS, NEW_VALUES);
  changeUsage(batch, `SELECT account_id, 0 AS links, growth AS bytes FROM (${growth})`, values);
  const columns = Object.entries(NEW_VALUES).map(([column, value]) => `${value} AS ${column}`);
  batch.add(
    `UPDATE links SET tags = n.tags, tag_keys = n.tag_keys, updated_at = n.updated_at
     FROM (SELECT l.seq AS changed, ${columns.join(", ")} FROM ${CHANGED_LINKS}) n WHERE links.seq = n.changed`,
    values,
  );
}

const hasKey = (key: string) => `EXISTS (SELECT 1 FROM json_each(webhooks.tag_keys) WHERE value = ${key})`;

/**
 * While links have the old or the new tag, filters of webhooks have both, so that they miss no event. Call it before the
 * links are changed.
 */
function addToFilters(batch: OutboxBatch, accountId: number, tag: string, name: string): void {
  batch.add(
    `UPDATE webhooks SET tags = json_insert(tags, '$[#]', ?4), tag_keys = json_insert(tag_keys, '$[#]', ?3)
     WHERE account_id = ?1 AND ${hasKey("?2")} AND NOT ${hasKey("?3")}`,
    [accountId, toBorderedKey(tag), toBorderedKey(name), name],
  );
}

/** SQL for the JSON array without the tag whose key is ?2. */
const withoutTag = (column: string) => `(SELECT json_group_array(t.value) FROM json_each(webhooks.${column}) t
  JOIN json_each(webhooks.tag_keys) k ON k.key = t.key WHERE k.value <> ?2)`;

/** Removes the old tag from the filters that have both. A new spelling leaves them as they are. */
function removeFromFilters(batch: OutboxBatch, accountId: number, tag: string, name: string): void {
  batch.add(
    `UPDATE webhooks SET tags = ${withoutTag("tags")}, tag_keys = ${withoutTag("tag_keys")}
     WHERE account_id = ?1 AND ?2 <> ?3 AND ${hasKey("?2")} AND ${hasKey("?3")}`,
    [accountId, toBorderedKey(tag), toBorderedKey(name)],
  );
}

/** Shared pages and notes of the old tag have the new one, once all links have it. */
function renameItsUses(batch: OutboxBatch, accountId: number, tag: string, name: string, now: number): void {
  for (const table of ["shared_pages", "notes"])
    batch.add(
      `UPDATE ${table} INDEXED BY ${table}_by_account
       SET tag = ?3, tag_key = ?4, updated_at = CAST(max(?5, updated_at + 1) AS INTEGER)
       WHERE account_id = ?1 AND tag_key = ?2 AND tag <> ?3`,
      [accountId, toTagKey(tag), name, toTagKey(name), now],
    );
}
