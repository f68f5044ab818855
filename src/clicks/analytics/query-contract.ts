import { z } from "@hono/zod-openapi";
import { pageQuery, wholeNumber } from "../../platform/http/pagination.ts";
import { queryTime, repeatable } from "../../platform/http/query.ts";
import { EndTimeInput, lineOfText, StartTimeInput } from "../../platform/http/validation.ts";
import { MAX_DIMENSION_CHARS, MAX_TAG_CHARS, MAX_TAGS_PER_LINK, MAX_VALUES_PER_DIMENSION } from "../../limits.ts";
import { ID_CHARS, isId } from "../../platform/lib/uuid.ts";
import { Domain, TagName } from "../../links/fields.ts";
import { isCountry } from "../../links/normalize.ts";
import { DEVICES } from "../../platform/visitor/kinds.ts";
import { TARGET_KINDS } from "../../click-log/click-record.ts";
import { BUCKETS, COMPARISONS, INTERVALS } from "./period.ts";
import { TRIGGERS } from "./record-contract.ts";
import { isTimeZone } from "./time-zone.ts";
import { MAX_BUCKETS, MAX_FILTER_VALUES, MAX_SELECTED_LINKS, MAX_TIME_ZONE_CHARS, MAX_VALUE_PAGES } from "./limits.ts";
import { because, type Because } from "../../platform/http/faults.ts";

// The queries for clicks.

/** A value of a filter: clicks must have it, or with `isNot` must not have it. */
interface FilterValue {
  isNot: boolean;
  value: string;
}

const WITH_MARK_CHARS = MAX_DIMENSION_CHARS + 1;

const filterValue: z.ZodType<FilterValue, string> = lineOfText(WITH_MARK_CHARS)
  .transform((text) => ({ isNot: text.startsWith("!"), value: text.replace(/^! */, "") }))
  .refine(({ value }) => value !== "", because("empty_after_mark"));

/** `isValue` gets the value in lower case. */
function filter(description: string, example: string, isValue?: (value: string) => boolean, reason?: Because) {
  const value =
    isValue === undefined ? filterValue : filterValue.refine(({ value }) => isValue(value.toLowerCase()), reason);
  return repeatable(value, MAX_FILTER_VALUES, WITH_MARK_CHARS)
    .optional()
    .openapi({ description: `${description} ${HOW_TO_FILTER}`, example: [example] });
}

const HOW_TO_FILTER = "In any case; repeat it for several values. `!` in front: all other clicks.";
const CONTINENTS = ["AF", "AN", "AS", "EU", "NA", "OC", "SA"];
/** What Cloudflare reports as the country of the Tor network. */
const TOR = "t1";

const isCountryOrUnknown = (value: string) => isCountry(value.toUpperCase()) || value === TOR || value === "unknown";
const isContinentOrUnknown = (value: string) => CONTINENTS.includes(value.toUpperCase()) || value === "unknown";
const isOneOf = (values: readonly string[]) => (value: string) => values.includes(value);

const NAMED_TARGETS: readonly string[] = TARGET_KINDS.filter((kind) => kind !== "rule");
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const isTarget = (value: string) => NAMED_TARGETS.includes(value) || UUID.test(value);

const utm = (name: string, example: string) => filter(`\`utm_${name}\` of the target's URL, or \`none\`.`, example);

/** By dimension. */
const filters = {
  country: filter(
    "ISO 3166-1 alpha-2, `T1` for Tor, or `unknown`.",
    "DE",
    isCountryOrUnknown,
    because("wrong_form", { expected: "country" }),
  ),
  region: filter("ISO 3166-2, or `unknown`.", "DE-BE"),
  city: filter("The name in English, or `unknown`.", "Berlin"),
  continent: filter(
    "AF, AN, AS, EU, NA, OC, SA, or `unknown`.",
    "EU",
    isContinentOrUnknown,
    because("not_one_of", { allowed: [...CONTINENTS, "unknown"] }),
  ),
  device: filter(`${DEVICES.join(", ")}.`, DEVICES[0], isOneOf(DEVICES), because("not_one_of", { allowed: DEVICES })),
  browser: filter("A name as responses have it.", "Safari"),
  os: filter("A name as responses have it.", "iOS"),
  referrer: filter("A host, or `direct`.", "www.news.example"),
  source: filter("A site, or `direct`.", "news.example"),
  trigger: filter(
    `${TRIGGERS.join(", ")}.`,
    TRIGGERS[0],
    isOneOf(TRIGGERS),
    because("not_one_of", { allowed: TRIGGERS }),
  ),
  target: filter(
    "`default`, `ios`, `android`, `country`, or the id of a rule.",
    "default",
    isTarget,
    because("wrong_form", { expected: "target", allowed: NAMED_TARGETS }),
  ),
  utmSource: utm("source", "newsletter"),
  utmMedium: utm("medium", "email"),
  utmCampaign: utm("campaign", "spring"),
  utmTerm: utm("term", "shoes"),
  utmContent: utm("content", "top"),
};

const START =
  "Instead of `interval`. Unix milliseconds, ISO 8601 with Z or an offset, or a day in UTC, which is its beginning.";
const END = "Exclusive; now by default. A day in UTC is included.";

const period = {
  interval: z.enum(INTERVALS).optional().openapi({
    default: "30d",
    description: "The period. It ends with the current hour, day or month; `yesterday` ends with that day.",
  }),
  start: queryTime(StartTimeInput).optional().openapi({ description: START }),
  end: queryTime(EndTimeInput).optional().openapi({ description: END }),
  timezone: z.string().refine(isTimeZone, because("not_a_time_zone")).optional().openapi({
    default: "UTC",
    maxLength: MAX_TIME_ZONE_CHARS,
    description: "The IANA time zone of hours, days and months, and of the times in a file.",
    example: "Europe/Berlin",
  }),
};

const LinkId = z
  .string()
  .toLowerCase()
  .refine(isId, because("not_an_id", { resource: "link" }));

/** Links of the account. */
const selection = {
  tag: repeatable(TagName, MAX_TAGS_PER_LINK, MAX_TAG_CHARS)
    .optional()
    .openapi({
      description: `Clicks of links that have this tag now, in any case; at most ${MAX_SELECTED_LINKS} links. Repeat it for links with any of several tags.`,
      example: ["sale"],
    }),
  domain: Domain.optional().openapi({
    description: `Clicks of links on this domain; at most ${MAX_SELECTED_LINKS} links.`,
  }),
  linkIds: repeatable(LinkId, MAX_FILTER_VALUES, ID_CHARS)
    .optional()
    .openapi({
      description: "Clicks of these links. Repeat it for each link.",
      example: ["01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f"],
    }),
};

const totals = {
  bucket: z
    .enum(BUCKETS)
    .optional()
    .openapi({
      description: `The length of the buckets of \`timeseries\`, at most ${MAX_BUCKETS} of them. By default it depends on the period.`,
    }),
  compare: z.enum(COMPARISONS).optional().openapi({
    description: "Adds the totals of the period before, which is as long, or of the same days a year earlier.",
  }),
  weekHours: z.enum(["true"]).optional().openapi({ description: "`true` adds the clicks by weekday and hour." }),
  page: wholeNumber(MAX_VALUE_PAGES)
    .optional()
    .openapi({
      default: 1,
      description: `The page of the values of each dimension, with ${MAX_VALUES_PER_DIMENSION} on each.`,
    }),
};

const bots = z
  .enum(["exclude", "include", "only"])
  .optional()
  .openapi({ default: "exclude", description: "Whether clicks of crawlers are listed." });

const records = {
  ...pageQuery,
  bots,
  format: z.enum(["json", "csv"]).optional().openapi({
    description:
      "`csv` returns all clicks of the period, one file at a time for an account. By default, the format that the Accept header prefers, or `json`.",
  }),
};

export const linkClicksQuery = z.strictObject({ ...period, ...totals, ...filters });
export const clicksQuery = z.strictObject({ ...period, ...totals, ...selection, ...filters });
export const linkRecordsQuery = z.strictObject({ ...records, ...period, ...filters });
export const liveClicksQuery = z.strictObject({ ...selection, ...filters });
export const recordsQuery = z.strictObject({ ...records, ...period, ...selection, ...filters });

/** The clicks of a file, in JSON. */
export const fileQuery = {
  ...period,
  start: StartTimeInput.optional().openapi({ description: START }),
  end: EndTimeInput.optional().openapi({ description: END }),
  bots,
  ...selection,
  ...filters,
};

/** Of one link or of all; a query for one link has no selection. */
export type ClicksQuery = z.infer<typeof clicksQuery>;
export type RecordsQuery = z.infer<typeof recordsQuery>;
export type LiveClicksQuery = z.infer<typeof liveClicksQuery>;
export type FileQuery = Pick<RecordsQuery, keyof typeof fileQuery>;
export type FilterQuery = Pick<ClicksQuery, keyof typeof filters>;
export type SelectionQuery = Pick<ClicksQuery, keyof typeof selection>;
