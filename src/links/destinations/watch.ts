import type { ServiceContext } from "../../platform/context.ts";
import { isLoopbackName } from "../../platform/lib/hosts.ts";
import { mapLimit } from "../../platform/lib/map-limit.ts";
import { guardOf } from "../../platform/outbound/url-guard.ts";
import { isOutage, nextDelay, nextFindings } from "./judge.ts";
import {
  CONCURRENT_VISITS,
  MAX_POSTPONE_MS,
  QUIET_CHECK_MS,
  VISITS_PER_ACCOUNT,
  VISITS_PER_HOST,
  VISITS_PER_RUN,
  WATCH_RUN_MS,
} from "./limits.ts";
import {
  claimDue,
  postpone,
  recordVisits,
  takeInLinks,
  type DueDestination,
  type VisitRecord,
} from "./store/visits.ts";
import { visitDestination, type Visit } from "./visit.ts";

/** Whether destinations are watched. On a developer's machine they are only if the operator says so. */
export function isWatching({ BASE_URL, DESTINATION_WATCH }: Pick<Env, "BASE_URL" | "DESTINATION_WATCH">): boolean {
  if (DESTINATION_WATCH !== "") return DESTINATION_WATCH === "on";
  return BASE_URL !== "" && !isLoopbackName(new URL(BASE_URL).hostname);
}

/** Takes in new links, and visits the destinations that are due. Returns the number of visits. */
export async function watchDestinations(context: ServiceContext): Promise<number> {
  await takeInLinks(context);
  const due = await claimDue(context);
  const { chosen, postponed } = chooseVisits(due, context.now);
  await postpone(context, postponed);
  const visits = await visitAll(context, chosen);
  const records: VisitRecord[] = [];
  const changed: string[] = [];
  const isUnjudged = isOutage([...visits.values()]);
  for (const [{ link_id: id, link, found }, visit] of visits) {
    const isIgnored = isUnjudged && visit.failure === "unreachable";
    const next = nextFindings(found, isIgnored ? { ...visit, failure: "timeout" } : visit, context.now);
    const dueAt = context.now + nextDelay(next, link, context.now, Math.random());
    records.push({ id, dueAt, hash: link.hash, found: next });
    if ((found?.brokenSince ?? null) === null ? next.brokenSince !== null : next.brokenSince === null) changed.push(id);
  }
  await recordVisits(context, records, changed);
  return records.length;
}

type Chosen = DueDestination & { link: NonNullable<DueDestination["link"]> };

/**
 * Chooses the destinations that a run visits, a limited number of each account and host. Others are postponed by a random time.
 * Links that lead nowhere now are not visited.
 */
function chooseVisits(
  due: readonly DueDestination[],
  now: number,
): { chosen: Chosen[]; postponed: Map<string, number> } {
  const chosen: Chosen[] = [];
  const postponed = new Map<string, number>();
  const visits = new Map<string, number>();
  for (const { link, ...destination } of due) {
    if (link === null || !link.isActive) {
      postponed.set(destination.link_id, now + QUIET_CHECK_MS);
      continue;
    }
    const [account, host] = [`${destination.account_id}`, URL.parse(link.url)?.host ?? link.url];
    const ofAccount = visits.get(account) ?? 0;
    const ofHost = visits.get(host) ?? 0;
    if (chosen.length === VISITS_PER_RUN || ofAccount === VISITS_PER_ACCOUNT || ofHost === VISITS_PER_HOST) {
      postponed.set(destination.link_id, now + Math.round(MAX_POSTPONE_MS * Math.random()));
      continue;
    }
    visits.set(account, ofAccount + 1).set(host, ofHost + 1);
    chosen.push({ ...destination, link });
  }
  return { chosen, postponed };
}

/** Visits that cannot begin in the time of the run are due again when their lease ends. */
async function visitAll(context: ServiceContext, chosen: readonly Chosen[]): Promise<Map<Chosen, Visit>> {
  const guard = guardOf(context.env, context.baseUrl);
  const visits = new Map<Chosen, Visit>();
  const end = Date.now() + WATCH_RUN_MS;
  await mapLimit(chosen, CONCURRENT_VISITS, async (destination) => {
    if (Date.now() < end) visits.set(destination, await visitDestination(destination.link.url, guard));
  });
  return visits;
}
