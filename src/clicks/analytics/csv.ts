import { stringify } from "csv-stringify/sync";
import type { ClickRecord } from "./contract.ts";

const COLUMNS: Record<string, (click: ClickRecord) => string | null> = {
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
  trigger: (click) => click.trigger,
  bot: (click) => String(click.bot),
};
const READERS = Object.values(COLUMNS);

// Without the byte order mark Excel takes UTF-8 for the system's old encoding and garbles the cities; programs that
// would stumble over it have the JSON records.
const HEADER = `\u{FEFF}${Object.keys(COLUMNS).join(",")}\r\n`;

/**
 * The clicks as CSV (RFC 4180, UTF-8). A page is asked for when the reader wants more. An error of the pages is the
 * stream's: what was read until then must not be taken for the whole. A value that a spreadsheet would run as a
 * formula gets an apostrophe in front.
 */
export function toCsv(pages: AsyncIterable<readonly ClickRecord[]>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const iterator = pages[Symbol.asyncIterator]();
  let header = HEADER;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const page = await nextPage(iterator);
        const text = header + (page === null ? "" : toLines(page));
        header = "";
        if (text !== "") controller.enqueue(encoder.encode(text));
        if (page === null) controller.close();
      },
      async cancel() {
        await iterator.return?.();
      },
    },
    // Nothing is read ahead.
    { highWaterMark: 0 },
  );
}

/** The next page that holds anything. */
async function nextPage(iterator: AsyncIterator<readonly ClickRecord[]>): Promise<readonly ClickRecord[] | null> {
  for (;;) {
    const { done, value } = await iterator.next();
    if (done === true) return null;
    if (value.length > 0) return value;
  }
}

function toLines(page: readonly ClickRecord[]): string {
  const rows = page.map((click) => READERS.map((read) => read(click)));
  return stringify(rows, { record_delimiter: "\r\n", quote_record_delimiter: true, escape_formulas: true });
}
