import { concatenate } from "../../platform/lib/concatenate.ts";
import { constants, crc32, deflateRawSync } from "node:zlib";
import type { FileWriter, Section } from "./file-writer.ts";
import { directoryEnd, directoryEntry, LAST_BLOCK, localHeader } from "./zip.ts";
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
 * Appends texts to the files of an archive. Each text is compressed by itself and ends at a byte, so a file goes on after a
 * restart, and nothing but the compressed text is in memory.
 */
export function appendTexts(file: FileWriter, appends: readonly Append[]): void {
  for (const append of appends) {
    const { source, format } = append;
    const last = file.sections.findLast((section) => section.source === source && section.format === format);
    const isFull = last !== undefined && last.size >= MAX_EXPORT_ENTRY_BYTES;
    const section =
      last === undefined || isFull
        ? file.add({ number: file.sections.length + 1, source, format, part: (last?.part ?? 0) + 1 })
        : last;
    const text = section === last ? append.text : append.header + append.text;
    if (text !== "") appendText(file, section, text);
  }
}

function appendText(file: FileWriter, section: Section, text: string): void {
  const bytes = new TextEncoder().encode(text);
  const packed = deflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH });
  file.append(section, packed, { crc: crc32(bytes, section.crc), size: section.size + bytes.byteLength });
}

/** Writes the headers and the directory of the file, and returns its size in bytes. */
export function finishArchive(file: FileWriter, modifiedAt: number): number {
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const section of file.sections) {
    file.append(section, LAST_BLOCK, section);
    const entry = { ...section, name: nameOf(section), modifiedAt };
    const header = localHeader(entry);
    file.writeHeader(section.number, header);
    directory.push(directoryEntry(entry, offset));
    offset += header.byteLength + section.packedSize;
  }
  const list = concatenate(directory);
  const end = concatenate([list, directoryEnd(directory.length, list.byteLength, offset)]);
  file.writeHeader(directory.length + 1, end);
  return offset + end.byteLength;
}

function nameOf({ source, format, part }: Section): string {
  return part === 1 ? `${source}.${format}` : `${source}-${part}.${format}`;
}
