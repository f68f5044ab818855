import { concatenate } from "../platform/lib/concatenate.ts";
import { crc32 } from "../platform/lib/crc32.ts";
import { toRgb } from "../platform/lib/colour.ts";
import { deflate } from "../platform/lib/zlib.ts";
import type { Code, Style } from "./style.ts";
import { drawingOf } from "./drawing.ts";
import { isPlain } from "./forms.ts";
import type { Pixels } from "./logo-pixels.ts";
import { rasterise, toColours } from "./raster.ts";

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
/** Bit depth, colour type, compression, filters, interlacing (PNG specification, 11.2.1). */
const ONE_BIT_PALETTE = Uint8Array.of(1, 3, 0, 0, 0);
const EIGHT_BIT_PALETTE = Uint8Array.of(8, 3, 0, 0, 0);
const RED_GREEN_BLUE = Uint8Array.of(8, 2, 0, 0, 0);

/** Draws the code as a PNG. `logo` has the pixels of its logo. */
export function toPng(code: Code, logo: Pixels | null): Promise<Uint8Array<ArrayBuffer>> {
  return isPlain(code.style) && code.style.logo === null ? toPlainPng(code) : toColouredPng(code, logo);
}

/** Two colours. Modules are whole pixels; the pixels that remain widen the margin on all sides. */
async function toPlainPng({ modules, style }: Code): Promise<Uint8Array<ArrayBuffer>> {
  const palette = Uint8Array.from([...toRgb(style.background), ...toRgb(style.foreground)]);
  const pixels = await deflate(scanlines(modules, style));
  return file(header(style.size, style.size, ONE_BIT_PALETTE), [chunk("PLTE", palette), chunk("IDAT", pixels)]);
}

/** Rows that are drawn at a time: redirects of the isolate run in between. */
const STRIP_ROWS = 64;

/** The filter that writes each byte as the difference to the one above (PNG specification, 9.2). */
const UP = 2;

async function toColouredPng(code: Code, logo: Pixels | null): Promise<Uint8Array<ArrayBuffer>> {
  const { width, height, palette, draw, paintLogo } = rasterise(drawingOf(code), code.style.size, logo);
  // A picture without a logo has few colours: a third of the bytes is compressed.
  const pixelBytes = logo === null ? 1 : 3;
  let above = new Uint8Array(pixelBytes * width);
  let row = 0;
  const strips = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const numbers = new Uint8Array(Math.min(STRIP_ROWS, height - row) * width);
      draw(numbers, row);
      const rows = logo === null ? numbers : toColours(numbers, palette);
      if (logo !== null) paintLogo(rows, row);
      controller.enqueue(filtered(rows, above));
      above = rows.slice(-above.length);
      row += STRIP_ROWS;
      if (row >= height) controller.close();
      else await scheduler.wait(0);
    },
  });
  const pixels = await new Response(strips.pipeThrough(new CompressionStream("deflate"))).arrayBuffer();
  const data = chunk("IDAT", new Uint8Array(pixels));
  return logo === null
    ? file(header(width, height, EIGHT_BIT_PALETTE), [chunk("PLTE", palette), data])
    : file(header(width, height, RED_GREEN_BLUE), [data]);
}

function filtered(rows: Uint8Array<ArrayBuffer>, above: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const rowBytes = above.length;
  const lines = new Uint8Array((rows.length / rowBytes) * (rowBytes + 1));
  let [line, before] = [0, above];
  for (let start = 0; start < rows.length; start += rowBytes) {
    const row = rows.subarray(start, start + rowBytes);
    lines[line++] = UP;
    for (let at = 0; at < rowBytes; at++) lines[line++] = (row[at] ?? 0) - (before[at] ?? 0);
    before = row;
  }
  return lines;
}

function header(width: number, height: number, format: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(13);
  new DataView(bytes.buffer).setUint32(0, width);
  new DataView(bytes.buffer).setUint32(4, height);
  bytes.set(format, 8);
  return bytes;
}

function file(ihdr: Uint8Array<ArrayBuffer>, chunks: Uint8Array[]): Uint8Array<ArrayBuffer> {
  return concatenate([SIGNATURE, chunk("IHDR", ihdr), ...chunks, chunk("IEND", new Uint8Array())]);
}

/** One bit for each pixel. Each line begins with a byte for its filter; 0 is none. */
function scanlines(modules: boolean[][], { size, margin }: Style): Uint8Array<ArrayBuffer> {
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

function chunk(type: string, body: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(12 + body.byteLength);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, body.byteLength);
  bytes.set(new TextEncoder().encode(type), 4);
  bytes.set(body, 8);
  view.setUint32(8 + body.byteLength, crc32(bytes.subarray(4, 8 + body.byteLength)));
  return bytes;
}
