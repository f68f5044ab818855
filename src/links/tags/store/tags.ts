import type { Page } from "../../../platform/http/pagination.ts";
import { Batch } from "../../../platform/database/batch.ts";
import { MAX_COLORED_TAGS_PER_ACCOUNT } from "../../../limits.ts";
import { hasRoomFor } from "../../../access/usage/store.ts";
import { toTagKey } from "../../../platform/lib/tag-key.ts";
import type { TagColor } from "../colors.ts";

export interface TagRow {
  key: string;
  name: string;
  links: number;
  color: TagColor | null;
}

interface TagFilter {
  /** '' matches all. */
  prefix: string;
  /** Undefined: tags with a colour and tags without. */
  colored: boolean | undefined;
}

/** The last character: a key that starts with a prefix comes before the prefix and this. */
const LAST = "\u{10ffff}";

const SELECT_TAGS = `SELECT t.key, t.name, t.links, c.color FROM tags t
  LEFT JOIN tag_colors c ON c.account_id = t.account_id AND c.key = t.key`;

/** From the colours, which are few, to their tags. */
const SELECT_COLORED_TAGS = `SELECT t.key, t.name, t.links, c.color FROM tag_colors c
  CROSS JOIN tags t ON t.account_id = c.account_id AND t.key = c.key`;

/** Returns the tags that match, and one more than the page holds. `page.after` is a key. */
export async function listTags(
  db: D1Database,
  accountId: number,
  { prefix, colored }: TagFilter,
  page: Page,
): Promise<TagRow[]> {
  const [select, of] = colored === true ? [SELECT_COLORED_TAGS, "c"] : [SELECT_TAGS, "t"];
  const { results } = await db
    .prepare(
      `${select} WHERE ${of}.account_id = ?1 AND ${of}.key >= max(?2, ?3) AND ${of}.key <> ?2 AND ${of}.key < ?4
       ${colored === false ? "AND c.color IS NULL" : ""} ORDER BY ${of}.key LIMIT ?5 OFFSET ?6`,
    )
    .bind(accountId, page.after ?? "", prefix, prefix + LAST, page.limit + 1, page.offset)
    .all<TagRow>();
  return results;
}

/** Colours of tags that no link has any more are deleted once their place is needed. */
const DELETE_UNUSED = `DELETE FROM tag_colors WHERE account_id = ?1
  AND (SELECT count(*) FROM tag_colors WHERE account_id = ?1) >= ${MAX_COLORED_TAGS_PER_ACCOUNT}
  AND NOT EXISTS (SELECT 1 FROM tags t WHERE t.account_id = ?1 AND t.key = tag_colors.key)`;

/**
 * Gives a tag the colour, or with null none. `newKey` is that of its name after a renaming, else `key`: a tag that has this key
 * and a colour gets the same colour, because a renaming keeps the colour of the other tag. Returns the tag as it is afterwards,
 * with its former colour if the account has as many colours as it may; null: no link has the tag.
 */
export async function colorTag(
  db: D1Database,
  accountId: number,
  { key, newKey }: { key: string; newKey: string },
  color: TagColor | null,
): Promise<TagRow | null> {
  const batch = new Batch(db);
  if (color === null) batch.add("DELETE FROM tag_colors WHERE account_id = ?1 AND key = ?2", [accountId, key]);
  else {
    batch.add(DELETE_UNUSED, [accountId]);
    // The limit is a condition of the INSERT, so concurrent requests cannot exceed it.
    batch.add(
      `INSERT INTO tag_colors (account_id, key, color) SELECT t.account_id, t.key, ?3 FROM tags t
       WHERE t.account_id = ?1 AND t.key = ?2 AND (EXISTS (SELECT 1 FROM tag_colors WHERE account_id = ?1 AND key = ?2)
         OR (SELECT count(*) FROM tag_colors WHERE account_id = ?1) < ${MAX_COLORED_TAGS_PER_ACCOUNT})
       ON CONFLICT (account_id, key) DO UPDATE SET color = excluded.color WHERE color <> excluded.color`,
      [accountId, key, color],
    );
  }
  if (newKey !== key) {
    if (color === null)
      batch.add(
        `DELETE FROM tag_colors WHERE account_id = ?1 AND key = ?3
           AND EXISTS (SELECT 1 FROM tags WHERE account_id = ?1 AND key = ?2)`,
        [accountId, key, newKey],
      );
    else
      batch.add(
        `UPDATE tag_colors SET color = ?4 WHERE account_id = ?1 AND key = ?3
           AND EXISTS (SELECT 1 FROM tag_colors WHERE account_id = ?1 AND key = ?2 AND color = ?4)`,
        [accountId, key, newKey, color],
      );
  }
  const found = batch.add<TagRow>(`${SELECT_TAGS} WHERE t.account_id = ?1 AND t.key = ?2`, [accountId, key]);
  await batch.commitWithRetry();
  return found.first ?? null;
}

/**
 * The number of the account's links with the tag, and whether the quota has room for a new name on them, which may be longer.
 * Null: no link has the tag.
 */
export async function findTag(
  db: D1Database,
  accountId: number,
  key: string,
  name: string | null,
): Promise<{ links: number; hasRoom: boolean } | null> {
  const growth = "t.links * max(octet_length(json_quote(?3)) - octet_length(json_quote(t.name)), 0)";
  const found = await db
    .prepare(
      `SELECT t.links, ?3 IS NULL OR ${hasRoomFor(growth)} AS has_room
       FROM tags t CROSS JOIN account_usage u ON u.account_id = t.account_id WHERE t.account_id = ?1 AND t.key = ?2`,
    )
    .bind(accountId, key, name)
    .first<{ links: number; has_room: 0 | 1 }>();
  return found && { links: found.links, hasRoom: found.has_room === 1 };
}

/** The numbers of the account's links with each of the tags, added up. */
export async function countTagged(db: D1Database, accountId: number, tags: readonly string[]): Promise<number> {
  const keys = JSON.stringify([...new Set(tags.map(toTagKey))]);
  const found = await db
    .prepare(
      `SELECT sum(t.links) AS links FROM json_each(?2) j CROSS JOIN tags t ON t.account_id = ?1 AND t.key = j.value`,
    )
    .bind(accountId, keys)
    .first<number>("links");
  return found ?? 0;
}
