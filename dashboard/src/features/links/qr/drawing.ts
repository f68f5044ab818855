import { QR_PARAMETER } from "#src/platform/lib/qr-parameter.ts";
import { ApiError, respond } from "#dashboard/api/client.ts";
import type { Link } from "#dashboard/api/types.ts";
import { texts } from "#dashboard/texts/index.ts";
import { explainError } from "#dashboard/ui/notice.tsx";
import { toLogo, type QrStyle } from "./style.ts";

/** The image of a link's code, as the API draws it. */
export async function drawCode(
  link: Link,
  style: QrStyle,
  format: "svg" | "png" | "pdf",
  signal?: AbortSignal,
): Promise<Blob> {
  const { logo, logoSize: _, size, sizeMm, margin, frameText, frameColor, ...looks } = style;
  const options = signal === undefined ? {} : { signal };
  const text = frameText.trim();
  const query = {
    ...looks,
    format,
    margin,
    ...(format === "pdf" ? { sizeMm } : { size }),
    ...(text !== "" && { frameText: text, ...(frameColor !== null && { frameColor }) }),
  };
  // The style says all, so that of the link's domain is left out.
  if (logo === null)
    return (
      await respond("GET", `/api/links/${link.id}/qr`, { query: { ...query, domainStyle: false }, ...options })
    ).blob();
  // A logo is too long for a URL.
  const width = format === "pdf" ? { sizeMm: Number(sizeMm) } : { size: Number(size) };
  const content = `${link.shortUrl}?${QR_PARAMETER}`;
  const body = { ...query, ...width, margin: Number(margin), ...toLogo(style), content };
  return (await respond("POST", "/api/qr", { body, ...options })).blob();
}

/** What to change so that a code is drawn, if the API refused it for that. */
export function explainRefusal(error: unknown): string {
  const advice: Record<string, string> = texts.qr.advice;
  const path = error instanceof ApiError ? error.details[0]?.path : undefined;
  // Of the style that a domain keeps, `qrStyle.margin`.
  const field = path?.replace("qrStyle.", "");
  return (field === undefined ? undefined : advice[field]) ?? explainError(error);
}
