import type { RequestContext } from "../context.ts";
import { isId } from "../lib/uuid.ts";
import { toTombstone } from "../redirect/lookup/entry.ts";
import { publishEntry } from "../redirect/lookup/resolve.ts";
import { syncClickCounters } from "./click-counters.ts";
import { deleteClicksOfLinks } from "./deleted-links.ts";
import { refuse, rowOf, type LinkOutcome } from "./outcome.ts";
import * as store from "./store/delete.ts";

/** Deletes the account's link. Throws if it is refused. */
export async function deleteLink(context: RequestContext, id: string): Promise<void> {
  rowOf((await deleteLinks(context, [id])).get(id));
}

/** Deletes the account's links, in one transaction. Returns an outcome for each link that existed, with the row as it was. */
export async function deleteLinks(context: RequestContext, ids: readonly string[]): Promise<Map<string, LinkOutcome>> {
  const { now, principal, waitUntil } = context;
  const links = { accountId: principal.accountId, ids: [...new Set(ids)].filter(isId) };
  if (links.ids.length === 0) return new Map();
  // The events contain the counters.
  await syncClickCounters(context);
  const found = await store.deleteLinks(context, links);
  const deleted = found.filter((row) => row.account_id === principal.accountId);
  await Promise.all(deleted.map((row) => publishEntry(row.domain, row.slug, toTombstone(row, now), now)));
  if (deleted.length > 0)
    waitUntil(
      deleteClicksOfLinks(
        context,
        deleted.map(({ id }) => id),
      ),
    );
  return new Map(
    found.map((row) => [row.id, row.account_id === principal.accountId ? { ok: true, row } : refuse("forbidden")]),
  );
}
