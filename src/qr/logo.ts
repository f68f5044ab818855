import { MAX_QR_LOGO_BYTES } from "../limits.ts";

const DATA_URI = /^data:image\/(png|jpeg);base64,([A-Za-z0-9+/]+={0,2})$/;
const FIRST_BYTES = { png: "\x89PNG\r\n\x1a\n", jpeg: "\xff\xd8\xff" };

/**
 * Returns why the text cannot be a logo, or null. A logo is a PNG or JPEG in a data URI, so it only consists of letters,
 * digits and `:/;,+=`, and the code does not load anything from elsewhere.
 */
export function logoError(text: string): string | null {
  const [, type, base64] = DATA_URI.exec(text) ?? [];
  if (type === undefined || base64 === undefined || base64.length % 4 !== 0)
    return "must be a data URI of a PNG or JPEG in base64, data:image/png;base64,… (in a query, + is written %2B)";
  const bytes = (base64.length / 4) * 3 - (base64.length - base64.replaceAll("=", "").length);
  if (bytes > MAX_QR_LOGO_BYTES) return `must have at most ${MAX_QR_LOGO_BYTES} bytes; this image has ${bytes}`;
  if (!atob(base64.slice(0, 12)).startsWith(FIRST_BYTES[type as keyof typeof FIRST_BYTES]))
    return `is declared as image/${type}, but its first bytes belong to another format`;
  return null;
}
