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
