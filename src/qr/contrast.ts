import { because, type Because } from "../platform/http/fault-codes.ts";
import { contrastRatio, luminance } from "../platform/lib/colour.ts";
import { MIN_QR_CONTRAST_RATIO } from "../limits.ts";

/** Returns why scanners could not read the foreground on the background, both `#rrggbb`, or null. */
export function contrastError(foreground: string, background: string): Because | null {
  if (luminance(foreground) >= luminance(background)) return because("not_darker", { value: background });
  const ratio = contrastRatio(foreground, background);
  if (ratio >= MIN_QR_CONTRAST_RATIO) return null;
  const actual = Math.floor(ratio * 100) / 100;
  return because("low_contrast", { value: background, actual, min: MIN_QR_CONTRAST_RATIO });
}
