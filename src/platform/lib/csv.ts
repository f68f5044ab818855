import { csvCell } from "./csv-cell.ts";

/** The columns of a file by name, each with its value in a record. null: empty. */
export type CsvColumns<T> = Record<string, (record: T) => string | null>;

/** The first line. Without a byte order mark, Excel reads UTF-8 as the system's legacy encoding. */
export function csvHeader<T>(columns: CsvColumns<T>): string {
  return `\u{FEFF}${Object.keys(columns).join(",")}\r\n`;
}

/** Lines of CSV. */
export function csvLines<T>(columns: CsvColumns<T>, records: readonly T[]): string {
  const readers = Object.values(columns);
  let lines = "";
  for (const record of records) {
    let separator = "";
    for (const read of readers) {
      const value = read(record);
      lines += value === null ? separator : separator + csvCell(value);
      separator = ",";
    }
    lines += "\r\n";
  }
  return lines;
}

/**
 * Writes pages of records as a CSV file in UTF-8. It reads a page when the consumer of the stream wants more. If reading a
 * page fails, the stream fails too, so an incomplete file is not mistaken for a complete one.
 */
export function streamCsv<T>(
  columns: CsvColumns<T>,
  pages: AsyncIterable<readonly T[]>,
  firstLine = csvHeader(columns),
): ReadableStream<Uint8Array> {
  return streamText(pages, (page) => csvLines(columns, page), firstLine);
}

/** Like {@link streamCsv}, for pages that `textOf` writes. */
export function streamText<T>(
  pages: AsyncIterable<readonly T[]>,
  textOf: (page: readonly T[]) => string,
  firstLine: string,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const iterator = pages[Symbol.asyncIterator]();
  let header = firstLine;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const page = await nextPage(iterator);
        const text = header + (page === null ? "" : textOf(page));
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
async function nextPage<T>(iterator: AsyncIterator<readonly T[]>): Promise<readonly T[] | null> {
  for (;;) {
    const { done, value } = await iterator.next();
    if (done === true) return null;
    if (value.length > 0) return value;
  }
}
