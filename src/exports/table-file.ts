import { constants, deflateRawSync } from "node:zlib";
import { csvHeader, csvLines } from "../lib/csv.ts";
import type { TableSource } from "./source.ts";
import { appendBytes, insertEntry, listEntries, type StoredEntry } from "./store/files.ts";
import { EXPORT_CHUNK_BYTES } from "./limits.ts";

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

/** Appends a page of records, within a transaction. */
export function appendRecords(
  sql: SqlStorage,
  exportId: string,
  { header, toText }: TableFormat,
  records: readonly object[],
): void {
  const entry = openEntry(sql, exportId, header);
  if (records.length === 0) return;
  const isFirst = entry.size === new TextEncoder().encode(header).byteLength;
  appendText(sql, exportId, entry, toText(records, isFirst));
}

/** Completes the file, within a transaction, and returns its size in bytes as it is downloaded. */
export function finishTable(sql: SqlStorage, exportId: string, { header, footer }: TableFormat): number {
  const entry = openEntry(sql, exportId, header);
  return entry.size + appendText(sql, exportId, entry, footer);
}

function openEntry(sql: SqlStorage, exportId: string, header: string): StoredEntry {
  const [opened] = listEntries(sql, exportId);
  if (opened !== undefined) return opened;
  const entry = { entry: 1, source: "", format: "", part: 1, crc: 0, size: 0, packedSize: 0, pieces: 0 };
  insertEntry(sql, exportId, entry);
  appendText(sql, exportId, entry, header);
  return openEntry(sql, exportId, header);
}

/** Returns the number of bytes. */
function appendText(sql: SqlStorage, exportId: string, entry: StoredEntry, text: string): number {
  const bytes = new TextEncoder().encode(text);
  let { size, pieces } = entry;
  for (let start = 0; start < bytes.byteLength; start += EXPORT_CHUNK_BYTES) {
    const chunk = bytes.subarray(start, start + EXPORT_CHUNK_BYTES);
    size += chunk.byteLength;
    const packed = deflateRawSync(chunk, { finishFlush: constants.Z_FINISH });
    appendBytes(sql, exportId, { ...entry, pieces }, packed, { crc: 0, size });
    pieces++;
  }
  return bytes.byteLength;
}
