import { findAccount } from "./account-quota.ts";
import { literal } from "./account-sql.ts";
import type { Target } from "./backup/target.ts";
import { queryDatabase } from "./database-query.ts";
import type { Wrangler } from "./wrangler.ts";

/** How the calls of an account's keys are to be counted: for each key, with this factor, or for each address. undefined: unchanged. */
export type NewCallLimits = { factor: number } | "per address" | undefined;

/** Sets how the calls of the account's keys are counted, and prints it. It applies from the next call on. */
export async function setCallLimits(
  target: Target,
  run: Wrangler,
  account: string,
  limits: NewCallLimits,
): Promise<void> {
  const { uuid, name } = await findAccount(target, run, account);
  const isAccount = `WHERE uuid = ${literal(uuid)}`;
  if (limits !== undefined) {
    const factor = limits === "per address" ? "NULL" : limits.factor;
    await queryDatabase(target, run, `UPDATE accounts SET rate_limit_factor = ${factor} ${isAccount}`);
  }
  const select = `SELECT rate_limit_factor AS factor FROM accounts ${isAccount}`;
  const [stored] = await queryDatabase<{ factor: number | null }>(target, run, select);
  console.log(`Account "${name}" (${uuid})\n  rate limits: ${describeCallLimits(stored?.factor ?? null)}`);
}

/** Such as "per key, 5 times the table". */
export function describeCallLimits(factor: number | null): string {
  return factor === null ? "per address (default)" : `per key, ${factor} times the table`;
}
