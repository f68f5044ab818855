import { call, type CallOptions } from "./api.ts";
import { readPng, type Png } from "./png.ts";
import { readSvg, type SvgCode } from "./svg.ts";

export const CONTENT = "https://example.com/";

/** Requests a code of {@link CONTENT} with these fields in the body. */
export function postQr(key: string | undefined, fields: Record<string, unknown> = {}, options: CallOptions = {}) {
  return call("POST", "/api/qr", { key, body: { content: CONTENT, ...fields }, ...options });
}

/** The code in an SVG response. */
export async function svgOf(response: Response): Promise<SvgCode> {
  if (response.headers.get("Content-Type") !== "image/svg+xml") throw new Error(await response.text());
  return readSvg(await response.text());
}

/** The code in a PNG response. */
export async function pngOf(response: Response): Promise<Png> {
  if (response.headers.get("Content-Type") !== "image/png") throw new Error(await response.text());
  return readPng(new Uint8Array(await response.arrayBuffer()));
}

/** The positions of the first and the last dark pixels, in rows and in columns. */
export function extentOf(pixels: boolean[][]): { top: number; bottom: number; left: number; right: number } {
  const columns = pixels.map((_, x) => pixels.some((row) => row[x] === true));
  const rows = pixels.map((row) => row.includes(true));
  return {
    top: rows.indexOf(true),
    bottom: rows.lastIndexOf(true),
    left: columns.indexOf(true),
    right: columns.lastIndexOf(true),
  };
}

/** An image as a data URI: the first bytes of its format, followed by zeros up to this number of bytes. */
export function fakeImage(type: "png" | "jpeg" | "gif", bytes = 64, name: string = type): string {
  const start = {
    png: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    jpeg: [0xff, 0xd8, 0xff, 0xe0],
    gif: [0x47, 0x49],
  };
  const content = String.fromCharCode(...start[type]).padEnd(bytes, "\0");
  return `data:image/${name};base64,${btoa(content)}`;
}
