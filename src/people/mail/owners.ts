import { Parameters, type Condition } from "../../database/parameters.ts";
import { MAX_TOLD_OWNERS } from "../limits.ts";

/**
 * The account's name and the addresses of up to {@link MAX_TOLD_OWNERS} owners for whom the condition holds; null: there are none.
 * The condition is about the account `a` and the membership `m`.
 */
export async function findOwners(
  db: D1Database,
  accountId: number,
  condition: Condition,
): Promise<{ name: string; owners: string[] } | null> {
  const parameters = new Parameters([accountId, MAX_TOLD_OWNERS]);
  const { results } = await db
    .prepare(
      `SELECT a.name, u.email FROM accounts a JOIN memberships m ON m.account_id = a.id JOIN users u ON u.id = m.user_id
       WHERE a.id = ?1 AND m.role = 'owner' AND ${condition(parameters)} ORDER BY m.user_id LIMIT ?2`,
    )
    .bind(...parameters.values)
    .all<{ name: string; email: string }>();
  const [first] = results;
  return first === undefined ? null : { name: first.name, owners: results.map(({ email }) => email) };
}
