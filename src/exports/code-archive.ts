import { constants, crc32, deflateRawSync } from "node:zlib";
import type { NamedImage } from "./code-source.ts";
import * as store from "./store/files.ts";
import { concat, directoryEnd, directoryEntry, localHeader } from "./zip.ts";

// A ZIP file of images. The images of a page are stored together, and apart from them the part of the directory with them.

const [IMAGES, DIRECTORY] = [1, 2];

/** Appends a page of images, within a transaction. */
export function appendImages(
  sql: SqlStorage,
  exportId: string,
  images: readonly NamedImage[],
  modifiedAt: number,
): void {
  const stored = openEntry(sql, exportId, IMAGES);
  const [files, list]: [Uint8Array[], Uint8Array[]] = [[], []];
  let offset = stored.packedSize;
  for (const { name: wanted, extension, bytes } of images) {
    const packed = deflateRawSync(bytes, { finishFlush: constants.Z_FINISH });
    const name = takeName(sql, exportId, wanted, extension);
    const sizes = { crc: crc32(bytes, 0), size: bytes.byteLength, packedSize: packed.byteLength };
    const entry = { name, modifiedAt, ...sizes };
    const header = localHeader(entry);
    files.push(header, packed);
    list.push(directoryEntry(entry, offset));
    offset += header.byteLength + packed.byteLength;
  }
  const totals = { crc: 0, size: 0 };
  store.appendBytes(sql, exportId, stored, concat(files), totals);
  store.appendBytes(sql, exportId, openEntry(sql, exportId, DIRECTORY), concat(list), totals);
}

/** Completes the file, within a transaction, and returns its size in bytes. */
export function finishImages(sql: SqlStorage, exportId: string): number {
  const [images, directory] = [openEntry(sql, exportId, IMAGES), openEntry(sql, exportId, DIRECTORY)];
  const end = directoryEnd(store.countNames(sql, exportId), directory.packedSize, images.packedSize);
  store.appendBytes(sql, exportId, directory, end, { crc: 0, size: 0 });
  return images.packedSize + directory.packedSize + end.byteLength;
}

function openEntry(sql: SqlStorage, exportId: string, number: number): store.StoredEntry {
  const opened = store.listEntries(sql, exportId).find(({ entry }) => entry === number);
  if (opened !== undefined) return opened;
  const entry = { entry: number, source: "", format: "", part: 1, crc: 0, size: 0, packedSize: 0, pieces: 0 };
  store.insertEntry(sql, exportId, entry);
  return entry;
}

/** Returns a name that no other file has, also on systems that ignore case, with the extension. */
function takeName(sql: SqlStorage, exportId: string, wanted: string, extension: string): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? wanted : `${wanted}~${number}`;
    if (store.addName(sql, exportId, name.toLowerCase())) return `${name}.${extension}`;
  }
}
