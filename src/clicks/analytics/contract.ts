import { createRoute, z } from "@hono/zod-openapi";
import { json, operation } from "../../platform/http/contract.ts";
import { CSV_HEADERS } from "../../platform/http/csv.ts";
import { Id, idParams } from "../../platform/http/id.ts";
import { NextCursor } from "../../platform/http/pagination.ts";
import { Timestamp } from "../../platform/http/validation.ts";
import { MAX_VALUES_PER_DIMENSION } from "../../limits.ts";
import { BUCKETS } from "./period.ts";
import { clicksQuery, linkClicksQuery, linkRecordsQuery, recordsQuery } from "./query-contract.ts";
import { CLICK_EXAMPLE, ClickRecord } from "./record-contract.ts";

// Responses

const Counts = z
  .array(
    z.object({
      value: z.string().openapi({
        description: "The value, or `unknown`; for referrers and sources `direct`, for UTM values `none`.",
      }),
      clicks: z.number().int().openapi({ description: "Clicks with this value." }),
    }),
  )
  .openapi("ClickCounts", {
    description: `The ${MAX_VALUES_PER_DIMENSION} most frequent values, or those of the \`page\`, the most frequent first.`,
    example: [{ value: "DE", clicks: 1 }],
  });

export const LinkCount = z.object({
  value: Id.openapi({ description: "The id of the link." }),
  clicks: z.number().int().openapi({ description: "Clicks of the link." }),
  shortUrl: z
    .string()
    .nullable()
    .openapi({ format: "uri", description: "Its short URL; null if the link is deleted." }),
});

const LinkCounts = z
  .array(LinkCount)
  .optional()
  .openapi({ description: "The links with the most clicks, paged like the values. Only for several links." });

const Timeseries = z
  .array(
    z.object({
      start: Timestamp.openapi({ description: "The start of the bucket, in Unix milliseconds." }),
      clicks: z.number().int().openapi({ description: "Clicks in the bucket." }),
      unique: z.number().int().openapi({ description: "Visitors whose first click that matches is in the bucket." }),
    }),
  )
  .openapi("ClickTimeseries", {
    description: "Every bucket of the period in the requested time zone, including those without clicks.",
    example: [{ start: 1_789_999_200_000, clicks: 1, unique: 1 }],
  });

/** A list of values for each dimension, as `others` counts what they leave out. */
const dimensions = {
  countries: Counts,
  regions: Counts,
  cities: Counts,
  continents: Counts,
  devices: Counts,
  browsers: Counts,
  os: Counts,
  referrers: Counts,
  sources: Counts,
  triggers: Counts,
  targets: Counts.openapi({
    description:
      "`default` for the link's own `url`, `ios`, `android`, `country` for the targets of `geo`, or the id of a rule.",
  }),
  utmSources: Counts,
  utmMediums: Counts,
  utmCampaigns: Counts,
  utmTerms: Counts,
  utmContents: Counts,
};

const NO_OTHERS = Object.fromEntries(Object.keys(dimensions).map((name) => [name, 0])) as Record<
  keyof typeof dimensions,
  number
>;

const other = z.number().int().openapi({ description: "Clicks with other values." });
const others = {
  ...(Object.fromEntries(Object.keys(dimensions).map((name) => [name, other])) as Record<
    keyof typeof dimensions,
    typeof other
  >),
  links: other.optional(),
};

const Others = z.object(others).openapi("OtherClicks", {
  description: "For each list, the clicks with less frequent values than those that it has.",
  example: NO_OTHERS,
});

const Previous = z
  .object({
    total: z.number().int().openapi({ description: "As that of the period." }),
    unique: z.number().int().openapi({ description: "As that of the period." }),
    bots: z.number().int().openapi({ description: "As that of the period." }),
    start: Timestamp.openapi({ description: "The start of this period." }),
    end: Timestamp.openapi({ description: "Its end, exclusive." }),
    timeseries: Timeseries,
  })
  .openapi("PreviousClicks", {
    description: "The period that `compare` asks for.",
    example: {
      total: 0,
      unique: 0,
      bots: 0,
      start: 1_789_995_600_000,
      end: 1_789_999_200_000,
      timeseries: [{ start: 1_789_995_600_000, clicks: 0, unique: 0 }],
    },
  });

const from = (meaning: string) => Timestamp.nullable().openapi({ description: meaning });

const NOTHING_ROLLED_UP = { clicks: null, quarterHours: null };

const DetailFrom = z
  .object({
    clicks: from("Records, and exact visitors of filters. Older clicks are counted by quarter hours."),
    quarterHours: from(
      "Quarter hours and values, such as countries. Older clicks are counted by UTC days, and are in `others`; no filter finds them.",
    ),
  })
  .openapi("DetailFrom", {
    description: "From when on each detail is stored, in Unix milliseconds; null: of all clicks.",
    example: NOTHING_ROLLED_UP,
  });

/** The totals of a period, without single clicks. */
export const clickSums = {
  total: z.number().int().openapi({ description: "Without crawlers." }),
  unique: z
    .number()
    .int()
    .openapi({ description: "Visitors, each once for a UTC day and a link, of the clicks that match." }),
  bots: z.number().int().openapi({ description: "Clicks of crawlers. No other number includes them." }),
  start: Timestamp.openapi({ description: "The start of the period, in Unix milliseconds." }),
  end: Timestamp.openapi({ description: "The end of the period, exclusive, in Unix milliseconds." }),
  bucket: z.enum(BUCKETS).openapi({ description: "The length of a bucket of `timeseries`." }),
  detailFrom: DetailFrom,
  timeseries: Timeseries,
  weekHours: z.array(z.array(z.number().int())).optional().openapi({
    description:
      "With `weekHours`: for each weekday from Monday on, the clicks of its 24 hours in the requested time zone, as far as quarter hours are stored.",
  }),
  ...dimensions,
  links: LinkCounts,
  others: Others,
  previous: Previous.optional(),
};

export const SUMS_EXAMPLE = {
  total: 1,
  unique: 1,
  bots: 0,
  start: 1_789_999_200_000,
  end: 1_790_002_800_000,
  bucket: "hour",
  detailFrom: NOTHING_ROLLED_UP,
  timeseries: [{ start: 1_789_999_200_000, clicks: 1, unique: 1 }],
  countries: [{ value: "DE", clicks: 1 }],
  regions: [{ value: "DE-BE", clicks: 1 }],
  cities: [{ value: "Berlin", clicks: 1 }],
  continents: [{ value: "EU", clicks: 1 }],
  devices: [{ value: "mobile", clicks: 1 }],
  browsers: [{ value: "Safari", clicks: 1 }],
  os: [{ value: "iOS", clicks: 1 }],
  referrers: [{ value: "www.news.example", clicks: 1 }],
  sources: [{ value: "news.example", clicks: 1 }],
  triggers: [{ value: "link", clicks: 1 }],
  targets: [{ value: "default", clicks: 1 }],
  utmSources: [{ value: "newsletter", clicks: 1 }],
  utmMediums: [{ value: "none", clicks: 1 }],
  utmCampaigns: [{ value: "none", clicks: 1 }],
  utmTerms: [{ value: "none", clicks: 1 }],
  utmContents: [{ value: "none", clicks: 1 }],
  others: NO_OTHERS,
};

const Clicks = z
  .object({
    ...clickSums,
    importedClicks: z.number().int().optional().openapi({
      description:
        "The clicks that another service counted before the link was imported, of no period and in no other number. Only for one link that has some.",
    }),
    recent: z.array(ClickRecord).openapi({ description: "The newest clicks." }),
  })
  .openapi("Clicks", {
    description: "Totals of the clicks of a period.",
    example: { ...SUMS_EXAMPLE, recent: [CLICK_EXAMPLE] },
  });
export type Clicks = z.infer<typeof Clicks>;

const params = idParams("link");
const analytics = { 200: json(z.object({ clicks: Clicks }), "The totals of the period.") };
const records = {
  200: {
    description:
      "Single clicks: as JSON newest first, as CSV the newest day first. They are kept for 90 days, or as `detailFrom` says.",
    headers: CSV_HEADERS,
    content: {
      "application/json": {
        schema: z.object({
          records: z.array(ClickRecord).openapi({ description: "The clicks of the page." }),
          nextCursor: NextCursor,
          detailFrom: DetailFrom,
        }),
      },
      "text/csv": { schema: z.string() },
    },
  },
};

// Routes

export const getLinkClicks = createRoute({
  ...operation("get", "/api/links/{id}/clicks", "Clicks", "Get link clicks"),
  request: { params, query: linkClicksQuery },
  responses: analytics,
});

export const getClicks = createRoute({
  ...operation("get", "/api/clicks", "Clicks", "Get clicks"),
  request: { query: clicksQuery },
  responses: analytics,
});

export const listLinkClicks = createRoute({
  ...operation("get", "/api/links/{id}/clicks/records", "Clicks", "List link clicks"),
  request: { params, query: linkRecordsQuery },
  responses: records,
});

export const listClicks = createRoute({
  ...operation("get", "/api/clicks/records", "Clicks", "List clicks"),
  request: { query: recordsQuery },
  responses: records,
});
