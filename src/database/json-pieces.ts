import { MAX_SQL_TEXT_BYTES } from "../limits.ts";

/** The items as JSON arrays for `json_each`, split so that no array exceeds `maxBytes`, by default the size of a bound value. */
export function toJsonPieces(items: readonly unknown[], maxBytes = MAX_SQL_TEXT_BYTES): string[] {
  const pieces: string[][] = [];
  let bytes = Infinity;
  for (const item of items) {
    const json = JSON.stringify(item);
    const size = new TextEncoder().encode(json).byteLength + 1;
    if (bytes + size > maxBytes) {
      pieces.push([]);
      bytes = 2;
    }
    pieces.at(-1)?.push(json);
    bytes += size;
  }
  return pieces.map((piece) => `[${piece.join(",")}]`);
}
