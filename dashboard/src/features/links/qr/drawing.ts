import { QR_PARAMETER } from "#src/clicks/qr-parameter.ts";
import { respond } from "#dashboard/api/client.ts";
import type { Link } from "#dashboard/api/types.ts";
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
  return format === "svg" ? svg : toPng(svg, Number(size));
}

async function toPng(svg: Blob, size: number): Promise<Blob> {
  const image = new Image(size, size);
  image.src = URL.createObjectURL(svg);
  try {
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = size;
    canvas.height = size;
    canvas.getContext("2d")?.drawImage(image, 0, 0, size, size);
    return await new Promise((resolve, reject) => {
      canvas.toBlob(
        (png) => (png === null ? reject(new Error("The image could not be drawn.")) : resolve(png)),
        "image/png",
      );
    });
  } finally {
    URL.revokeObjectURL(image.src);
  }
}
