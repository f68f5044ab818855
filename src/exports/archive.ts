import { constants, crc32, deflateRawSync } from "node:zlib";
import * as store from "./store/files.ts";
import { concat, directoryEnd, directoryEntry, LAST_BLOCK, localHeader } from "./zip.ts";
import { MAX_EXPORT_ENTRY_BYTES } from "./limits.ts";

// A ZIP file of tables, which grow in turns.

/** A text that is to be appended to the file of a source. */
export interface Append {
  source: string;
  format: "jsonl" | "csv" | "json";
  text: string;
  /** The beginning of each file of the source. */
  header: string;
}

/**
 * Appends texts to the files of an export, within a transaction. Each text is compressed by itself and ends at a byte, so
 * a file goes on after a restart, and nothing but the compressed text is in memory.
 */
export function appendTexts(sql: SqlStorage, exportId: string, appends: readonly Append[]): void {
  const entries = store.listEntries(sql, exportId);
  for (const append of appends) {
    const last = entries.findLast(({ source, format }) => source === append.source && format === append.format);
    const isFull = last !== undefined && last.size >= MAX_EXPORT_ENTRY_BYTES;
    const entry = last === undefined || isFull ? addEntry(sql, exportId, entries, append, last) : last;
    const text = entry === last ? append.text : append.header + append.text;
    if (text !== "") appendText(sql, exportId, entry, text);
  }
}

function addEntry(
  sql: SqlStorage,
  exportId: string,
  entries: store.StoredEntry[],
  { source, format }: Append,
  last: store.StoredEntry | undefined,
): store.StoredEntry {
  const [entry, part] = [(entries.at(-1)?.entry ?? 0) + 1, (last?.part ?? 0) + 1];
  const added = { entry, source, format, part, crc: 0, size: 0, packedSize: 0, pieces: 0 };
  store.insertEntry(sql, exportId, added);
  entries.push(added);
  return added;
}

function appendText(sql: SqlStorage, exportId: string, entry: store.StoredEntry, text: string): void {
  const bytes = new TextEncoder().encode(text);
  const packed = deflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH });
  const totals = { crc: crc32(bytes, entry.crc), size: entry.size + bytes.byteLength };
  store.appendBytes(sql, exportId, entry, packed, totals);
}

/** Writes the headers and the directory of the file, within a transaction, and returns its size in bytes. */
export function finishArchive(sql: SqlStorage, exportId: string, modifiedAt: number): number {
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const entry of store.listEntries(sql, exportId)) {
    store.insertPiece(sql, exportId, entry.entry, entry.pieces + 1, LAST_BLOCK);
    const { crc, size } = entry;
    const packedSize = entry.packedSize + LAST_BLOCK.byteLength;
    const described = { name: nameOf(entry), crc, size, packedSize, modifiedAt };
    const header = localHeader(described);
    store.insertPiece(sql, exportId, entry.entry, 0, header);
    directory.push(directoryEntry(described, offset));
    offset += header.byteLength + packedSize;
  }
  const list = concat(directory);
  const end = concat([list, directoryEnd(directory.length, list.byteLength, offset)]);
  store.insertPiece(sql, exportId, directory.length + 1, 0, end);
  return offset + end.byteLength;
}

function nameOf({ source, format, part }: store.StoredEntry): string {
  return part === 1 ? `${source}.${format}` : `${source}-${part}.${format}`;
}
