import { concatenate } from "../../platform/lib/concatenate.ts";
import { constants, crc32, deflateRawSync } from "node:zlib";
import type { JobRecords } from "../../jobs/kind.ts";
import type { NamedImage } from "./code-source.ts";
import type { FileWriter } from "./file-writer.ts";
import { Names } from "./names.ts";
import { directoryEnd, directoryEntry, localHeader } from "./zip.ts";

// A ZIP file of images. The images of a page are stored together, and apart from them the part of the directory with them.

const [IMAGES, DIRECTORY] = [1, 2];

/** Appends a page of images. `records` are those of the job. */
export function appendImages(
  file: FileWriter,
  images: readonly NamedImage[],
  records: JobRecords,
  modifiedAt: number,
): void {
  const section = file.open(IMAGES);
  const names = new Names(records);
  const [files, list]: [Uint8Array[], Uint8Array[]] = [[], []];
  let offset = section.packedSize;
  for (const { name, extension, bytes } of images) {
    const packed = deflateRawSync(bytes, { finishFlush: constants.Z_FINISH });
    const sizes = { crc: crc32(bytes, 0), size: bytes.byteLength, packedSize: packed.byteLength };
    const entry = { name: `${names.take(name)}.${extension}`, modifiedAt, ...sizes };
    const header = localHeader(entry);
    files.push(header, packed);
    list.push(directoryEntry(entry, offset));
    offset += header.byteLength + packed.byteLength;
  }
  const totals = { crc: 0, size: 0 };
  file.append(section, concatenate(files), totals);
  file.append(file.open(DIRECTORY), concatenate(list), totals);
  file.records.push(...names.toRecords());
}

/** Completes the file with this number of images, and returns its size in bytes. */
export function finishImages(file: FileWriter, count: number): number {
  const [images, directory] = [file.open(IMAGES), file.open(DIRECTORY)];
  const end = directoryEnd(count, directory.packedSize, images.packedSize);
  file.append(directory, end, { crc: 0, size: 0 });
  return images.packedSize + directory.packedSize;
}
