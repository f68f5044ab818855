import { streamCsv, type CsvColumns } from "../../platform/lib/csv.ts";
import type { ClickRecord } from "../../click-log/click-record.ts";
import type { FileClick } from "./file-click.ts";
import { localTimeFormat } from "./local-time.ts";

/** The columns of a click in an export of the account, which has its links in another file. */
export const CLICK_COLUMNS = {
  id: (click) => click.id,
  linkId: (click) => click.linkId,
  clickedAt: (click) => new Date(click.clickedAt).toISOString(),
  country: (click) => click.geo.country,
  region: (click) => click.geo.region,
  city: (click) => click.geo.city,
  continent: (click) => click.geo.continent,
  device: (click) => click.device,
  browser: (click) => click.browser,
  os: (click) => click.os,
  referrer: (click) => click.referrer,
  source: (click) => click.source,
  trigger: (click) => click.trigger,
  target: (click) => click.target.kind,
  ruleId: (click) => click.target.ruleId,
  targetUrl: (click) => click.target.url,
  utmSource: (click) => click.utm.source,
  utmMedium: (click) => click.utm.medium,
  utmCampaign: (click) => click.utm.campaign,
  utmTerm: (click) => click.utm.term,
  utmContent: (click) => click.utm.content,
  bot: (click) => String(click.bot),
} satisfies CsvColumns<ClickRecord>;

/** The columns of a file of clicks, with times in the time zone. */
export function fileColumns(timezone = "UTC"): CsvColumns<FileClick> {
  const { id, linkId, ...others } = CLICK_COLUMNS;
  const format = localTimeFormat(timezone);
  return { id, linkId, shortUrl: (click) => click.shortUrl, ...others, clickedAt: (click) => format(click.clickedAt) };
}

/** A CSV file of clicks. */
export function toCsv(pages: AsyncIterable<readonly FileClick[]>, timezone?: string): ReadableStream<Uint8Array> {
  return streamCsv(fileColumns(timezone), pages);
}
