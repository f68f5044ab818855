import { crc32 } from "../platform/lib/crc32.ts";

// No I/O: reads the structure of an image, which is complete if a browser could draw it. The pixels are not decoded.

export type ImageType = "png" | "jpeg";

const FIRST_BYTES: Record<ImageType, readonly number[]> = {
  png: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  jpeg: [0xff, 0xd8, 0xff],
};

/** Whether the bytes begin like an image of this type. */
export function startsAs(type: ImageType, bytes: Uint8Array): boolean {
  return FIRST_BYTES[type].every((byte, index) => bytes[index] === byte);
}

/** Whether the bytes are a whole image of this type, with a width and a height. */
export function isWholeImage(type: ImageType, bytes: Uint8Array): boolean {
  return startsAs(type, bytes) && (type === "png" ? isWholePng(bytes) : isWholeJpeg(bytes));
}

/** A header with a size, pixels and an end, in chunks with the right checksums (PNG specification, 5.3). */
function isWholePng(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let hasPixels = false;
  for (let at = FIRST_BYTES.png.length; at + 12 <= bytes.length;) {
    const length = view.getUint32(at);
    const end = at + 12 + length;
    if (end > bytes.length || view.getUint32(end - 4) !== crc32(bytes.subarray(at + 4, end - 4))) return false;
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    const isFirst = at === FIRST_BYTES.png.length;
    if (isFirst !== (type === "IHDR")) return false;
    if (isFirst && (length !== 13 || view.getUint32(at + 8) === 0 || view.getUint32(at + 12) === 0)) return false;
    hasPixels ||= type === "IDAT" && length > 0;
    if (type === "IEND") return hasPixels;
    at = end;
  }
  return false;
}

export const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;

/** A frame with a size, a scan and an end, in segments. */
function isWholeJpeg(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let hasSize = false;
  let hasScan = false;
  for (const { marker, at, end } of segmentsOf(bytes)) {
    // Length, precision, height, width. A height of 0 is given after the scan, which browsers do not support.
    if (isFrame(marker)) hasSize = end - at >= 9 && view.getUint16(at + 5) > 0 && view.getUint16(at + 7) > 0;
    if (marker === START_OF_SCAN) hasScan = hasSize;
    if (marker === END_OF_IMAGE) return hasScan;
  }
  return false;
}

export interface JpegSegment {
  marker: number;
  /** Where the marker is. */
  at: number;
  /** For a scan, where its pixels end. */
  end: number;
}

/** The segments after the first marker, up to the end of the image or to the first that is not whole (ITU-T T.81, annex B). */
export function* segmentsOf(bytes: Uint8Array): Generator<JpegSegment> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 2; at + 2 <= bytes.length;) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff) return;
    // Any number of 0xff may precede a marker.
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (marker === END_OF_IMAGE) {
      yield { marker, at, end: at + 2 };
      return;
    }
    if (at + 4 > bytes.length) return;
    const endOfHeader = at + 2 + view.getUint16(at + 2);
    const end = marker === START_OF_SCAN ? endOfPixels(bytes, endOfHeader) : endOfHeader;
    if (end > bytes.length) return;
    yield { marker, at, end };
    at = end;
  }
}

/** SOF0 to SOF15. The others in this range are tables and extensions. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/** The next marker: in pixels, 0xff is followed by 0, or begins a marker that restarts the decoder. */
function endOfPixels(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length && (bytes[at] !== 0xff || isInPixels(bytes[at + 1] ?? 0))) at++;
  return at;
}

function isInPixels(afterFf: number): boolean {
  return afterFf === 0 || (afterFf >= 0xd0 && afterFf <= 0xd7);
}
