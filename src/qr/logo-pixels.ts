import decode from "jpeg-js/lib/decoder.js";
import { inflate } from "../platform/lib/zlib.ts";
import { isWholeImage } from "./image-format.ts";
import { boundJpeg } from "./jpeg.ts";
import { MAX_QR_LOGO_MEMORY_MIB, MAX_QR_LOGO_PIXELS } from "./limits.ts";
import { because, type Because } from "../platform/http/faults.ts";

// Unpacks the logo of a PNG or PDF.

export interface Pixels {
  width: number;
  height: number;
  /** Red, green, blue and opacity of each pixel, in rows. */
  data: Uint8Array;
}

/** The pixels of a logo, a data URI. Returns why it cannot be drawn as a text. */
export async function readLogo(uri: string): Promise<Pixels | Because> {
  const bytes = Uint8Array.from(atob(uri.slice(uri.indexOf(",") + 1)), (character) => character.charCodeAt(0));
  try {
    return isWholeImage("png", bytes) ? await readPng(bytes) : readJpeg(bytes);
  } catch {
    return because("cannot_unpack");
  }
}

const TOO_LARGE = because("too_many_pixels", { max: Math.sqrt(MAX_QR_LOGO_PIXELS) });

function readJpeg(bytes: Uint8Array): Pixels | Because {
  const bounded = boundJpeg(bytes);
  if (bounded === null) return because("cannot_unpack");
  if (bounded.width * bounded.height > MAX_QR_LOGO_PIXELS) return TOO_LARGE;
  const maxMemoryUsageInMB = MAX_QR_LOGO_MEMORY_MIB;
  return decode(bounded.bytes, { useTArray: true, formatAsRGBA: true, maxMemoryUsageInMB });
}

/** Values of a pixel, by the colour type of the header (PNG specification, 11.2.1). */
const CHANNELS: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

async function readPng(bytes: Uint8Array<ArrayBuffer>): Promise<Pixels | Because> {
  const view = new DataView(bytes.buffer);
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  const [depth = 8, type = 0, , , interlaced = 0] = bytes.subarray(24);
  if (width * height > MAX_QR_LOGO_PIXELS) return TOO_LARGE;
  if (interlaced === 1) return because("interlaced_image");
  const channels = CHANNELS[type];
  if (channels === undefined) return because("cannot_unpack");
  const chunks = chunksOf(bytes);
  const lineBytes = Math.ceil((width * channels * depth) / 8);
  const packed = chunks.filter(({ name }) => name === "IDAT").map(({ body }) => body);
  const lines = await inflate(packed, height * (lineBytes + 1));
  if (lines === null) return because("cannot_unpack");
  unfilter(lines, lineBytes, Math.max(1, (channels * depth) / 8));
  const find = (wanted: string) => chunks.find(({ name }) => name === wanted)?.body;
  const source = { width, height, depth, type, channels, lines, lineBytes };
  return toPixels(source, find("PLTE"), find("tRNS"));
}

function chunksOf(bytes: Uint8Array<ArrayBuffer>) {
  const view = new DataView(bytes.buffer);
  const chunks: { name: string; body: Uint8Array<ArrayBuffer> }[] = [];
  for (let at = 8; at < bytes.length; at += 12 + view.getUint32(at)) {
    const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    chunks.push({ name, body: bytes.subarray(at + 8, at + 8 + view.getUint32(at)) });
  }
  return chunks;
}

/** Replaces differences to bytes at the left and above by the bytes (PNG specification, 9). */
function unfilter(lines: Uint8Array, lineBytes: number, step: number): void {
  for (let start = 0; start < lines.length; start += lineBytes + 1) {
    const filter = lines[start];
    for (let at = start + 1; at <= start + lineBytes; at++) {
      const left = at - step > start ? (lines[at - step] ?? 0) : 0;
      const above = start > 0 ? (lines[at - lineBytes - 1] ?? 0) : 0;
      const corner = start > 0 && at - step > start ? (lines[at - lineBytes - 1 - step] ?? 0) : 0;
      lines[at] = (lines[at] ?? 0) + guess(filter, left, above, corner);
    }
  }
}

function guess(filter: number | undefined, left: number, above: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  if (filter !== 4) return 0;
  const near = left + above - corner;
  const [toLeft, toAbove, toCorner] = [Math.abs(near - left), Math.abs(near - above), Math.abs(near - corner)];
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}

interface Lines {
  width: number;
  height: number;
  /** Bits of a value. */
  depth: number;
  type: number;
  channels: number;
  lines: Uint8Array;
  lineBytes: number;
}

function toPixels(source: Lines, palette: Uint8Array | undefined, clear: Uint8Array | undefined): Pixels {
  const { width, height, depth, type, channels, lines, lineBytes } = source;
  const data = new Uint8Array(width * height * 4);
  const most = 2 ** Math.min(depth, 8) - 1;
  for (let y = 0; y < height; y++) {
    const value = (index: number): number => {
      const bit = index * depth;
      const byte = lines[y * (lineBytes + 1) + 1 + (bit >> 3)] ?? 0;
      // The first of two bytes is exact enough.
      return depth >= 8 ? byte : (byte >> (8 - depth - (bit & 7))) & most;
    };
    for (let x = 0; x < width; x++) {
      const first = x * channels;
      const at = (y * width + x) * 4;
      if (type === 3) {
        const entry = value(first);
        data.set((palette ?? new Uint8Array()).subarray(entry * 3, entry * 3 + 3), at);
        data[at + 3] = clear?.[entry] ?? 255;
        continue;
      }
      const grey = channels < 3;
      for (let part = 0; part < 3; part++) data[at + part] = (value(first + (grey ? 0 : part)) * 255) / most;
      const hasAlpha = channels === 2 || channels === 4;
      data[at + 3] = hasAlpha ? value(first + channels - 1) : isClear(source, clear, first, value) ? 0 : 255;
    }
  }
  return { width, height, data };
}

/** Whether the pixel has the one colour that is transparent, which has two bytes for each value. */
function isClear(
  { depth, channels }: Lines,
  clear: Uint8Array | undefined,
  first: number,
  value: (at: number) => number,
) {
  if (clear === undefined || depth > 8) return false;
  for (let part = 0; part < channels; part++) if (value(first + part) !== clear[2 * part + 1]) return false;
  return true;
}
