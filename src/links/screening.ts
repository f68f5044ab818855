import type { ServiceContext } from "../context.ts";
import type { ErrorDetail } from "../http/errors.ts";
import { describeError, log } from "../lib/log.ts";
import type { Finding } from "../safety/screener/finding.ts";
import { findScreener, isScreeningOn, screenUrls } from "../safety/screener/screen-urls.ts";
import { refuse, type LinkOutcome } from "./refusal.ts";
import type { LinkColumns, LinkRow } from "./store/row.ts";
import { destinationsOf, type Destinations } from "./validate.ts";

/** Returns for each set of fields which of its destinations are blocked. Without screening it does nothing. */
export async function screenFields(env: Env, all: readonly Destinations[]): Promise<ErrorDetail[][]> {
  if (!isScreeningOn(env)) return all.map(() => []);
  const destinations = all.map(destinationsOf);
  const findings = await screenUrls(env, new Set(destinations.flat().map(([, url]) => url)));
  if (findings.size === 0) return all.map(() => []);
  return destinations.map((entries) =>
    entries.flatMap(([path, url]) => {
      const finding = findings.get(url);
      return finding === undefined ? [] : [{ path, message: describeBlock(finding.reason) }];
    }),
  );
}

/** Adds an outcome for each of the links that would lead to a blocked destination. */
export async function refuseBlocked(
  env: Env,
  ids: readonly string[],
  toFields: (id: string) => Destinations,
  outcomes: Map<string, LinkOutcome>,
): Promise<void> {
  if (!isScreeningOn(env)) return;
  const errors = await screenFields(env, ids.map(toFields));
  for (const [index, id] of ids.entries()) {
    const blocked = errors[index] ?? [];
    if (blocked.length > 0) outcomes.set(id, refuse("destination_blocked", { errors: blocked }));
  }
}

/** Links with new destinations are screened again later. */
export function watchLinks({ env, now, waitUntil }: ServiceContext, ids: readonly string[]): void {
  if (!isScreeningOn(env) || ids.length === 0) return;
  waitUntil(watch(env, ids, now));
}

async function watch(env: Env, ids: readonly string[], now: number): Promise<void> {
  try {
    await findScreener(env).watch([...ids], now);
  } catch (error) {
    log("warn", "links_not_watched", { links: ids.length, ...describeError(error) });
  }
}

const DESTINATION_COLUMNS = ["url", "expired_url", "ios", "android", "geo", "rules"] as const;

export function changesDestination(before: LinkRow, after: LinkRow): boolean {
  return DESTINATION_COLUMNS.some((column) => before[column] !== after[column]);
}

/** All destinations of a link. */
export function urlsOf(row: LinkRow): string[] {
  return destinationsOf(toDestinations(row)).map(([, url]) => url);
}

/** The worst that is wrong with the destinations of the link; undefined: nothing. */
export function findWorst(row: LinkRow, findings: ReadonlyMap<string, Finding>): Finding | undefined {
  const found = urlsOf(row).flatMap((url) => findings.get(url) ?? []);
  return found.find(({ verdict }) => verdict === "block") ?? found[0];
}

/** What follows the name of a field that leads to a blocked destination. */
export function describeBlock(reason: string): string {
  return `leads to a host or page that this service blocks (${reason})`;
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
