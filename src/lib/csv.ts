import { stringify } from "csv-stringify/sync";

/** The columns of a file by name, each with its value in a record. null: empty. */
export type CsvColumns<T> = Record<string, (record: T) => string | null>;

/** The first line. Without a byte order mark, Excel reads UTF-8 as the system's legacy encoding. */
export function csvHeader<T>(columns: CsvColumns<T>): string {
  return `\u{FEFF}${Object.keys(columns).join(",")}\r\n`;
}

/**
 * Lines of CSV (RFC 4180). A value that a spreadsheet would run as a formula gets an apostrophe in front, and so does one that
 * begins with an apostrophe: who reads the file removes one apostrophe from the front of each value that has one.
 */
export function csvLines<T>(columns: CsvColumns<T>, records: readonly T[]): string {
  const readers = Object.values(columns);
  const rows = records.map((record) => readers.map((read) => escapeFormula(read(record))));
  return stringify(rows, { record_delimiter: "\r\n", quote_record_delimiter: true });
}

/** What a formula begins with (OWASP, CSV injection): also in full width, and after characters that a spreadsheet skips. */
const ESCAPED = /^['=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

function escapeFormula(value: string | null): string | null {
  return value !== null && ESCAPED.test(value) ? `'${value}` : value;
}
