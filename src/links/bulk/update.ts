import { syncClickCounters } from "../click-counters.ts";
import { conflict, invalidRequest, toErrorBody, type ErrorDetail } from "../../http/errors.ts";
import { isId, newId } from "../../lib/uuid.ts";
import { MAX_CHANGE_ATTEMPTS } from "../../limits.ts";
import { toChanges, type ChangeContext } from "../update.ts";
import { findFaults, findLoops, findUtmFaults, hostsOf, withCampaign } from "../validate.ts";
import { linkNotFound, linkForbidden } from "../get-link.ts";
import { toLink, type LinkRow } from "../store/row.ts";
import { findLinks } from "../store/links.ts";
import { addUtm } from "../utm.ts";
import { wake } from "../notify-webhooks.ts";
import { toEntry } from "../../redirect/lookup/entry.ts";
import { publishEntry } from "../../redirect/lookup/resolve.ts";
import type { Changes, LinkResult } from "./contract.ts";
import { updateLinks, type BulkUpdate, type Target } from "../store/bulk.ts";

/** Makes one change to the caller's links; answers for each, in order, the link or why it was not changed. */
export async function changeMany(c: ChangeContext, ids: readonly string[], given: Changes): Promise<LinkResult[]> {
  const times = { now: c.get("context").now, baseUrl: c.get("context").baseUrl };
  const input = withCampaign(given);
  refuse(findFaults(input, undefined, times));
  const { accountId } = c.get("context").principal;
  await syncClickCounters(c.get("context"));

  const change = { columns: await toChanges(input), hosts: hostsOf(input) };
  const outcomes = new Map<string, LinkRow | Error>();
  const served: LinkRow[] = [];
  let pending = [...new Set(ids)].filter(isId);
  for (let attempt = 1; attempt <= MAX_CHANGE_ATTEMPTS && pending.length > 0; attempt++) {
    const targets = await targetsOf(c, pending, input, outcomes);
    const event = { id: newId(times.now), ...times };
    const update = await updateLinks(c.env.DB, accountId, targets, change, event);
    refuse(findLoops(input, update.loops));
    wake(c, update.webhookIds);
    served.push(...update.served);
    for (const { id } of targets) {
      const outcome = outcomeOf(id, update, accountId);
      if (outcome !== null) outcomes.set(id, outcome);
    }
    pending = pending.filter((id) => !outcomes.has(id));
  }
  await Promise.all(served.map((row) => publishEntry(row.domain, row.slug, toEntry(row, times.now), times.now)));
  for (const id of pending) outcomes.set(id, conflict("Others are changing this link at the same time. Try again."));
  return ids.map((id) => {
    const outcome = outcomes.get(id) ?? linkNotFound();
    return outcome instanceof Error ? toErrorBody(outcome) : { link: toLink(outcome, times.baseUrl, times.now) };
  });
}

/** What is wrong with the change is wrong for all links. */
function refuse(faults: readonly ErrorDetail[]): void {
  if (faults.length > 0)
    throw invalidRequest(faults.map(({ path, message }) => ({ path: `changes.${path}`, message })));
}

/** The links to change; a campaign that comes without a URL goes into the one that each has. */
async function targetsOf(
  c: ChangeContext,
  ids: readonly string[],
  { url, utm }: Changes,
  outcomes: Map<string, LinkRow | Error>,
): Promise<Target[]> {
  if (utm === undefined || url !== undefined) return ids.map((id) => ({ id }));
  const { accountId } = c.get("context").principal;
  const rows = new Map((await findLinks(c.env.DB, ids)).map((row) => [row.id, row]));
  const targets: Target[] = [];
  for (const id of ids) {
    const row = rows.get(id);
    const text = row === undefined ? "" : addUtm(row.url, utm);
    const faults = row?.account_id === accountId ? findUtmFaults(text) : [];
    if (row === undefined) outcomes.set(id, linkNotFound());
    else if (row.account_id !== accountId) outcomes.set(id, linkForbidden());
    else if (faults.length > 0) outcomes.set(id, invalidRequest(faults));
    else targets.push({ id, url: { text, updatedAt: row.updated_at } });
  }
  return targets;
}

/** Null: somebody else has changed the link meanwhile. */
function outcomeOf(id: string, { owners, changed }: BulkUpdate, accountId: number): LinkRow | Error | null {
  const owner = owners.get(id);
  if (owner === undefined) return linkNotFound();
  return owner === accountId ? (changed.get(id) ?? null) : linkForbidden();
}
