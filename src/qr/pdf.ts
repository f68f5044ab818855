import { toRgb } from "../platform/lib/colour.ts";
import { concatenate } from "../platform/lib/concatenate.ts";
import { deflate } from "../platform/lib/zlib.ts";
import type { Code } from "./style.ts";
import { toSegments, type Segment } from "./contours.ts";
import { drawingOf, type Drawing } from "./drawing.ts";
import type { Pixels } from "./logo-pixels.ts";

/** PDF's unit is a 72nd of an inch. */
const POINTS_PER_MM = 72 / 25.4;

/** Draws the code as a PDF of one page, which has exactly the size of the image. `logo` has the pixels of its logo. */
export async function toPdf(code: Code, logo: Pixels | null): Promise<Uint8Array<ArrayBuffer>> {
  const drawing = drawingOf(code);
  const scale = (code.style.sizeMm * POINTS_PER_MM) / drawing.width;
  const [width, height] = [drawing.width * scale, drawing.height * scale];
  const content = contentOf(drawing, scale, logo);
  const resources = logo === null ? "<<>>" : "<</XObject<</Logo 5 0 R>>>>";
  const objects = [
    await streamOf("", Uint8Array.from(toBytes(content))),
    "<</Type/Catalog/Pages 3 0 R>>",
    "<</Type/Pages/Kids[4 0 R]/Count 1>>",
    `<</Type/Page/Parent 3 0 R/MediaBox[0 0 ${round(width)} ${round(height)}]/Contents 1 0 R/Resources${resources}>>`,
    ...(logo === null ? [] : await imageOf(logo)),
  ];
  return fileOf(objects);
}

/** The operators that draw the page (ISO 32000-1, 8). */
function contentOf({ width, height, background, layers, logo: place }: Drawing, scale: number, logo: Pixels | null) {
  // The origin becomes the top left corner, and the unit a module.
  const parts = [`${round(scale)} 0 0 ${round(-scale)} 0 ${round(height * scale)} cm`];
  parts.push(`${fillOf(background)} 0 0 ${round(width)} ${round(height)} re f`);
  for (const { colour, boxes, outlines } of layers) {
    parts.push(fillOf(colour), ...boxes.map((box) => operatorsOf(toSegments(box))), operatorsOf(outlines), "f");
  }
  if (logo !== null && place !== null) {
    const factor = place.width / Math.max(logo.width, logo.height);
    const [wide, high] = [logo.width * factor, logo.height * factor];
    const [left, bottom] = [place.x + (place.width - wide) / 2, place.y + (place.height + high) / 2];
    parts.push(`q ${round(wide)} 0 0 ${round(-high)} ${round(left)} ${round(bottom)} cm /Logo Do Q`);
  }
  return parts.join("\n");
}

const OPERATORS = { M: "m", L: "l", C: "c", Z: "h" } as const;

function operatorsOf(segments: readonly Segment[]): string {
  return segments.map(([command, ...numbers]) => [...numbers.map(round), OPERATORS[command]].join(" ")).join(" ");
}

function fillOf(colour: string): string {
  return `${toRgb(colour)
    .map((part) => round(part / 255))
    .join(" ")} rg`;
}

/** The logo and, as an image of its own, its opacity. */
function imageOf({ width, height, data }: Pixels): Promise<Uint8Array[]> {
  const colours = new Uint8Array(width * height * 3);
  const opacity = new Uint8Array(width * height);
  for (let pixel = 0; pixel < opacity.length; pixel++) {
    colours.set(data.subarray(pixel * 4, pixel * 4 + 3), pixel * 3);
    opacity[pixel] = data[pixel * 4 + 3] ?? 0;
  }
  const image = `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/BitsPerComponent 8`;
  return Promise.all([
    streamOf(`${image}/ColorSpace/DeviceRGB/SMask 6 0 R`, colours),
    streamOf(`${image}/ColorSpace/DeviceGray`, opacity),
  ]);
}

async function streamOf(entries: string, bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const packed = await deflate(bytes);
  const head = `<<${entries}/Filter/FlateDecode/Length ${packed.length}>>stream\n`;
  return concatenate([toBytes(head), packed, toBytes("\nendstream")]);
}

/** The objects, numbered from 1, with the table of their positions (ISO 32000-1, 7.5). */
function fileOf(objects: (Uint8Array | string)[]): Uint8Array<ArrayBuffer> {
  // The bytes above 127 say that the file is not a text.
  const parts: Uint8Array[] = [Uint8Array.of(...toBytes("%PDF-1.7\n%"), 0xe2, 0xe3, 0xcf, 0xd3, 0x0a)];
  let length = parts[0]?.length ?? 0;
  const append = (part: Uint8Array) => {
    parts.push(part);
    length += part.length;
  };
  const positions = objects.map((object, index) => {
    const position = length;
    append(toBytes(`${index + 1} 0 obj\n`));
    append(typeof object === "string" ? toBytes(object) : object);
    append(toBytes("\nendobj\n"));
    return position;
  });
  const size = objects.length + 1;
  const entries = positions.map((position) => `${String(position).padStart(10, "0")} 00000 n \n`);
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${entries.join("")}`;
  append(toBytes(`${table}trailer\n<</Size ${size}/Root 2 0 R>>\nstartxref\n${length}\n%%EOF\n`));
  return concatenate(parts);
}

function toBytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** A ten-thousandth of a module is exact enough. */
function round(number: number): string {
  return String(Math.round(number * 10_000) / 10_000);
}
