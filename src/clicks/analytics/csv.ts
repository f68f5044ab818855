import { streamCsv, type CsvColumns } from "../../lib/csv.ts";
import type { ClickRecord } from "../click-record.ts";

export const CLICK_COLUMNS: CsvColumns<ClickRecord> = {
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
};

/** A CSV file of clicks. */
export function toCsv(pages: AsyncIterable<readonly ClickRecord[]>): ReadableStream<Uint8Array> {
  return streamCsv(CLICK_COLUMNS, pages);
}
