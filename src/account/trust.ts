import type { ServiceContext } from "../context.ts";
import { databaseOf, hasSeveralDatabases } from "../database/databases.ts";
import { VERDICTS_PER_BATCH } from "../links/limits.ts";
import { trustLinksOf } from "../links/set-verdicts.ts";
import { trustAges } from "../safety/trust/trust.ts";
import { findAccountToTrust, hasVerifiedDomain, postponeTrust, trustAccount } from "./store/trust.ts";

/**
 * Checks the account whose check is due for the longest time. If it can be trusted, its links redirect as any others: one
 * batch of them in each call, and then the account is trusted. Returns the number of accounts that were checked.
 */
export async function checkNextTrust(context: ServiceContext): Promise<number> {
  const { env, now } = context;
  const { proven, any } = trustAges(context);
  const account = await findAccountToTrust(env.DB, now, now - any, now - proven);
  if (account === null) return 0;
  const { id, isReady, isReadyWithDomain } = account;
  const hasDomainElsewhere = async () => hasSeveralDatabases(env) && hasVerifiedDomain(await databaseOf(env, id), id);
  if (!isReady && !(isReadyWithDomain && (await hasDomainElsewhere()))) {
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
