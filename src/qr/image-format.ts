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

const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;

/** A frame with a size, a scan and an end, in segments (ITU-T T.81, annex B). */
function isWholeJpeg(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let hasSize = false;
  for (let at = 2; at + 4 <= bytes.length;) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff) return false;
    // Any number of 0xff may precede a marker.
    if (marker === 0xff) {
      at++;
      continue;
    }
    const end = at + 2 + view.getUint16(at + 2);
    if (end > bytes.length) return false;
    // Length, precision, height, width. A height of 0 is given after the scan, which browsers do not support.
    if (isFrame(marker)) hasSize = end - at >= 9 && view.getUint16(at + 5) > 0 && view.getUint16(at + 7) > 0;
    if (marker === START_OF_SCAN) return hasSize && hasEnd(bytes, end);
    at = end;
  }
  return false;
}

/** SOF0 to SOF15. The others in this range are tables and extensions. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/** Pixels contain no end marker: a byte 0xff in them is followed by 0. */
function hasEnd(bytes: Uint8Array, start: number): boolean {
  for (let at = start + 1; at + 1 < bytes.length; at++) {
    if (bytes[at] === 0xff && bytes[at + 1] === END_OF_IMAGE) return true;
  }
  return false;
}
