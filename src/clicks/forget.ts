import { describeError, log } from "../lib/log.ts";
import { FORGOTTEN_PER_RUN } from "../limits.ts";
import { sequenceOf } from "../links/id.ts";
import { clickLogOf } from "./log-name.ts";

interface DeletedLink {
  id: string;
  account_id: number;
}

/** Has the clicks of a deleted link forgotten now; should that fail, {@link forgetDeletedLinks} does it later. */
export async function forgetLink(env: Env, accountId: number, linkId: string): Promise<void> {
  try {
    await forget(env, { id: linkId, account_id: accountId });
  } catch (error) {
    log("warn", "clicks_not_forgotten", { linkId, ...describeError(error) });
  }
}

/** The same for many links of one account. */
export async function forgetLinks(env: Env, accountId: number, linkIds: readonly string[]): Promise<void> {
  try {
    const clickLog = clickLogOf(env, accountId);
    for (const id of linkIds) await clickLog.forgetLink(id);
    await env.DB.prepare("DELETE FROM deleted_links WHERE seq IN (SELECT CAST(value AS INTEGER) FROM json_each(?1))")
      .bind(JSON.stringify(linkIds.map(sequenceOf)))
      .run();
  } catch (error) {
    log("warn", "clicks_not_forgotten", { links: linkIds.length, ...describeError(error) });
  }
}

/** The clicks of links that were deleted, as many as one run does; answers how many links there were. */
export async function forgetDeletedLinks(env: Env): Promise<number> {
  const { results } = await env.DB.prepare("SELECT id, account_id FROM deleted_links ORDER BY seq LIMIT ?1")
    .bind(FORGOTTEN_PER_RUN)
    .all<DeletedLink>();
  const outcomes = await Promise.allSettled(results.map((link) => forget(env, link)));
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  return results.length;
}

/** The note of the deletion is the last to go, so whatever fails before is done again. */
async function forget(env: Env, { id, account_id }: DeletedLink): Promise<void> {
  await clickLogOf(env, account_id).forgetLink(id);
  await env.DB.prepare("DELETE FROM deleted_links WHERE seq = ?1 AND id = ?2").bind(sequenceOf(id), id).run();
}
