import { stringify } from "csv-stringify/sync";

/** The columns of a file by name, each with its value in a record. null: empty. */
export type CsvColumns<T> = Record<string, (record: T) => string | null>;

/** The first line. Without a byte order mark, Excel reads UTF-8 as the system's legacy encoding. */
export function csvHeader<T>(columns: CsvColumns<T>): string {
  return `\u{FEFF}${Object.keys(columns).join(",")}\r\n`;
}

/** Lines of CSV (RFC 4180). A value that a spreadsheet would run as a formula gets an apostrophe in front. */
export function csvLines<T>(columns: CsvColumns<T>, records: readonly T[]): string {
  const readers = Object.values(columns);
  const rows = records.map((record) => readers.map((read) => read(record)));
  return stringify(rows, { record_delimiter: "\r\n", quote_record_delimiter: true, escape_formulas: true });
}
