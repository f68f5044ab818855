import type { Page } from "../../http/pagination.ts";
import { hasRoomFor } from "../../usage/store.ts";

export interface TagRow {
  key: string;
  name: string;
  links: number;
}

/** The last character: a key that starts with a prefix comes before the prefix and this. */
const LAST = "\u{10ffff}";

/** Returns the tags whose key starts with the prefix, and one more than the page holds. `page.after` is a key. */
export async function listTags(db: D1Database, accountId: number, prefix: string, page: Page): Promise<TagRow[]> {
  const { results } = await db
    .prepare(
      `SELECT key, name, links FROM tags WHERE account_id = ?1 AND key >= max(?2, ?3) AND key <> ?2 AND key < ?4
       ORDER BY key LIMIT ?5 OFFSET ?6`,
    )
    .bind(accountId, page.after ?? "", prefix, prefix + LAST, page.limit + 1, page.offset)
    .all<TagRow>();
  return results;
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
