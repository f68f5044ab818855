import type { ServiceContext } from "../context.ts";
import { databaseOf, hasSeveralDatabases } from "../database/databases.ts";
import { VERDICTS_PER_BATCH } from "../links/limits.ts";
import { trustLinksOf } from "../links/set-verdicts.ts";
import { NEW_ACCOUNT_HOSTS } from "../safety/limits.ts";
import { trustAges } from "../safety/trust/trust.ts";
import {
  countHosts,
  findAccountToTrust,
  hasVerifiedDomain,
  postponeTrust,
  trustAccount,
  type UntrustedAccount,
} from "./store/trust.ts";

/**
 * Checks the account whose check is due for the longest time. If it can be trusted, its links redirect as any others: one
 * batch of them in each call, and then the account is trusted. Returns the number of accounts that were checked.
 */
export async function checkNextTrust(context: ServiceContext): Promise<number> {
  const { env, now } = context;
  const { proven, any } = trustAges(context);
  const account = await findAccountToTrust(env.DB, now, now - any, now - proven);
  if (account === null) return 0;
  const { id } = account;
  if (!account.isReady && !(account.isReadyIfProven && (await isWorthTrust(env, account)))) {
    await postponeTrust(env.DB, id, now);
    return 1;
  }
  const trustLinks = async () => trustLinksOf({ ...context, db: await databaseOf(env, id) }, id);
  if ((await trustLinks()) < VERDICTS_PER_BATCH) {
    await trustAccount(env.DB, id);
    // A link may have been created meanwhile where the account was not trusted yet: in a database that has a copy of it.
    if (hasSeveralDatabases(env)) await trustLinks();
  }
  return 1;
}

/** Whether the account is proven and leads to few hosts. Many come with spam, whose senders can add a second factor too. */
async function isWorthTrust(env: Env, { id, isProven }: UntrustedAccount): Promise<boolean> {
  const db = await databaseOf(env, id);
  if (!isProven && !(hasSeveralDatabases(env) && (await hasVerifiedDomain(db, id)))) return false;
  return (await countHosts(db, id)) <= NEW_ACCOUNT_HOSTS;
}
