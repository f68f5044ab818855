import type { Count, Filters, Totals } from "../click-log/aggregate.ts";
import { toClickRecord, type StoredClick } from "../click-record.ts";
import { DIMENSIONS, type Dimension } from "../profile.ts";
import type { Clicks, ClicksQuery } from "./contract.ts";
import type { Period } from "./period.ts";

// Storage has '' for an unknown value; the wire has a word.

const wordForUnknown = (dimension: Dimension) => (dimension === "referrer" ? "direct" : "unknown");

export function toFilters(query: ClicksQuery): Filters {
  const filters: Filters = {};
  for (const dimension of DIMENSIONS) {
    const value = query[dimension];
    if (value !== undefined) filters[dimension] = value === wordForUnknown(dimension) ? "" : value;
  }
  return filters;
}

export function toClicks(period: Period, { bots, timeseries, counts }: Totals, recent: StoredClick[]): Clicks {
  const named = (dimension: Dimension): Count[] =>
    counts[dimension].map(({ value, clicks }) => ({ value: value || wordForUnknown(dimension), clicks }));
  return {
    total: timeseries.reduce((sum, { clicks }) => sum + clicks, 0),
    unique: timeseries.reduce((sum, { unique }) => sum + unique, 0),
    bots,
    start: period.start,
    end: period.end,
    bucket: period.bucket,
    timeseries,
    countries: named("country"),
    regions: named("region"),
    cities: named("city"),
    continents: named("continent"),
    devices: named("device"),
    browsers: named("browser"),
    os: named("os"),
    referrers: named("referrer"),
    triggers: named("trigger"),
    recent: recent.map(toClickRecord),
  };
}
