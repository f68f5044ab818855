import type { CapturedClick } from "../../../src/click-log/capture/click.ts";
import type { AggregateQuery, TimeBucket, Totals } from "../../../src/click-log/log/aggregate.ts";
import type { CountedDimension } from "../../../src/click-log/log/value-counts.ts";
import { DIMENSIONS, type Dimension } from "../../../src/click-log/profile.ts";
import { DAY_MS } from "../../../src/limits.ts";
import { CRAWLER, FIREFOX, SAFARI } from "../../support/user-agents.ts";

const COUNTED = ["link", ...DIMENSIONS] as const;

/** The totals that a query must return, computed from the clicks themselves. Visitors before `saltsFrom` are unknown. */
export function expectedTotals(
  clicks: readonly CapturedClick[],
  links: readonly string[] | null,
  query: AggregateQuery,
  saltsFrom: number,
): Totals {
  const matching = clicks.filter((click) => matches(click, links, query));
  const people = matching.filter(([, , , , , userAgent]) => userAgent !== CRAWLER);
  const timeseries: TimeBucket[] = query.boundaries.map((start) => ({ start, clicks: 0, unique: 0 }));
  const bucketAt = (at: number) => timeseries.findLast(({ start }) => start <= at) ?? timeseries[0];
  const firsts = new Map<string, number>();
  for (const [at, link, , , ip, userAgent] of people) {
    const bucket = bucketAt(at);
    if (bucket !== undefined) bucket.clicks++;
    const day = Math.floor(at / DAY_MS);
    if (day * DAY_MS < saltsFrom) continue;
    const visitor = [day, link, ip, userAgent].join(" ");
    firsts.set(visitor, Math.min(at, firsts.get(visitor) ?? Infinity));
  }
  for (const at of firsts.values()) {
    const bucket = bucketAt(at);
    if (bucket !== undefined) bucket.unique++;
  }
  const profiles = people.map((click) => ({ ...profileOf(click), link: click[1] }));
  const counts = COUNTED.map((dimension) => [dimension, countValues(profiles, dimension)]);
  return {
    bots: matching.length - people.length,
    timeseries,
    ...(query.clocks && { weekHours: weekHoursOf(people, query.clocks) }),
    counts: Object.fromEntries(counts) as Totals["counts"],
    others: Object.fromEntries(COUNTED.map((dimension) => [dimension, 0])) as Totals["others"],
  };
}

function weekHoursOf(clicks: readonly CapturedClick[], clocks: NonNullable<AggregateQuery["clocks"]>): number[] {
  const hours = Array.from({ length: 168 }, () => 0);
  for (const [at] of clicks) {
    const clock = clocks.findLast(({ from }) => from <= at);
    if (clock === undefined) continue;
    const local = new Date(at + clock.offset);
    const hour = ((local.getUTCDay() + 6) % 7) * 24 + local.getUTCHours();
    hours[hour] = (hours[hour] ?? 0) + 1;
  }
  return hours;
}

function matches(click: CapturedClick, links: readonly string[] | null, { start, end, filters }: AggregateQuery) {
  const [at, link] = click;
  if (at < start || at >= end || (links !== null && !links.includes(link))) return false;
  const filtered = Object.entries(filters);
  if (filtered.length === 0) return true;
  const profile = profileOf(click);
  return filtered.every(([dimension, { is, isNot }]) => {
    const value = profile[dimension as Dimension].toLowerCase();
    return (is.length === 0 || is.includes(value)) && !isNot.includes(value);
  });
}

function countValues(profiles: readonly Record<CountedDimension, string>[], dimension: CountedDimension) {
  const counts = new Map<string, number>();
  for (const profile of profiles) counts.set(profile[dimension], (counts.get(profile[dimension]) ?? 0) + 1);
  return [...counts]
    .map(([value, clicks]) => ({ value, clicks }))
    .sort((a, b) => b.clicks - a.clicks || (a.value < b.value ? -1 : 1));
}

const NO_UTM = { utmSource: "", utmMedium: "", utmCampaign: "", utmTerm: "", utmContent: "" };

function profileOf(click: CapturedClick): Record<Dimension, string> {
  const [, , , { name, location }, , userAgent, referrer, country, region, city, continent, trigger] = click;
  const client = {
    [FIREFOX]: { device: "desktop", browser: "Firefox", os: "Linux" },
    [SAFARI]: { device: "mobile", browser: "Safari", os: "iOS" },
    [CRAWLER]: { device: "other", browser: "Googlebot", os: "other" },
  }[userAgent] ?? { device: "", browser: "", os: "" };
  return {
    ...client,
    country,
    region: `${country}-${region}`,
    city,
    continent,
    referrer: referrer.replace(/^https:\/\//, ""),
    source: referrer === "" ? "" : "news.example",
    trigger: trigger === 1 ? "qr" : "link",
    target: name ?? "default",
    ...NO_UTM,
    ...(location.includes("?") && { utmSource: "Letter", utmCampaign: "spring sale" }),
  };
}
