import type { NamedCreator } from "../list-contract.ts";
import type { LinkRow } from "./row.ts";

type Creators = Pick<LinkRow, "created_by_key" | "created_by_user">;

/** Those that created the links, each once, with their present names. */
export async function findCreators(db: D1Database, links: readonly Creators[]): Promise<NamedCreator[]> {
  const keys = idsOf(links.map((link) => link.created_by_key));
  const users = idsOf(links.map((link) => link.created_by_user));
  if (keys.length + users.length === 0) return [];
  const { results } = await db
    .prepare(
      `SELECT 'key' AS type, j.value AS id, k.name FROM json_each(?1) j LEFT JOIN api_keys k ON k.id = j.value
       UNION ALL SELECT 'user', j.value, u.name FROM json_each(?2) j LEFT JOIN users u ON u.id = j.value`,
    )
    .bind(JSON.stringify(keys), JSON.stringify(users))
    .all<NamedCreator>();
  return results;
}

function idsOf(values: readonly (string | null)[]): string[] {
  return [...new Set(values.filter((value) => value !== null))];
}
