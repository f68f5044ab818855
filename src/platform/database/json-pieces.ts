import { MAX_SQL_TEXT_BYTES } from "../../limits.ts";

/** The items as JSON arrays for `json_each`, split so that no array exceeds `maxBytes`, by default the size of a bound value. */
export function toJsonPieces(items: readonly unknown[], maxBytes = MAX_SQL_TEXT_BYTES): string[] {
  const texts = items.map((item) => JSON.stringify(item));
  return group(texts, (text) => text, maxBytes).map((piece) => `[${piece.join(",")}]`);
}

/** Splits the items, so that the JSON of none of the groups exceeds the size of a bound value. */
export function groupBySize<T>(items: readonly T[]): T[][] {
  return group(items, (item) => JSON.stringify(item), MAX_SQL_TEXT_BYTES);
}

function group<T>(items: readonly T[], toText: (item: T) => string, maxBytes: number): T[][] {
  const groups: T[][] = [];
  let bytes = Infinity;
  for (const item of items) {
    const size = new TextEncoder().encode(toText(item)).byteLength + 1;
    if (bytes + size > maxBytes) {
      groups.push([]);
      bytes = 2;
    }
    groups.at(-1)?.push(item);
    bytes += size;
  }
  return groups;
}
