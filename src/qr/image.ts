import type { AccountContext } from "../platform/context.ts";
import { invalidRequest } from "../platform/http/errors.ts";
import { readBecause, type Because } from "../platform/http/faults.ts";
import type { Code } from "./style.ts";
import type { Format } from "./contract.ts";
import { isPlain } from "./forms.ts";
import { readLogo } from "./logo-pixels.ts";
import { toPdf } from "./pdf.ts";
import { toPng } from "./png.ts";
import { toSvg } from "./svg.ts";

export const IMAGE_TYPES = { svg: "image/svg+xml", png: "image/png", pdf: "application/pdf" } as const;

type Image = Uint8Array<ArrayBuffer>;

/**
 * Draws the code. An object does that for requests if it takes long, because redirects of this isolate would wait. Throws a 400
 * if the logo cannot be unpacked, which an SVG does not need.
 */
export async function drawFor({ env, principal }: AccountContext, code: Code, format: Format): Promise<Image> {
  const isQuick = format === "svg" || (isPlain(code.style) && code.style.logo === null);
  if (isQuick) return drawImage(code, format);
  const runner = env.JOB_RUNNER.getByName(`codes:${principal.accountId}`);
  return requireImage((await runner.paint(code, format)) as Image | Because);
}

/** As {@link drawFor}, in an object. */
export async function drawImage(code: Code, format: Format): Promise<Image> {
  return requireImage(await paint(code, format));
}

/** Returns why, if the logo cannot be unpacked. */
export async function paint(code: Code, format: Format): Promise<Image | Because> {
  if (format === "svg") return new TextEncoder().encode(toSvg(code)) as Image;
  const logo = code.style.logo === null ? null : await readLogo(code.style.logo);
  if (typeof logo === "string") return logo;
  return format === "png" ? toPng(code, logo) : toPdf(code, logo);
}

function requireImage(image: Image | Because): Image {
  if (typeof image === "string") throw invalidRequest([readBecause("logo", image)]);
  return image;
}
