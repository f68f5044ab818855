import { crc32 } from "../lib/crc32.ts";
import type { Code } from "./code.ts";
import { toRgb } from "../lib/colour.ts";

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const ONE_BIT_PALETTE = Uint8Array.of(1, 3, 0, 0, 0);

/** Draws the code as a PNG with two colours. Modules are whole pixels; the pixels that remain widen the margin on all sides. */
export async function toPng({ modules, style }: Code): Promise<Uint8Array<ArrayBuffer>> {
  const { size } = style;
  const header = new Uint8Array(13);
  new DataView(header.buffer).setUint32(0, size);
  new DataView(header.buffer).setUint32(4, size);
  header.set(ONE_BIT_PALETTE, 8);
  return concatenate([
    SIGNATURE,
    chunk("IHDR", header),
    chunk("PLTE", Uint8Array.from([...toRgb(style.background), ...toRgb(style.foreground)])),
    chunk("IDAT", await deflate(scanlines(modules, style))),
    chunk("IEND", new Uint8Array()),
  ]);
}

/** One bit for each pixel. Each line begins with a byte for its filter; 0 is none. */
function scanlines(modules: boolean[][], { size, margin }: Code["style"]): Uint8Array<ArrayBuffer> {
  const scale = Math.floor(size / (modules.length + 2 * margin));
  const start = Math.floor((size - modules.length * scale) / 2);
  const lineBytes = 1 + Math.ceil(size / 8);
  const lines = new Uint8Array(size * lineBytes);
  for (const [y, row] of modules.entries()) {
    const first = (start + y * scale) * lineBytes;
    for (const [x, dark] of row.entries()) {
      if (!dark) continue;
      for (let pixel = start + x * scale; pixel < start + (x + 1) * scale; pixel++) {
        const at = first + 1 + (pixel >> 3);
        lines[at] = (lines[at] ?? 0) | (0x80 >> (pixel & 7));
      }
    }
    for (let copy = 1; copy < scale; copy++) lines.copyWithin(first + copy * lineBytes, first, first + lineBytes);
  }
  return lines;
}

async function deflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const compressed = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate"));
  return new Uint8Array(await new Response(compressed).arrayBuffer());
}

function chunk(type: string, body: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(12 + body.byteLength);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, body.byteLength);
  bytes.set(new TextEncoder().encode(type), 4);
  bytes.set(body, 8);
  view.setUint32(8 + body.byteLength, crc32(bytes.subarray(4, 8 + body.byteLength)));
  return bytes;
}

function concatenate(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
}
