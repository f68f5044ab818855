import { findClickLogs } from "../clicks/click-log/stub.ts";
import { CONCURRENT_SHARDS } from "../clicks/limits.ts";
import type { ServiceContext } from "../context.ts";
import { databaseOf } from "../database/databases.ts";
import { deleteJobs } from "../jobs/runner-stub.ts";
import { mapLimit } from "../lib/map-limit.ts";
import { giveBack } from "../links/placement.ts";
import { slugKeysOf } from "../links/store/new-links.ts";
import * as store from "./store.ts";

/**
 * Deletes a batch of an account that can no longer be restored. Each call finds what is left, so a purge that was interrupted
 * goes on. The account's own row is the last one, in the core: as long as it is there, the account is found again. Returns 1, or 0 if
 * no account is due.
 */
export async function purgeNextAccount(context: ServiceContext): Promise<number> {
  const { env, now } = context;
  const account = await store.findDueAccount(env.DB, now);
  if (account === null) return 0;
  const db = await databaseOf(env, account.id);
  const isElsewhere = db !== env.DB;
  if (isElsewhere && (await store.hasDeletedLinks(db, account))) return 1;
  if (isElsewhere && (await deleteBatch({ ...context, db }, { ...account, user: null }))) return 1;
  if (await deleteBatch({ ...context, db: env.DB }, account)) return 1;
  // First, because jobs that still ran would read the ClickLog, and so make it anew.
  await deleteJobs(env, account.id);
  const clickLogs = await findClickLogs({ env, principal: { accountId: account.id } });
  await mapLimit(clickLogs, CONCURRENT_SHARDS, async (name) => env.CLICK_LOG.getByName(name).destroy());
  if (isElsewhere) await deleteElsewhere({ ...context, db }, account);
  await store.deleteAccount(env.DB, account, now);
  return 1;
}

/** Deletes a batch of what the account has in the database of the context. Returns whether there may be more. */
async function deleteBatch(context: ServiceContext, account: store.DueAccount): Promise<boolean> {
  const { db } = context;
  if (await store.deleteDeliveries(db, account)) return true;
  const { isMore, links } = await store.deleteLinks(db, account);
  giveBack(
    context,
    links.flatMap((link) => slugKeysOf(link, context.env)),
  );
  return isMore || store.deleteOtherRows(db, account);
}

/** Deletes the rest in another database than the core, with the copy of the account. */
async function deleteElsewhere(context: ServiceContext, account: store.DueAccount): Promise<void> {
  const { db, now } = context;
  const domains = await store.findDomains(db, account);
  await store.deleteAccount(db, { ...account, user: null }, now);
  giveBack(context, domains);
}
