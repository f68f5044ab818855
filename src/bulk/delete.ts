import { bringCountersForward } from "../clicks/counters.ts";
import { forgetLinks } from "../clicks/forget.ts";
import { toErrorBody } from "../http/errors.ts";
import { isId, newId } from "../lib/uuid.ts";
import type { ChangeContext } from "../links/change.ts";
import { noSuchLink, notYours } from "../links/own.ts";
import { wake } from "../links/wake.ts";
import { toTombstone } from "../redirect/entry.ts";
import { publishEntry } from "../redirect/resolve.ts";
import type { SuccessResult } from "./contract.ts";
import { deleteLinks } from "./store.ts";

/** Deletes those of the links that are the caller's; answers for each, in order, that it is deleted or why it is not. */
export async function deleteMany(c: ChangeContext, ids: readonly string[]): Promise<SuccessResult[]> {
  const { accountId } = c.get("principal");
  const now = c.get("now");
  // The events tell of the links as they were.
  await bringCountersForward(c.env, accountId, c.executionCtx);
  const wanted = [...new Set(ids)].filter(isId);
  const event = { id: newId(now), now, baseUrl: c.get("baseUrl") };
  const { before, webhookIds } = await deleteLinks(c.env.DB, accountId, wanted, event);
  wake(c, webhookIds);
  const deleted = before.filter((row) => row.account_id === accountId);
  c.executionCtx.waitUntil(
    forgetLinks(
      c.env,
      accountId,
      deleted.map(({ id }) => id),
    ),
  );
  await Promise.all(deleted.map((row) => publishEntry(row.domain, row.slug, toTombstone(row, now), now)));
  const owners = new Map(before.map((row) => [row.id, row.account_id]));
  return ids.map((id) => {
    if (!owners.has(id)) return toErrorBody(noSuchLink());
    return owners.get(id) === accountId ? { success: true } : toErrorBody(notYours());
  });
}
