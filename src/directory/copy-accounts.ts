import { findDueCopies } from "../database/account-copies.ts";
import { databaseOf } from "../database/databases.ts";
import { describeError, log } from "../lib/log.ts";

/** Copies the accounts that were changed. What fails is done by the next request for the account, or by the cron. */
export async function copyChanged(env: Env, accountIds: readonly number[]): Promise<void> {
  for (const accountId of accountIds) {
    try {
      await databaseOf(env, accountId);
    } catch (error) {
      log("warn", "account_not_copied", { accountId, ...describeError(error) });
    }
  }
}

/** As {@link copyChanged} for up to `limit` accounts whose copies are due. Returns their number. */
export async function copyDue(env: Env, limit: number): Promise<number> {
  const due = await findDueCopies(env.DB, limit);
  await copyChanged(env, due);
  return due.length;
}
