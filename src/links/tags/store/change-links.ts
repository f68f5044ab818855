import type { AccountContext } from "../../../platform/context.ts";
import { areAsRead } from "../../store/as-read.ts";
import { LINK_COLUMNS, type LinkRow } from "../../store/row.ts";
import { tagSearchQuery } from "../../store/search-index.ts";
import { writeColumns, type ColumnChange } from "../../store/write-columns.ts";
import { OutboxBatch } from "../../../platform/outbox/batch.ts";
import { toBorderedKey, toSearchTerm, toTagKey } from "../../../platform/lib/tag-key.ts";
import type { TagInput } from "../input.ts";

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
): Promise<LinkRow[]> {
  const { results } = await db
    .prepare(
      `SELECT ${LINK_COLUMNS} FROM links WHERE seq IN (
         SELECT l.seq FROM links_fts AS f CROSS JOIN links AS l ON l.seq = f.rowid
         WHERE f.links_fts MATCH ?1 AND f.rowid > CAST(?2 AS INTEGER) AND instr(l.tag_keys, ?4) > 0
         ORDER BY f.rowid LIMIT ?3) ORDER BY seq`,
    )
    .bind(tagSearchQuery(accountId, tag), position === "" ? "-1" : position, limit, toSearchTerm(tag))
    .all<LinkRow>();
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
 * Changes the tags of links, with their events, in one transaction. A link that was changed since it was read is left for a later
 * page. `isLast`: no link has the tag any more. Returns the number of links that were changed.
 */
export async function commitPage(
  context: AccountContext,
  { tag, name }: TagInput,
  changes: readonly ColumnChange[],
  isLast: boolean,
): Promise<number> {
  const isSameTag = name !== null && toTagKey(name) === toTagKey(tag);
  if (changes.length === 0 && name === null && !isLast) return 0;
  const { accountId } = context.principal;
  const batch = new OutboxBatch(context);
  if (name !== null) addToFilters(batch, accountId, tag, name);
  // A job that was accepted is completed, also if other changes have used up the quota since.
  const asRead = areAsRead(changes.map(({ before }) => before));
  const written = changes.length === 0 ? null : writeColumns(batch, changes, asRead, context);
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
  return written?.().length ?? 0;
}

/** The new name has the colour of the old one, unless it has its own. While the job runs, both have it. */
function copyColor(batch: OutboxBatch, accountId: number, tag: string, name: string): void {
  batch.add(
    `INSERT INTO tag_colors (account_id, key, color) SELECT account_id, ?3, color FROM tag_colors
     WHERE account_id = ?1 AND key = ?2 ON CONFLICT (account_id, key) DO NOTHING`,
    [accountId, toTagKey(tag), toTagKey(name)],
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
