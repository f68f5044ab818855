import type { Page } from "../../http/pagination.ts";

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
