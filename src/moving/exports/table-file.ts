import { constants, deflateRawSync } from "node:zlib";
import { csvHeader, csvLines } from "../../platform/lib/csv.ts";
import type { FileWriter, Section } from "./file-writer.ts";
import { EXPORT_CHUNK_BYTES } from "./limits.ts";
import type { TableSource } from "./source.ts";

// A file that is one table. Each of its pieces is compressed by itself, and a download unpacks them one by one.

/** How a table is written as text. */
export interface TableFormat {
  header: string;
  /** The texts of the records. `isFirst`: no records precede them. */
  toText: (records: readonly object[], isFirst: boolean) => string;
  footer: string;
}

export function csvTable({ columns }: TableSource<object>): TableFormat {
  return { header: csvHeader(columns), toText: (records) => csvLines(columns, records), footer: "" };
}

/** A JSON object with one member, the list of the records. Each record is a line of its own. */
export function jsonTable({ name }: TableSource<object>): TableFormat {
  return {
    header: `{${JSON.stringify(name)}:[\n`,
    toText: (records, isFirst) => (isFirst ? "" : ",\n") + records.map((record) => JSON.stringify(record)).join(",\n"),
    footer: "\n]}\n",
  };
}

/** Appends a page of records. */
export function appendRecords(file: FileWriter, { header, toText }: TableFormat, records: readonly object[]): void {
  const table = openTable(file, header);
  if (records.length === 0) return;
  const isFirst = table.size === new TextEncoder().encode(header).byteLength;
  appendText(file, table, toText(records, isFirst));
}

/** Completes the file, and returns its size in bytes as it is downloaded. */
export function finishTable(file: FileWriter, { header, footer }: TableFormat): number {
  const table = openTable(file, header);
  appendText(file, table, footer);
  return table.size;
}

function openTable(file: FileWriter, header: string): Section {
  const table = file.open(1);
  if (table.size === 0) appendText(file, table, header);
  return table;
}

function appendText(file: FileWriter, table: Section, text: string): void {
  const bytes = new TextEncoder().encode(text);
  for (let start = 0; start < bytes.byteLength; start += EXPORT_CHUNK_BYTES) {
    const chunk = bytes.subarray(start, start + EXPORT_CHUNK_BYTES);
    const packed = deflateRawSync(chunk, { finishFlush: constants.Z_FINISH });
    file.append(table, packed, { crc: 0, size: table.size + chunk.byteLength });
  }
}
