import { findAccount } from "./account-quota.ts";
import { literal } from "./account-sql.ts";
import { targetArguments, type Target } from "./backup/target.ts";
import { queryDatabase } from "./database-query.ts";
import type { Wrangler } from "./wrangler.ts";

/** Refuses the account's keys and members; of a personal account, also the person's sign-in, whose sessions end. */
export async function disableAccount(target: Target, run: Wrangler, account: string): Promise<void> {
  const { uuid, name } = await findAccount(target, run, account);
  const isAccount = `uuid = ${literal(uuid)}`;
  const now = Date.now();
  await queryDatabase(
    target,
    run,
    `UPDATE accounts SET disabled_at = coalesce(disabled_at, ${now}) WHERE ${isAccount}`,
  );
  // Afterwards, so that no session begins in between.
  await queryDatabase(
    target,
    run,
    `DELETE FROM sessions WHERE user_id = (SELECT personal_user_id FROM accounts WHERE ${isAccount})`,
  );
  console.log(
    `Disabled the account "${name}" (${uuid}). Its links and webhooks go on. To undo it:\n` +
      `  npm run account -- enable ${uuid}${targetArguments(target)}`,
  );
}

export async function enableAccount(target: Target, run: Wrangler, account: string): Promise<void> {
  const { uuid, name } = await findAccount(target, run, account);
  await queryDatabase(target, run, `UPDATE accounts SET disabled_at = NULL WHERE uuid = ${literal(uuid)}`);
  console.log(`Enabled the account "${name}" (${uuid}).`);
}

/** The cron, which also changes the links, trusts the account at its next run. */
export async function trustAccount(target: Target, run: Wrangler, account: string): Promise<void> {
  const { uuid, name } = await findAccount(target, run, account);
  const isUntrusted = `uuid = ${literal(uuid)} AND trust_at IS NOT NULL`;
  await queryDatabase(target, run, `UPDATE accounts SET trust_at = 0 WHERE ${isUntrusted}`);
  console.log(
    `The account "${name}" (${uuid}) is trusted within a minute of the running service, and its links soon after.`,
  );
}
