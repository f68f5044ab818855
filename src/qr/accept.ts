import { parseAccept } from "hono/utils/accept";
import type { Format } from "./contract.ts";

/**
 * Returns the format that an Accept header prefers. If both have the same weight, the more specific range wins, and then
 * SVG. A header that accepts neither is not an error, because many clients send a header by default.
 */
export function acceptedFormat(header: string | undefined): Format {
  const ranges = parseAccept(header ?? "");
  const [png, svg] = [weightOf(ranges, "image/png"), weightOf(ranges, "image/svg+xml")];
  if (png.q === 0) return "svg";
  return png.q > svg.q || (png.q === svg.q && png.specificity > svg.specificity) ? "png" : "svg";
}

/** The weight of a type, 0 to 1, from the most specific range that matches it (RFC 9110, 12.5.1). */
function weightOf(ranges: { type: string; q: number }[], type: string): { q: number; specificity: number } {
  const names = ["*/*", "image/*", type];
  return ranges
    .map((range) => ({ q: range.q, specificity: names.indexOf(range.type.toLowerCase()) }))
    .reduce((best, range) => (range.specificity > best.specificity ? range : best), { q: 0, specificity: -1 });
}
