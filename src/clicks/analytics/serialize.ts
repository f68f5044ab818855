import type { TimeBucket, Totals } from "../../click-log/log/aggregate.ts";
import type { Count } from "../../click-log/log/value-counts.ts";
import { wordForUnknown, type Dimension } from "../../click-log/profile.ts";
import type { Clicks } from "./contract.ts";
import type { Period } from "./period.ts";

/** The dimensions of the list that the API calls so. */
const LISTS = {
  countries: "country",
  regions: "region",
  cities: "city",
  continents: "continent",
  devices: "device",
  browsers: "browser",
  os: "os",
  referrers: "referrer",
  sources: "source",
  triggers: "trigger",
  targets: "target",
  utmSources: "utmSource",
  utmMediums: "utmMedium",
  utmCampaigns: "utmCampaign",
  utmTerms: "utmTerm",
  utmContents: "utmContent",
} as const satisfies Record<string, Dimension>;
type ListName = keyof typeof LISTS;

/** The totals of one link, without single clicks. */
export function toClicks(period: Period, totals: Totals): Omit<Clicks, "recent" | "detailFrom"> {
  const named = (dimension: Dimension): Count[] =>
    totals.counts[dimension].map(({ value, clicks }) => ({ value: value || wordForUnknown(dimension), clicks }));
  return {
    ...toSums(period, totals),
    bucket: period.bucket,
    ...(totals.weekHours !== undefined && { weekHours: toDays(totals.weekHours) }),
    ...mapLists(named),
    others: mapLists((dimension) => totals.others[dimension]),
  };
}

/** The parts of the totals that only several links have. `shortUrls` has those of the links that exist. */
export function toLinkCounts({ counts, others }: Totals, shortUrls: ReadonlyMap<string, string>) {
  const links = counts.link.map((count) => ({ ...count, shortUrl: shortUrls.get(count.value) ?? null }));
  return { links, others: others.link };
}

/** The totals of a period without its values. */
export function toSums({ start, end }: Period, { bots, timeseries }: Pick<Totals, "bots" | "timeseries">) {
  const sumOf = (name: "clicks" | "unique") =>
    timeseries.reduce((sum: number, bucket: TimeBucket) => sum + bucket[name], 0);
  return { total: sumOf("clicks"), unique: sumOf("unique"), bots, start, end, timeseries };
}

const toDays = (hours: readonly number[]): number[][] =>
  Array.from({ length: 7 }, (_, day) => hours.slice(day * 24, (day + 1) * 24));

function mapLists<T>(make: (dimension: Dimension) => T): Record<ListName, T> {
  const entries = Object.entries(LISTS).map(([name, dimension]) => [name, make(dimension)]);
  return Object.fromEntries(entries) as Record<ListName, T>;
}
