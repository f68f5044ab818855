import { concatenate } from "../platform/lib/concatenate.ts";
import { segmentsOf, START_OF_SCAN } from "./image-format.ts";
import { MAX_QR_LOGO_SCANS } from "./limits.ts";

// No I/O: what a JPEG would cost its decoder, which itself bounds neither scans nor what they visit. Pixels are not decoded.

export interface BoundedJpeg {
  width: number;
  height: number;
  /** The image without its metadata, in which the decoder could find more scans. */
  bytes: Uint8Array;
}

/** Sequential and progressive frames (SOF0 to SOF2). The decoder has no others. */
const FRAMES = new Set([0xc0, 0xc1, 0xc2]);

/** A table of quantization (DQT). */
const QUANTIZATION = 0xdb;

/** What pixels depend on: frames, scans, both kinds of tables, restart intervals, Adobe's colours, and the end. */
const NEEDED = new Set([...FRAMES, START_OF_SCAN, 0xc4, QUANTIZATION, 0xdd, 0xee, 0xd9]);

/** Reads the costs from the headers of the frame and the scans. Returns null if they are too high, or not as the standard has them. */
export function boundJpeg(bytes: Uint8Array): BoundedJpeg | null {
  const parts = [bytes.subarray(0, 2)];
  const frames: (Omit<BoundedJpeg, "bytes"> | null)[] = [];
  let scans = 0;
  for (const { marker, at, end } of segmentsOf(bytes)) {
    const segment = bytes.subarray(at, end);
    if (FRAMES.has(marker)) frames.push(readFrame(segment));
    if (marker === START_OF_SCAN && (++scans > MAX_QR_LOGO_SCANS || !isStandardScan(segment))) return null;
    if (NEEDED.has(marker)) parts.push(marker === QUANTIZATION ? withoutMarkers(segment) : segment);
  }
  const [frame = null] = frames;
  const needed = concatenate(parts);
  // The decoder follows no lengths inside of pixels, so it may take any such bytes for a frame or a scan.
  if (frame === null || countStarts(needed) !== 1 + scans) return null;
  return { ...frame, bytes: needed };
}

/** The table with 254 in place of 255, so that no two of its bytes look like the start of a frame or a scan. Its length stays as it is. */
function withoutMarkers(segment: Uint8Array): Uint8Array {
  return segment.map((byte, at) => (at > 3 && byte === 0xff ? 0xfe : byte));
}

/** Length, precision, height, width, number of components; then for each its name, its sampling factors and its table. */
function readFrame(segment: Uint8Array): Omit<BoundedJpeg, "bytes"> | null {
  const view = new DataView(segment.buffer, segment.byteOffset, segment.byteLength);
  const components = segment[9] ?? 0;
  if (segment.length !== 10 + 3 * components || segment[4] !== 8 || ![1, 3, 4].includes(components)) return null;
  for (let at = 11; at < segment.length; at += 3) {
    const factors = segment[at] ?? 0;
    if (![factors >> 4, factors & 15].every((factor) => factor >= 1 && factor <= 4)) return null;
  }
  return { width: view.getUint16(7), height: view.getUint16(5) };
}

/** Length, number of components; for each its name and its tables; then the first and the last coefficient of 64, and their bits. */
function isStandardScan(segment: Uint8Array): boolean {
  const components = segment[4] ?? 0;
  const [first = 0, last = 0] = segment.subarray(5 + 2 * components);
  const length = ((segment[2] ?? 0) << 8) | (segment[3] ?? 0);
  if (length !== 6 + 2 * components || components < 1 || components > 4 || last > 63) return false;
  return first === 0 || (first <= last && components === 1);
}

function countStarts(bytes: Uint8Array): number {
  return bytes.filter((byte, at) => bytes[at - 1] === 0xff && (FRAMES.has(byte) || byte === START_OF_SCAN)).length;
}
