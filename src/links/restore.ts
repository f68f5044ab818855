import { queryClickLog } from "../click-log/log/stub.ts";
import type { AccountContext } from "../platform/context.ts";
import { isId } from "../platform/lib/uuid.ts";
import { describeError, log } from "../platform/lib/log.ts";
import { withTimeout } from "../platform/lib/timeout.ts";
import { publishLinks } from "../redirect/lookup/publish.ts";
import { slugsOf } from "./aliases.ts";
import { withCounters, type ClickCounters } from "./click-counters.ts";
import { decideRestoration } from "./decide-restoration.ts";
import { requireLinkId } from "./get-link.ts";
import { refuse, rowOf, type LinkOutcome } from "./refusal.ts";
import { repeatDecisions } from "./repeat.ts";
import { screenOnce, urlsOf, watchLinks } from "./screening.ts";
import { parseDeletedLink } from "./store/deleted-links.ts";
import * as store from "./store/restore.ts";
import type { LinkRow } from "./store/row.ts";
import { CLICK_COUNTERS_TIMEOUT_MS } from "./limits.ts";

/** Restores the account's deleted link and returns it. A link that is not deleted is returned as it is. Throws if it is refused. */
export async function restoreLink(context: AccountContext, id: string): Promise<LinkRow> {
  requireLinkId(id);
  return rowOf(await tryRestoreLink(context, id));
}

/** As {@link restoreLink}, but returns why it is refused. */
export async function tryRestoreLink(context: AccountContext, id: string): Promise<LinkOutcome> {
  if (!isId(id)) return refuse("not_found");
  const screen = screenOnce(context);
  const outcomes: LinkOutcome[] = [];
  await repeatDecisions([id], async () => {
    const outcome = await restoreOnce(context, id, screen);
    if (outcome === null) return [id];
    outcomes.push(outcome);
    return [];
  });
  return outcomes[0] ?? refuse("changed_concurrently");
}

/** null: it was changed between reading and writing. */
async function restoreOnce(
  context: AccountContext,
  id: string,
  screen: ReturnType<typeof screenOnce>,
): Promise<LinkOutcome | null> {
  const { db, env, now, principal } = context;
  const { accountId } = principal;
  const { present, deleted } = await store.readForRestore(db, id);
  if (present !== undefined) return present.account_id === accountId ? { ok: true, row: present } : refuse("forbidden");
  if (deleted === undefined) return refuse("not_found");
  if (deleted.account_id !== accountId) return refuse("forbidden");
  const former = parseDeletedLink(deleted);
  const blocked = await screen(new Set(urlsOf(former)));
  const anonymousHost = env.ANONYMOUS_HOST;
  const decision = decideRestoration(former, deleted.deleted_at, { ...deleted.facts, anonymousHost, blocked, now });
  if (!decision.ok) return decision;
  const counters = await findCounters(context, id);
  const [row, shown] = [withCounters(decision.row, counters), withCounters(decision.shown, counters)];
  const written = await store.restoreLink(context, deleted, { row, shown });
  if (!written) return null;
  if (written !== true) return refuse("quota_exceeded", { quota: written });
  watchLinks(context, [id]);
  await publishLinks(context, [{ row: shown, domain: shown.domain, slugs: slugsOf(shown), isGone: false }]);
  return { ok: true, row: shown };
}

/** The present counters: clicks that were made before the deletion may have been stored after it. */
async function findCounters(context: AccountContext, id: string): Promise<ClickCounters | undefined> {
  try {
    const counting = queryClickLog(context, (clickLog) => clickLog.countersOf([id]));
    const [counter] = await withTimeout(counting, CLICK_COUNTERS_TIMEOUT_MS);
    return counter && { clicks: counter.clicks, last_clicked_at: counter.lastClickedAt };
  } catch (error) {
    log("warn", "click_counters_not_synced", { accountId: context.principal.accountId, ...describeError(error) });
    return undefined;
  }
}
