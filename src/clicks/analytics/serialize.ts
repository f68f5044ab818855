import type { ClickRecord, Clicks, ClicksQuery } from "./contract.ts";
import type { StoredRecord } from "../click-log/records.ts";
import type { Count, Filters, Tallied } from "../click-log/aggregate.ts";
import type { Period } from "./period.ts";
import { DIMENSIONS, readProfile, type Dimension } from "../profile.ts";

// Between what is stored, where '' is unknown, and the wire.

const nameOfUnknown = (dimension: Dimension) => (dimension === "referrer" ? "direct" : "unknown");

/** What only the clicks of a query have. */
export function toFilters(query: ClicksQuery): Filters {
  const filters: Filters = {};
  for (const dimension of DIMENSIONS) {
    const value = query[dimension];
    if (value !== undefined) filters[dimension] = value === nameOfUnknown(dimension) ? "" : value;
  }
  return filters;
}

export function toClicks(period: Period, { bots, timeseries, counts }: Tallied, recent: StoredRecord[]): Clicks {
  const named = (dimension: Dimension): Count[] =>
    counts[dimension].map(({ value, clicks }) => ({ value: value || nameOfUnknown(dimension), clicks }));
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

export function toClickRecord({ id, linkId, clickedAt, profile }: StoredRecord): ClickRecord {
  const { country, region, city, continent, device, browser, os, referrer, trigger, bot } = readProfile(profile);
  return {
    id,
    linkId,
    clickedAt,
    geo: { country: country || null, region: region || null, city: city || null, continent: continent || null },
    device: device as ClickRecord["device"],
    browser,
    os,
    referrer: referrer || null,
    trigger: trigger as ClickRecord["trigger"],
    bot,
  };
}
