import { clickLogOf } from "../clicks/click-log/client.ts";
import type { RequestContext, ServiceContext } from "../context.ts";
import { describeError, log } from "../lib/log.ts";
import { DELETED_LINKS_PER_BATCH } from "../limits.ts";
import { findDeletedLinks, removeDeletedLinks } from "./store/deleted-links.ts";

/** Deletes the clicks of deleted links. If that fails, {@link deleteClicksOfDeletedLinks} does it later. */
export async function deleteClicksOfLinks(
  { env, principal: { accountId } }: Pick<RequestContext, "env" | "principal">,
  linkIds: readonly string[],
): Promise<void> {
  try {
    await clickLogOf(env, accountId).forgetLinks(linkIds);
    await removeDeletedLinks(env.DB, linkIds);
  } catch (error) {
    log("warn", "clicks_not_deleted", { links: linkIds.length, ...describeError(error) });
  }
}

/**
 * Deletes the clicks of a batch of deleted links. Returns their number. It makes two calls of the database and one of each
 * ClickLog, because the calls of one invocation are limited. Throws the first error after all ClickLogs were called.
 */
export async function deleteClicksOfDeletedLinks({ env }: Pick<ServiceContext, "env">): Promise<number> {
  const links = await findDeletedLinks(env.DB, DELETED_LINKS_PER_BATCH);
  const byAccount = [...Map.groupBy(links, ({ account_id }) => account_id)];
  const outcomes = await Promise.allSettled(
    byAccount.map(async ([accountId, deleted]) => {
      const ids = deleted.map(({ id }) => id);
      await clickLogOf(env, accountId).forgetLinks(ids);
      return ids;
    }),
  );
  // After the clicks, so that a failure repeats their deletion.
  await removeDeletedLinks(
    env.DB,
    outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? outcome.value : [])),
  );
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  return links.length;
}
