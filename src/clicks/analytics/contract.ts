import { createRoute, z } from "@hono/zod-openapi";
import { json } from "../../http/contract.ts";
import { NextCursor, pageQuery } from "../../http/pagination.ts";
import { queryTime } from "../../http/query.ts";
import { EndTimeInput, lineOfText, StartTimeInput, Timestamp } from "../../http/validation.ts";
import { Id, idParams } from "../../http/id.ts";
import { MAX_DIMENSION_CHARS, MAX_TIME_ZONE_CHARS, MAX_VALUES_PER_DIMENSION } from "../../limits.ts";
import { DEVICES } from "../../visitor/client.ts";
import { INTERVALS } from "./period.ts";
import { isTimeZone } from "./time-zone.ts";

// Responses

const device = z.enum(DEVICES).openapi({ description: "The kind of device." });
const trigger = z
  .enum(["link", "qr"])
  .openapi({ description: "Whether the link was followed or its QR code was scanned." });

/** An example of a {@link ClickRecord}. */
export const CLICK_EXAMPLE = {
  id: "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f",
  linkId: "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f",
  clickedAt: 1_790_000_000_000,
  geo: { country: "DE", region: "DE-BE", city: "Berlin", continent: "EU" },
  device: "mobile",
  browser: "Safari",
  os: "iOS",
  referrer: "news.example",
  trigger: "link",
  bot: false,
} as const;

export const ClickRecord = z
  .object({
    id: Id,
    linkId: Id.openapi({ description: "The id of the link." }),
    clickedAt: Timestamp.openapi({ description: "When the link was clicked, in Unix milliseconds." }),
    geo: z
      .object({
        country: z.string().nullable().openapi({ description: "ISO 3166-1 alpha-2; null if unknown." }),
        region: z.string().nullable().openapi({ description: "ISO 3166-2; null if unknown." }),
        city: z.string().nullable().openapi({ description: "The name in English; null if unknown." }),
        continent: z.string().nullable().openapi({ description: "AF, AN, AS, EU, NA, OC or SA; null if unknown." }),
      })
      .openapi({ description: "Where the visitor was." }),
    device,
    browser: z.string().openapi({ description: "The name of the browser." }),
    os: z.string().openapi({ description: "The name of the operating system." }),
    referrer: z.string().nullable().openapi({ description: "A host; null if there was no referrer." }),
    trigger,
    bot: z.boolean().openapi({ description: "A crawler, a link preview or a monitor." }),
  })
  .openapi("ClickRecord", {
    description: "A single click.",
    example: CLICK_EXAMPLE,
  });

const Counts = z
  .array(
    z.object({
      value: z.string().openapi({ description: "The value, or `unknown`; for referrers `direct`." }),
      clicks: z.number().int().openapi({ description: "Clicks with this value." }),
    }),
  )
  .openapi({ description: `The ${MAX_VALUES_PER_DIMENSION} most frequent values, the most frequent first.` });

const Bucket = z.object({
  start: Timestamp.openapi({ description: "The start of the bucket, in Unix milliseconds." }),
  clicks: z.number().int().openapi({ description: "Clicks in the bucket." }),
  unique: z.number().int().openapi({ description: "Unique clicks in the bucket." }),
});

const Clicks = z
  .object({
    total: z.number().int().openapi({ description: "Without crawlers." }),
    unique: z.number().int().openapi({ description: "Each visitor's first click of a UTC day on a link." }),
    bots: z.number().int().openapi({ description: "Clicks of crawlers. No other number includes them." }),
    start: Timestamp.openapi({ description: "The start of the period, in Unix milliseconds." }),
    end: Timestamp.openapi({ description: "The end of the period, exclusive, in Unix milliseconds." }),
    bucket: z.enum(["hour", "day", "month"]).openapi({ description: "The length of a bucket of `timeseries`." }),
    timeseries: z.array(Bucket).openapi({
      description: "Every bucket of the period in the requested time zone, including those without clicks.",
    }),
    countries: Counts,
    regions: Counts,
    cities: Counts,
    continents: Counts,
    devices: Counts,
    browsers: Counts,
    os: Counts,
    referrers: Counts,
    triggers: Counts,
    recent: z.array(ClickRecord).openapi({ description: "The newest clicks." }),
  })
  .openapi("Clicks", {
    description: "Totals of the clicks of a period.",
    example: {
      total: 1,
      unique: 1,
      bots: 0,
      start: 1_789_999_200_000,
      end: 1_790_002_800_000,
      bucket: "hour",
      timeseries: [{ start: 1_789_999_200_000, clicks: 1, unique: 1 }],
      countries: [{ value: "DE", clicks: 1 }],
      regions: [{ value: "DE-BE", clicks: 1 }],
      cities: [{ value: "Berlin", clicks: 1 }],
      continents: [{ value: "EU", clicks: 1 }],
      devices: [{ value: "mobile", clicks: 1 }],
      browsers: [{ value: "Safari", clicks: 1 }],
      os: [{ value: "iOS", clicks: 1 }],
      referrers: [{ value: "news.example", clicks: 1 }],
      triggers: [{ value: "link", clicks: 1 }],
      recent: [CLICK_EXAMPLE],
    },
  });
export type Clicks = z.infer<typeof Clicks>;

// Queries

const value = lineOfText(MAX_DIMENSION_CHARS).optional();

const filters = {
  country: value.openapi({ description: "ISO 3166-1 alpha-2, or `unknown`.", example: "DE" }),
  region: value.openapi({ description: "ISO 3166-2, or `unknown`.", example: "DE-BE" }),
  city: value.openapi({ description: "The name in English, or `unknown`.", example: "Berlin" }),
  continent: value.openapi({ description: "AF, AN, AS, EU, NA, OC, SA, or `unknown`." }),
  device: device.optional(),
  browser: value.openapi({ description: "A name as responses have it.", example: "Safari" }),
  os: value.openapi({ description: "A name as responses have it.", example: "iOS" }),
  referrer: value.openapi({ description: "A host, or `direct`.", example: "news.example" }),
  trigger: trigger.optional(),
};

const period = {
  interval: z
    .enum(INTERVALS)
    .optional()
    .openapi({ default: "30d", description: "The period, which ends with the current hour, day or month." }),
  start: queryTime(StartTimeInput).optional().openapi({
    description:
      "Instead of `interval`. Unix milliseconds, ISO 8601 with Z or an offset, or a day in UTC, which is its beginning.",
  }),
  end: queryTime(EndTimeInput)
    .optional()
    .openapi({ description: "Exclusive; now by default. A day in UTC is included." }),
  timezone: z
    .string()
    .refine(isTimeZone, "must be the name of an IANA time zone, such as Europe/Berlin")
    .optional()
    .openapi({
      default: "UTC",
      maxLength: MAX_TIME_ZONE_CHARS,
      description: "The IANA time zone of hours, days and months.",
      example: "Europe/Berlin",
    }),
};

const clicksQuery = z.strictObject({ ...period, ...filters });
export type ClicksQuery = z.infer<typeof clicksQuery>;

const recordsQuery = z.strictObject({
  ...pageQuery,
  ...period,
  ...filters,
  bots: z
    .enum(["exclude", "include", "only"])
    .optional()
    .openapi({ default: "exclude", description: "Whether clicks of crawlers are listed." }),
  format: z.enum(["json", "csv"]).optional().openapi({
    description:
      "`csv` returns all clicks of the period, one file at a time for an account. By default, the format that the Accept header prefers, or `json`.",
  }),
});
export type RecordsQuery = z.infer<typeof recordsQuery>;

const params = idParams("link");
const analytics = { 200: json(z.object({ clicks: Clicks }), "The totals of the period.") };
const records = {
  200: {
    description: "Single clicks: as JSON newest first, as CSV the newest day first. They are kept for 90 days.",
    headers: {
      "Content-Disposition": { description: "The name of the file, for CSV.", schema: { type: "string" as const } },
    },
    content: {
      "application/json": {
        schema: z.object({
          records: z.array(ClickRecord).openapi({ description: "The clicks of the page." }),
          nextCursor: NextCursor,
        }),
      },
      "text/csv": { schema: z.string() },
    },
  },
};

// Routes (4.2)

export const getLinkClicks = createRoute({
  method: "get",
  path: "/api/links/{id}/clicks",
  tags: ["Clicks"],
  summary: "Get link clicks",
  request: { params, query: clicksQuery },
  responses: analytics,
});

export const getClicks = createRoute({
  method: "get",
  path: "/api/clicks",
  tags: ["Clicks"],
  summary: "Get clicks",
  request: { query: clicksQuery },
  responses: analytics,
});

export const listLinkClicks = createRoute({
  method: "get",
  path: "/api/links/{id}/clicks/records",
  tags: ["Clicks"],
  summary: "List link clicks",
  request: { params, query: recordsQuery },
  responses: records,
});

export const listClicks = createRoute({
  method: "get",
  path: "/api/clicks/records",
  tags: ["Clicks"],
  summary: "List clicks",
  request: { query: recordsQuery },
  responses: records,
});
