import type { ServiceContext } from "../../platform/context.ts";
import { LINKS_PER_TRANSACTION } from "../../links/limits.ts";
import { trustLinksOf } from "../../links/set-verdicts.ts";
import { NEW_ACCOUNT_HOSTS, PROVEN_TRUST_AGE_MS, TRUST_AGE_MS } from "./limits.ts";
import { countHosts, findAccountToTrust, postponeTrust, trustAccount, type UntrustedAccount } from "./store.ts";

/**
 * Checks the account whose check is due for the longest time. If it can be trusted, its links redirect as any others: one
 * batch of them in each call, and then the account is trusted. Returns the number of accounts that were checked.
 */
export async function checkNextTrust(context: ServiceContext): Promise<number> {
  const { db, now } = context;
  const account = await findAccountToTrust(db, now, now - TRUST_AGE_MS, now - PROVEN_TRUST_AGE_MS);
  if (account === null) return 0;
  const { id } = account;
  if (!account.isReady && !(account.isReadyIfProven && (await isWorthTrust(db, account)))) {
    await postponeTrust(db, id, now);
    return 1;
  }
  if ((await trustLinksOf(context, id)) < LINKS_PER_TRANSACTION) await trustAccount(db, id);
  return 1;
}

/** Whether the account is proven and leads to few hosts. Many come with spam, whose senders can add a second factor too. */
async function isWorthTrust(db: D1Database, { id, isProven }: UntrustedAccount): Promise<boolean> {
  return isProven && (await countHosts(db, id)) <= NEW_ACCOUNT_HOSTS;
}
