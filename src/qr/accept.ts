import { parseAccept } from "hono/utils/accept";
import type { Format } from "./contract.ts";

/**
 * The format that an Accept header prefers; of two that it wants alike, the one it names more closely,
 * else SVG. A header that wants neither is no error: many clients send one they never thought about.
 */
export function acceptedFormat(header: string | undefined): Format {
  const ranges = parseAccept(header ?? "");
  const [png, svg] = [preference(ranges, "image/png"), preference(ranges, "image/svg+xml")];
  if (png.q === 0) return "svg";
  return png.q > svg.q || (png.q === svg.q && png.closeness > svg.closeness) ? "png" : "svg";
}

/** How much a type is wanted, 0 to 1: of the ranges that cover it the closest decides (RFC 9110, 12.5.1). */
function preference(ranges: { type: string; q: number }[], type: string): { q: number; closeness: number } {
  const names = ["*/*", "image/*", type];
  return ranges
    .map((range) => ({ q: range.q, closeness: names.indexOf(range.type.toLowerCase()) }))
    .reduce((best, range) => (range.closeness > best.closeness ? range : best), { q: 0, closeness: -1 });
}
