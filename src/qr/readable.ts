import { decodeQR } from "qr/decode.js";
import type { Code } from "./style.ts";
import { drawingOf } from "./drawing.ts";
import { rasterise, toColours } from "./raster.ts";

// No I/O: decodes a code as a phone does, before it is offered.

/** Pixels a module of the image that is decoded. Phones see a code of 2 cm about so. */
const MODULE_PX = 4;

/** Whether a decoder reads the content from the code as it is drawn. A logo is drawn as a dark square, whatever its picture. */
export function isReadable(code: Code, content: string): boolean {
  const drawing = drawingOf(code);
  const { logo } = drawing;
  const { foreground, background } = code.style;
  if (logo !== null)
    drawing.layers.push({
      colour: foreground,
      below: background,
      boxes: [{ ...logo, radii: [0, 0, 0, 0] }],
      outlines: [],
    });
  const { width, height, palette, draw } = rasterise(drawing, Math.round(drawing.width * MODULE_PX), null);
  const numbers = new Uint8Array(width * height);
  draw(numbers, 0);
  const colours = toColours(numbers, palette);
  const data = new Uint8Array(width * height * 4).fill(255);
  for (let pixel = 0; pixel < width * height; pixel++) data.set(colours.subarray(pixel * 3, pixel * 3 + 3), pixel * 4);
  try {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    return decodeQR({ width, height, data }, { textDecoder: (bytes) => decoder.decode(bytes) }) === content;
  } catch {
    return false;
  }
}
