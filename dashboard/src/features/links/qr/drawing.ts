import { QR_PARAMETER } from "#src/clicks/qr-parameter.ts";
import { respond } from "#dashboard/api/client.ts";
import type { Link } from "#dashboard/api/types.ts";
import { pngOf } from "#dashboard/lib/png-of.ts";
import type { QrStyle } from "./style.ts";

type Format = "svg" | "png";

/** The image of a link's code, as the API draws it. A PNG with a logo is drawn by the browser from the SVG. */
export async function drawCode(link: Link, style: QrStyle, format: Format, signal?: AbortSignal): Promise<Blob> {
  const { logo, size, margin, ...colours } = style;
  const options = signal === undefined ? {} : { signal };
  if (logo === null) {
    const query = { ...colours, size, margin, format };
    return (await respond("GET", `/api/links/${link.id}/qr`, { query, ...options })).blob();
  }
  // A logo is too long for a URL.
  const body = {
    ...colours,
    size: Number(size),
    margin: Number(margin),
    logo,
    format: "svg",
    content: `${link.shortUrl}?${QR_PARAMETER}`,
  };
  const svg = await (await respond("POST", "/api/qr", { body, ...options })).blob();
  return format === "svg" ? svg : pngOf(svg, Number(size), Number(size));
}
