import { clickLogOf } from "../../click-log/log/stub.ts";
import type { ServiceContext } from "../../platform/context.ts";
import { deleteJobs } from "../../jobs/runner-stub.ts";
import * as store from "./store.ts";

/**
 * Deletes a batch of an account that can no longer be restored. Each call finds what is left, so a purge that was interrupted
 * goes on. The account's own row is the last one: as long as it is there, the account is found again. Returns 1, or 0 if no
 * account is due.
 */
export async function purgeNextAccount(context: ServiceContext): Promise<number> {
  const { env, db, now } = context;
  const account = await store.findDueAccount(db, now);
  if (account === null) return 0;
  if (await deleteBatch(db, account)) return 1;
  // First, because jobs that still ran would read the ClickLog, and so make it anew.
  await deleteJobs(env, account.id);
  await clickLogOf(env, account.id).destroy();
  await store.deleteAccount(db, account, now);
  return 1;
}

/** Deletes a batch of its links, deliveries and other rows. Returns whether there may be more. */
async function deleteBatch(db: D1Database, account: store.DueAccount): Promise<boolean> {
  return (
    (await store.deleteDeliveries(db, account)) ||
    (await store.deleteLinks(db, account)) ||
    store.deleteOtherRows(db, account)
  );
}
