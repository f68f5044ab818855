import { csvHeader, csvLines, type CsvColumns } from "../../lib/csv.ts";
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

/**
 * Writes clicks as CSV (RFC 4180, UTF-8). It reads a page when the consumer of the stream wants more. If reading a page
 * fails, the stream fails too, so an incomplete file is not mistaken for a complete one.
 */
export function toCsv(pages: AsyncIterable<readonly ClickRecord[]>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const iterator = pages[Symbol.asyncIterator]();
  let header = csvHeader(CLICK_COLUMNS);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const page = await nextPage(iterator);
        const text = header + (page === null ? "" : csvLines(CLICK_COLUMNS, page));
        header = "";
        if (text !== "") controller.enqueue(encoder.encode(text));
        if (page === null) controller.close();
      },
      async cancel() {
        await iterator.return?.();
      },
    },
    // No page is read ahead.
    { highWaterMark: 0 },
  );
}

/** The next page that is not empty. */
async function nextPage(iterator: AsyncIterator<readonly ClickRecord[]>): Promise<readonly ClickRecord[] | null> {
  for (;;) {
    const { done, value } = await iterator.next();
    if (done === true) return null;
    if (value.length > 0) return value;
  }
}
