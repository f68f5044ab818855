import type { RequestContext, ServiceContext } from "../context.ts";
import { describeError, log } from "../lib/log.ts";
import { DELETED_LINKS_PER_BATCH } from "../limits.ts";
import { sequenceOf } from "./store/sequence.ts";
import { clickLogOf } from "../clicks/click-log/client.ts";

interface DeletedLink {
  id: string;
  account_id: number;
}

/** Deletes the clicks of deleted links now. If that fails, {@link deleteClicksOfDeletedLinks} does it later. */
export async function deleteClicksOfLinks(
  { env, principal: { accountId } }: Pick<RequestContext, "env" | "principal">,
  linkIds: readonly string[],
): Promise<void> {
  try {
    await clickLogOf(env, accountId).forgetLinks(linkIds);
    await removeNotes(env.DB, linkIds);
  } catch (error) {
    log("warn", "clicks_not_forgotten", { links: linkIds.length, ...describeError(error) });
  }
}

/**
 * The clicks of links that were deleted, as many as one run does; answers how many links there were. However many
 * they are, the database is asked twice and each ClickLog once: what one invocation may ask for is limited.
 */
export async function deleteClicksOfDeletedLinks({ env }: Pick<ServiceContext, "env">): Promise<number> {
  const { results } = await env.DB.prepare("SELECT id, account_id FROM deleted_links ORDER BY seq LIMIT ?1")
    .bind(DELETED_LINKS_PER_BATCH)
    .all<DeletedLink>();
  const ofAccounts = [...Map.groupBy(results, ({ account_id }) => account_id)];
  const outcomes = await Promise.allSettled(
    ofAccounts.map(async ([accountId, links]) => {
      const ids = links.map(({ id }) => id);
      await clickLogOf(env, accountId).forgetLinks(ids);
      return ids;
    }),
  );
  await removeNotes(
    env.DB,
    outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? outcome.value : [])),
  );
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  return results.length;
}

/** The notes of deletions are the last to go, so whatever fails before is done again. */
async function removeNotes(db: D1Database, linkIds: readonly string[]): Promise<void> {
  if (linkIds.length === 0) return;
  await db
    .prepare("DELETE FROM deleted_links WHERE seq IN (SELECT CAST(value AS INTEGER) FROM json_each(?1))")
    .bind(JSON.stringify(linkIds.map(sequenceOf)))
    .run();
}
