import { toTagKey } from "../../platform/lib/tag-key.ts";

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
