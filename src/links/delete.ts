import type { AccountContext } from "../platform/context.ts";
import type { RequiredVersions } from "../platform/http/if-match.ts";
import { isId } from "../platform/lib/uuid.ts";
import { publishLinks } from "../redirect/lookup/publish.ts";
import { slugsOf } from "./aliases.ts";
import { syncClickCounters, withCounters } from "./click-counters.ts";
import { requireLinkId } from "./get-link.ts";
import { refuse, rowOf, type LinkOutcome, type RefusedChange } from "./refusal.ts";
import { repeatDecisions } from "./repeat.ts";
import * as store from "./store/delete.ts";
import { findLinks } from "./store/links.ts";
import type { LinkRow } from "./store/row.ts";
import { isOfVersion, type LinkVersions } from "./store/version.ts";

/** Deletes the account's link. Throws if it is refused. */
export async function deleteLink(context: AccountContext, id: string, versions: RequiredVersions): Promise<void> {
  requireLinkId(id);
  rowOf((await deleteLinks(context, [id], versions)).get(id));
}

/**
 * Deletes the account's links, in one transaction. They can be restored for a week. Returns an outcome for each link that
 * existed, with the row as it was.
 */
export async function deleteLinks(
  context: AccountContext,
  ids: readonly string[],
  versions: LinkVersions = null,
  emitsEvents = true,
): Promise<Map<string, LinkOutcome>> {
  const { db, principal } = context;
  const outcomes = new Map<string, LinkOutcome>();
  const syncing = syncClickCounters(context);
  const left = await repeatDecisions([...new Set(ids)].filter(isId), async (pending, isFirst) => {
    // A link may have ended during the wait.
    const current = isFirst ? context : { ...context, now: Date.now() };
    const found = await findLinks(db, pending);
    // The events contain the counters.
    const counters = await syncing;
    const rows: LinkRow[] = [];
    for (const row of found) {
      const refusal = refuseDeletion(row, principal.accountId, versions);
      if (refusal === null) rows.push(withCounters(row, counters.get(row.id)));
      else outcomes.set(row.id, refusal);
    }
    const deleted = await store.deleteLinks(current, rows, { emitsEvents, deletedAt: context.now });
    for (const row of deleted) outcomes.set(row.id, { ok: true, row });
    await publishLinks(
      context,
      deleted.map((row) => ({ row, domain: row.domain, slugs: slugsOf(row), isGone: true })),
    );
    return rows.map(({ id }) => id).filter((id) => !outcomes.has(id));
  });
  for (const id of left) outcomes.set(id, refuse("changed_concurrently"));
  return outcomes;
}

function refuseDeletion(row: LinkRow, accountId: number, versions: LinkVersions): RefusedChange | null {
  if (row.account_id !== accountId) return refuse("forbidden");
  return isOfVersion(row, versions) ? null : refuse("precondition_failed");
}
