import type { Permission } from "../auth/permissions.ts";
import { isStillAllowed, type Starter } from "../auth/still-allowed.ts";
import { Batch } from "../database/batch.ts";
import { addCheck } from "../database/check.ts";

/** Whether the account works, and the person or the key has all of the permissions there. */
export async function hasAccess(
  db: D1Database,
  accountId: number,
  starter: Starter,
  permissions: readonly Permission[],
  now: number,
): Promise<boolean> {
  const batch = new Batch(db);
  const check = addCheck(batch, isStillAllowed(accountId, starter, permissions, now));
  await batch.commitWithRetry();
  return check.first !== undefined;
}
