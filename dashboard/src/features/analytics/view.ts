import { isTimeZone, localDateAt, startOfLocalDate, timeZoneOf } from "#src/clicks/analytics/time-zone.ts";
import { DAY_MS } from "#src/limits.ts";
import type { Query } from "../../api/client.ts";
import { browserTimeZone } from "../../lib/format.ts";
import { FILTERS, isSelection, SELECTIONS, type ParameterName } from "./dimensions.ts";

// What the page shows, as the address of the page has it.

export const SHOWN_INTERVALS = ["today", "yesterday", "24h", "7d", "30d", "90d", "mtd", "1y", "all"] as const;
export type Interval = (typeof SHOWN_INTERVALS)[number];

/** A day of the view's time zone as `2026-03-05`, or Unix milliseconds. As an end, a day is included. */
type Edge = string | number;

export type Period = { interval: Interval } | { start: Edge; end: Edge };

/** The values of each filter. An exclamation mark in front excludes a value. */
export type Filters = { readonly [Name in ParameterName]?: readonly string[] };

/** What the period is compared with. */
export const COMPARISON_CHOICES = ["previous", "year", "none"] as const;
export type Comparison = (typeof COMPARISON_CHOICES)[number];

export interface View {
  period: Period;
  comparison: Comparison;
  timezone: string;
  filters: Filters;
}

type Search = Record<string, unknown>;

const DEFAULT_INTERVAL: Interval = "30d";
const DEFAULT_COMPARISON: Comparison = "previous";
const PARAMETERS: readonly ParameterName[] = [...FILTERS, ...SELECTIONS];
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Reads the view from the search parameters of the page. What cannot be understood is left out. */
export function parseView(search: Search): View {
  const filters: Record<string, string[]> = {};
  for (const name of PARAMETERS) {
    const given = search[name];
    const values = (Array.isArray(given) ? given : [given])
      .filter((value) => ["string", "number", "boolean"].includes(typeof value))
      .map(String)
      .filter((value) => value !== "" && value !== "!");
    if (values.length > 0) filters[name] = [...new Set(values)];
  }
  const { timezone, compare } = search;
  return {
    period: parsePeriod(search),
    comparison: COMPARISON_CHOICES.find((each) => each === compare) ?? DEFAULT_COMPARISON,
    timezone: typeof timezone === "string" && isTimeZone(timezone) ? timezone : browserTimeZone(),
    filters,
  };
}

function parsePeriod({ interval, start, end }: Search): Period {
  if (isEdge(start) && isEdge(end)) return { start, end };
  return { interval: SHOWN_INTERVALS.find((each) => each === interval) ?? DEFAULT_INTERVAL };
}

function isEdge(value: unknown): value is Edge {
  return typeof value === "number"
    ? Number.isSafeInteger(value)
    : typeof value === "string" && DAY.test(value) && !Number.isNaN(Date.parse(value));
}

/** The search parameters of a view. Parameters at their defaults are left out. */
export function toSearch({ period, comparison, timezone, filters }: View): Search {
  const parameters = PARAMETERS.map((name) => [name, single(filters[name])] as const);
  return {
    ...Object.fromEntries(parameters),
    interval: "interval" in period && period.interval !== DEFAULT_INTERVAL ? period.interval : undefined,
    start: "start" in period ? period.start : undefined,
    end: "end" in period ? period.end : undefined,
    compare: comparison === DEFAULT_COMPARISON ? undefined : comparison,
    timezone: timezone === browserTimeZone() ? undefined : timezone,
  };
}

function single(values: readonly string[] | undefined): string | readonly string[] | undefined {
  return values === undefined || values.length === 0 ? undefined : values.length === 1 ? values[0] : values;
}

/** The parameters of the API for the period of a view. */
export function periodQuery({ period, timezone }: View): Query {
  if ("interval" in period) return { interval: period.interval, timezone };
  return { start: startOf(period.start, timezone), end: endOf(period.end, timezone), timezone };
}

/** What the API compares a view with. All time has no period before. */
export function comparisonQuery({ period, comparison }: View): Query {
  const isAll = "interval" in period && period.interval === "all";
  return { compare: isAll || comparison === "none" ? undefined : comparison };
}

/** Returns the period between two times, exclusive, as whole days if it has only whole days. */
export function periodBetween(start: number, end: number, timezone: string): Period {
  const zone = timeZoneOf(timezone);
  const first = localDateAt(start, zone);
  const last = localDateAt(end - 1, zone);
  const isWholeDays = startOfLocalDate(first, zone) === start && startOfLocalDate(last + DAY_MS, zone) === end;
  return isWholeDays ? { start: dayOf(first), end: dayOf(last) } : { start, end };
}

const dayOf = (date: number) => new Date(date).toISOString().slice(0, 10);

/** The current day in a time zone, such as `2026-03-05`. */
export function today(timezone: string): string {
  return dayAt(Date.now(), timezone);
}

/** The day of a time in a time zone, such as `2026-03-05`. */
export function dayAt(time: number, timezone: string): string {
  return dayOf(localDateAt(time, timeZoneOf(timezone)));
}

function startOf(edge: Edge, timezone: string): number {
  return typeof edge === "number" ? edge : startOfLocalDate(Date.parse(edge), timeZoneOf(timezone));
}

function endOf(edge: Edge, timezone: string): number {
  return typeof edge === "number" ? edge : startOfLocalDate(Date.parse(edge) + DAY_MS, timeZoneOf(timezone));
}

/** Adds a value to a filter, or removes it if the filter has it. */
export function toggleValue(filters: Filters, name: ParameterName, value: string, isNot = false): Filters {
  const marked = isNot ? `!${value}` : value;
  const opposite = isNot ? value : `!${value}`;
  const before = filters[name] ?? [];
  const values = before.includes(marked)
    ? before.filter((each) => each !== marked)
    : // A link has one domain.
      [...(name === "domain" ? [] : before.filter((each) => each !== opposite)), marked];
  return withValues(filters, name, values);
}

function withValues(filters: Filters, name: ParameterName, values: readonly string[]): Filters {
  const { [name]: _, ...others } = filters;
  return values.length === 0 ? others : { ...others, [name]: values };
}

export interface Condition {
  name: ParameterName;
  isNot: boolean;
  /** Without exclamation marks. */
  values: string[];
}

/** The filters as conditions that each say "is" or "is not". */
export function conditionsOf(filters: Filters): Condition[] {
  const conditions: Condition[] = [];
  for (const name of PARAMETERS) {
    const values = filters[name] ?? [];
    const isExcluded = (value: string) => !isSelection(name) && value.startsWith("!");
    const included = values.filter((value) => !isExcluded(value));
    const excluded = values.filter(isExcluded).map((value) => value.slice(1));
    if (included.length > 0) conditions.push({ name, isNot: false, values: included });
    if (excluded.length > 0) conditions.push({ name, isNot: true, values: excluded });
  }
  return conditions;
}

/** The filters with the condition replaced; null removes it. */
export function replaceCondition(filters: Filters, before: Condition, after: Condition | null): Filters {
  const mark = (condition: Condition) => condition.values.map((value) => (condition.isNot ? `!${value}` : value));
  const removed = new Set([
    ...mark(before),
    ...(after === null ? [] : after.values.flatMap((each) => [each, `!${each}`])),
  ]);
  const others = (filters[before.name] ?? []).filter((each) => !removed.has(each));
  return withValues(filters, before.name, [...others, ...(after === null ? [] : mark(after))]);
}

/** The tag whose clicks the view shows, if the tag is its only filter. */
export function onlyTag({ filters }: View): string | undefined {
  const { tag: [tag, ...others] = [], ...rest } = filters;
  const isOnly =
    others.length === 0 && Object.values(rest).every((values) => values === undefined || values.length === 0);
  return isOnly && tag?.startsWith("!") !== true ? tag : undefined;
}
