import { isWholeImage, startsAs, type ImageType } from "./image-format.ts";
import { MAX_QR_LOGO_BYTES } from "./limits.ts";

const DATA_URI = /^data:image\/(png|jpeg);base64,([A-Za-z0-9+/]+={0,2})$/;

/** Length of the longest data URI of a logo. Base64 has four characters for three bytes. */
export const MAX_LOGO_CHARS = "data:image/jpeg;base64,".length + 4 * Math.ceil(MAX_QR_LOGO_BYTES / 3);

/** What {@link logoError} returns for anything but a PNG or JPEG in a data URI. */
export const NO_IMAGE = "must be a PNG or JPEG image";

/**
 * Returns why the text cannot be a logo, or null. A logo is a PNG or JPEG in a data URI, so it only consists of letters,
 * digits and `:/;,+=`, and the code does not load anything from elsewhere.
 */
export function logoError(text: string): string | null {
  const [, type, base64] = DATA_URI.exec(text) ?? [];
  if (type === undefined || base64 === undefined || base64.length % 4 !== 0) return NO_IMAGE;
  const size = (base64.length / 4) * 3 - (base64.length - base64.replaceAll("=", "").length);
  if (size > MAX_QR_LOGO_BYTES) return `must have at most ${MAX_QR_LOGO_BYTES} bytes; this image has ${size}`;
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  if (!startsAs(type as ImageType, bytes))
    return `is declared as image/${type}, but its first bytes belong to another format`;
  if (!isWholeImage(type as ImageType, bytes)) return `is not a whole ${type === "png" ? "PNG" : "JPEG"}`;
  return null;
}
