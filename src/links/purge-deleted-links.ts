import { clickLogOf } from "../click-log/log/stub.ts";
import type { ServiceContext } from "../platform/context.ts";
import { DELETED_LINK_KEPT_MS, DELETED_LINKS_PER_BATCH } from "../limits.ts";
import { findLinksDeletedBefore, removeDeletedLinks, setDeletedAt } from "./store/deleted-links.ts";
import { DELETED_LINK_PURGE_DELAY_MS } from "./limits.ts";

/**
 * Deletes a batch of links, with their clicks, that can no longer be restored. Returns their number. It makes two calls of
 * the database and one of each ClickLog, because the calls of one invocation are limited. Throws the first error after all
 * ClickLogs were called.
 */
export async function purgeDeletedLinks(context: ServiceContext): Promise<number> {
  const { env, db, now } = context;
  const deletedAt = now - DELETED_LINK_KEPT_MS - DELETED_LINK_PURGE_DELAY_MS;
  const links = await findLinksDeletedBefore(db, deletedAt, DELETED_LINKS_PER_BATCH);
  const byAccount = [...Map.groupBy(links, ({ account_id }) => account_id)];
  const outcomes = await Promise.allSettled(
    byAccount.map(async ([accountId, deleted]) => {
      const ids = deleted.map(({ id }) => id);
      await clickLogOf(env, accountId).forgetLinks(ids);
    }),
  );
  const idsOf = (status: "fulfilled" | "rejected") =>
    byAccount.flatMap(([, deleted], n) => (outcomes[n]?.status === status ? deleted.map(({ id }) => id) : []));
  // After the clicks, so that a failure repeats their deletion.
  await removeDeletedLinks(db, idsOf("fulfilled"));
  // They are due again after the delay, so that a ClickLog that keeps failing does not hold up the other accounts.
  await setDeletedAt(db, idsOf("rejected"), now - DELETED_LINK_KEPT_MS);
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  return links.length;
}
