import { invalidRequest } from "../http/errors.ts";
import { readBecause } from "../http/faults.ts";
import type { Code } from "./style.ts";
import type { Format } from "./contract.ts";
import { readLogo } from "./logo-pixels.ts";
import { toPdf } from "./pdf.ts";
import { toPng } from "./png.ts";
import { toSvg } from "./svg.ts";

export const IMAGE_TYPES = { svg: "image/svg+xml", png: "image/png", pdf: "application/pdf" } as const;

/** Draws the code. Throws a 400 if its logo cannot be unpacked, which an SVG does not need. */
export async function drawImage(code: Code, format: Format): Promise<Uint8Array<ArrayBuffer>> {
  if (format === "svg") return new TextEncoder().encode(toSvg(code)) as Uint8Array<ArrayBuffer>;
  const logo = code.style.logo === null ? null : await readLogo(code.style.logo);
  if (typeof logo === "string") throw invalidRequest([readBecause("logo", logo)]);
  return format === "png" ? toPng(code, logo) : toPdf(code, logo);
}
