import type { ServiceContext } from "../platform/context.ts";
import { because, readBecause, type Because, type Fault } from "../platform/http/faults.ts";
import { coveringHost } from "../redirect/lookup/covering-host.ts";
import { findTakenDownHosts } from "../redirect/lookup/taken-down-hosts.ts";
import { unpackVerdict } from "../redirect/verdict.ts";
import { checks, type Screening } from "./checks.ts";
import { hostOf } from "../platform/lib/host-of.ts";
import type { LinkColumns, LinkRow } from "./store/row.ts";
import { destinationsOf, type Destinations } from "./validate.ts";

type ScreeningContext = Pick<ServiceContext, "env" | "now">;

/** Returns for each set of fields which of its destinations are blocked. */
export async function screenFields(context: ScreeningContext, all: readonly Destinations[]): Promise<Fault[][]> {
  const destinations = all.map(destinationsOf);
  const blocked = await findBlocked(context, new Set(destinations.flat().map(([, url]) => url)));
  return destinations.map((each) => faultsOfBlocked(each, blocked));
}

/** As {@link screenFields} for a link without an account. `hasPassed`: its visitors need not see the destination first. */
export async function screenStranger(
  context: ScreeningContext & { baseUrl: string },
  fields: Destinations,
): Promise<{ errors: Fault[]; hasPassed: boolean }> {
  const destinations = destinationsOf(fields);
  const { blocked, hasPassed } = await screen(context, new Set(destinations.map(([, url]) => url)), context);
  return { errors: faultsOfBlocked(destinations, blocked), hasPassed };
}

/** The faults of those of the destinations that are blocked. */
export function faultsOfBlocked(
  destinations: ReturnType<typeof destinationsOf>,
  blocked: ReadonlyMap<string, Because>,
): Fault[] {
  return destinations.flatMap(([path, url]) => {
    const reason = blocked.get(url);
    return reason === undefined ? [] : [readBecause(path, reason)];
  });
}

/**
 * Returns those of the URLs to which no link may lead, with the reasons: by screening if it is on, and those on
 * hosts that are taken down.
 */
export async function findBlocked(
  context: ScreeningContext,
  urls: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Because>> {
  return urls.size === 0 ? new Map() : (await screen(context, urls, null)).blocked;
}

/** As {@link findBlocked}, for several calls that screen each URL once. */
export function screenOnce(
  context: ScreeningContext,
): (urls: ReadonlySet<string>) => Promise<ReadonlyMap<string, Because>> {
  const [screened, blocked] = [new Set<string>(), new Map<string, Because>()];
  return async (urls) => {
    const others = new Set([...urls].filter((url) => !screened.has(url)));
    for (const [url, reason] of await findBlocked(context, others)) blocked.set(url, reason);
    for (const url of others) screened.add(url);
    return blocked;
  };
}

async function screen(
  context: ScreeningContext,
  urls: ReadonlySet<string>,
  ofStranger: { baseUrl: string } | null,
): Promise<Screening> {
  const [screened, hosts] = await Promise.all([
    checks().screen(context.env, urls, ofStranger),
    findTakenDownHosts(context),
  ]);
  const blocked = new Map(screened.blocked);
  for (const url of hosts.size === 0 ? [] : urls) {
    const host = coveringHost(hosts, hostOf(url));
    if (host !== undefined)
      blocked.set(url, because("blocked", { reason: unpackVerdict(host.imposed).reason ?? "policy" }));
  }
  return { blocked, hasPassed: screened.hasPassed };
}

/** Links with new destinations are screened again later. */
export function watchLinks({ env, now, waitUntil }: ServiceContext, ids: readonly string[]): void {
  if (ids.length > 0) waitUntil(checks().watch(env, ids, now));
}

const DESTINATION_COLUMNS = ["url", "expired_url", "ios", "android", "geo", "rules"] as const;

export function changesDestination(before: LinkRow, after: LinkRow): boolean {
  return DESTINATION_COLUMNS.some((column) => before[column] !== after[column]);
}

/** All destinations of a link. */
export function urlsOf(row: LinkRow): string[] {
  return destinationsOf(toDestinations(row)).map(([, url]) => url);
}

/** The destinations in the columns of a link, or in some of them. */
export function toDestinations({ url, expired_url, ios, android, geo, rules }: Partial<LinkColumns>): Destinations {
  return {
    ...(url !== undefined && { url }),
    expiredUrl: expired_url,
    ios,
    android,
    geo: geo == null ? null : (JSON.parse(geo) as Destinations["geo"]),
    rules: rules == null ? null : (JSON.parse(rules) as Destinations["rules"]),
  };
}
