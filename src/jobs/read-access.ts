import { isDeletedAccount } from "../database/account-states.ts";
import { Batch } from "../database/batch.ts";
import { addCheck } from "../database/check.ts";
import type { Condition } from "../database/parameters.ts";

/** What the database says of a job: whether it may go on, or why not. */
export type Access = "allowed" | "account_deleted" | "refused";

export async function readAccess(db: D1Database, accountId: number, allowed: Condition): Promise<Access> {
  const batch = new Batch(db);
  const check = addCheck(batch, allowed);
  const deleted = addCheck(batch, (parameters) => isDeletedAccount(parameters.add(accountId)));
  await batch.commitWithRetry();
  if (check.first !== undefined) return "allowed";
  return deleted.first === undefined ? "refused" : "account_deleted";
}
