import { syncClickCounters } from "../click-counters.ts";
import { deleteClicksOfLinks } from "../deleted-links.ts";
import { toErrorBody } from "../../http/errors.ts";
import { isId, newId } from "../../lib/uuid.ts";
import type { ChangeContext } from "../update.ts";
import { linkNotFound, linkForbidden } from "../get-link.ts";
import { wake } from "../notify-webhooks.ts";
import { toTombstone } from "../../redirect/lookup/entry.ts";
import { publishEntry } from "../../redirect/lookup/resolve.ts";
import type { SuccessResult } from "./contract.ts";
import { deleteLinks } from "../store/bulk.ts";

/** Deletes those of the links that are the caller's; answers for each, in order, that it is deleted or why it is not. */
export async function deleteMany(c: ChangeContext, ids: readonly string[]): Promise<SuccessResult[]> {
  const { accountId } = c.get("context").principal;
  const now = c.get("context").now;
  // The events tell of the links as they were.
  await syncClickCounters(c.get("context"));
  const wanted = [...new Set(ids)].filter(isId);
  const event = { id: newId(now), now, baseUrl: c.get("context").baseUrl };
  const { before, webhookIds } = await deleteLinks(c.env.DB, accountId, wanted, event);
  wake(c, webhookIds);
  const deleted = before.filter((row) => row.account_id === accountId);
  c.executionCtx.waitUntil(
    deleteClicksOfLinks(
      c.get("context"),
      deleted.map(({ id }) => id),
    ),
  );
  await Promise.all(deleted.map((row) => publishEntry(row.domain, row.slug, toTombstone(row, now), now)));
  const owners = new Map(before.map((row) => [row.id, row.account_id]));
  return ids.map((id) => {
    if (!owners.has(id)) return toErrorBody(linkNotFound());
    return owners.get(id) === accountId ? { success: true } : toErrorBody(linkForbidden());
  });
}
