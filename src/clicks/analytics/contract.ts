import { createRoute, z } from "@hono/zod-openapi";
import { json } from "../../http/contract.ts";
import { NextCursor, pageQuery } from "../../http/pagination.ts";
import { lineOfText, Timestamp, TimestampInput } from "../../http/validation.ts";
import { Id, idParams } from "../../http/id.ts";
import { MAX_DIMENSION_CHARS, MAX_VALUES_PER_DIMENSION } from "../../limits.ts";
import { DEVICES } from "../../visitor/client.ts";
import { INTERVALS } from "./period.ts";
import { isTimeZone } from "./time-zone.ts";

// Responses

const device = z.enum(DEVICES);
const trigger = z.enum(["link", "qr"]);

const ClickRecord = z
  .object({
    id: Id,
    linkId: Id,
    clickedAt: Timestamp,
    geo: z.object({
      country: z.string().nullable().openapi({ description: "ISO 3166-1 alpha-2" }),
      region: z.string().nullable().openapi({ description: "ISO 3166-2" }),
      city: z.string().nullable(),
      continent: z.string().nullable(),
    }),
    device,
    browser: z.string(),
    os: z.string(),
    referrer: z.string().nullable().openapi({ description: "A host; null if there was no referrer." }),
    trigger,
    bot: z.boolean().openapi({ description: "A crawler, a link preview or a monitor." }),
  })
  .openapi("ClickRecord", {
    example: {
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
    },
  });

const Counts = z
  .array(z.object({ value: z.string(), clicks: z.number().int() }))
  .openapi({ description: `The ${MAX_VALUES_PER_DIMENSION} most frequent values, the most frequent first.` });

const Clicks = z
  .object({
    total: z.number().int().openapi({ description: "Without crawlers." }),
    unique: z.number().int().openapi({ description: "Each visitor's first click of a UTC day on a link." }),
    bots: z.number().int().openapi({ description: "Clicks of crawlers. No other number includes them." }),
    start: Timestamp,
    end: Timestamp.openapi({ description: "Exclusive." }),
    bucket: z.enum(["hour", "day", "month"]),
    timeseries: z.array(z.object({ start: Timestamp, clicks: z.number().int(), unique: z.number().int() })).openapi({
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
  .openapi("Clicks");
export type Clicks = z.infer<typeof Clicks>;

// Queries

const value = lineOfText(MAX_DIMENSION_CHARS).optional();

const filters = {
  country: value.openapi({ description: "ISO 3166-1 alpha-2, or `unknown`.", example: "DE" }),
  region: value.openapi({ description: "ISO 3166-2, or `unknown`.", example: "DE-BE" }),
  city: value,
  continent: value.openapi({ description: "AF, AN, AS, EU, NA, OC, SA, or `unknown`." }),
  device: device.optional(),
  browser: value,
  os: value,
  referrer: value.openapi({ description: "A host, or `direct`.", example: "news.example" }),
  trigger: trigger.optional(),
};

const QueryTime = z
  .string()
  .transform((text) => (/^\d{1,16}$/.test(text) ? Number(text) : text))
  .pipe(TimestampInput)
  .optional();

const period = {
  interval: z.enum(INTERVALS).optional().openapi({ description: "`30d` by default." }),
  start: QueryTime.openapi({
    description: "Instead of `interval`. Unix milliseconds, or ISO 8601 with Z or an offset.",
  }),
  end: QueryTime.openapi({ description: "Exclusive; now by default." }),
  timezone: z
    .string()
    .refine(isTimeZone, "must be the name of an IANA time zone, such as Europe/Berlin")
    .optional()
    .openapi({ description: "The time zone of days and months; `UTC` by default.", example: "Europe/Berlin" }),
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
    .openapi({ description: "Whether clicks of crawlers are listed; `exclude` by default." }),
  format: z.enum(["json", "csv"]).optional().openapi({
    description: "`csv` returns all clicks of the period at once.",
  }),
});
export type RecordsQuery = z.infer<typeof recordsQuery>;

const params = idParams("link");
const analytics = { 200: json(z.object({ clicks: Clicks }), "The totals of the period.") };
const records = {
  200: {
    description: "Single clicks, newest first. They are kept for 90 days.",
    content: {
      "application/json": { schema: z.object({ records: z.array(ClickRecord), nextCursor: NextCursor }) },
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
