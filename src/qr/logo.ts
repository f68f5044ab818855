import { isWholeImage, startsAs, type ImageType } from "./image-format.ts";
import { MAX_QR_LOGO_BYTES } from "./limits.ts";
import { because, type Because } from "../platform/http/fault-codes.ts";

const DATA_URI = /^data:image\/(png|jpeg);base64,([A-Za-z0-9+/]+={0,2})$/;

/** Length of the longest data URI of a logo. Base64 has four characters for three bytes. */
export const MAX_LOGO_CHARS = "data:image/jpeg;base64,".length + 4 * Math.ceil(MAX_QR_LOGO_BYTES / 3);

/**
 * Returns why the text cannot be a logo, or null. A logo is a PNG or JPEG in a data URI, so it only consists of letters,
 * digits and `:/;,+=`, and the code does not load anything from elsewhere.
 */
export function logoError(text: string): Because | null {
  const [, type, base64] = DATA_URI.exec(text) ?? [];
  if (type === undefined || base64 === undefined || base64.length % 4 !== 0) return because("not_an_image");
  const size = (base64.length / 4) * 3 - (base64.length - base64.replaceAll("=", "").length);
  if (size > MAX_QR_LOGO_BYTES) return because("too_many_bytes", { max: MAX_QR_LOGO_BYTES, actual: size });
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  if (!startsAs(type as ImageType, bytes)) return because("other_image", { value: type });
  if (!isWholeImage(type as ImageType, bytes)) return because("cut_image", { value: type === "png" ? "PNG" : "JPEG" });
  return null;
}
