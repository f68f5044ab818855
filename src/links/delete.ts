import type { AccountContext } from "../context.ts";
import type { RequiredVersions } from "../http/if-match.ts";
import { isId } from "../lib/uuid.ts";
import { publishLinks } from "../redirect/lookup/publish.ts";
import { slugsOf } from "./aliases.ts";
import { syncClickCounters } from "./click-counters.ts";
import { requireLinkId } from "./get-link.ts";
import { refuse, rowOf, type LinkOutcome } from "./refusal.ts";
import * as store from "./store/delete.ts";
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
  const { principal } = context;
  const links = { accountId: principal.accountId, ids: [...new Set(ids)].filter(isId) };
  if (links.ids.length === 0) return new Map();
  // The events contain the counters.
  await syncClickCounters(context);
  const found = await store.deleteLinks(context, links, versions, emitsEvents);
  const outcomes = found.map((row): [string, LinkOutcome] => [row.id, toOutcome(row, principal.accountId, versions)]);
  const deleted = outcomes.flatMap(([, outcome]) => (outcome.ok ? [outcome.row] : []));
  await publishLinks(
    context,
    deleted.map((row) => ({ row, domain: row.domain, slugs: slugsOf(row), isGone: true })),
  );
  return new Map(outcomes);
}

function toOutcome(row: LinkRow, accountId: number, versions: LinkVersions): LinkOutcome {
  if (row.account_id !== accountId) return refuse("forbidden");
  return isOfVersion(row, versions) ? { ok: true, row } : refuse("precondition_failed");
}
