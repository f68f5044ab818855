/** The maximum of what a JSON text may hold. */
export interface JsonBounds {
  maxDepth: number;
  /** Arrays, objects, strings, numbers and literals, at any depth. */
  maxValues: number;
}

/**
 * Returns the bound that a JSON text in UTF-8 exceeds; null if none. It reads each byte at most once, stores nothing and
 * stops at the bound, so it is cheap before the text is parsed. It does not check the syntax.
 */
export function exceededBound(json: Uint8Array, { maxDepth, maxValues }: JsonBounds): keyof JsonBounds | null {
  let depth = 0;
  let values = 1;
  // The last array or object is empty so far.
  let isEmpty = false;
  for (let index = 0; index < json.length; index++) {
    const kind = KINDS[json[index] ?? 0];
    if (kind === SPACE) continue;
    if (kind === CLOSER) {
      depth--;
      isEmpty = false;
      continue;
    }
    if (isEmpty || kind === COMMA) values++;
    isEmpty = kind === OPENER;
    if (isEmpty) depth++;
    else if (kind === QUOTE) index = endOfString(json, index);
    if (depth > maxDepth) return "maxDepth";
    if (values > maxValues) return "maxValues";
  }
  return null;
}

/** The index of the closing quote. */
function endOfString(json: Uint8Array, start: number): number {
  let index = start + 1;
  while (index < json.length && json[index] !== QUOTE_BYTE) index += json[index] === BACKSLASH_BYTE ? 2 : 1;
  return index;
}

const QUOTE_BYTE = 0x22;
const BACKSLASH_BYTE = 0x5c;

const OPENER = 1;
const CLOSER = 2;
const COMMA = 3;
const QUOTE = 4;
const SPACE = 5;

/** The kind of each byte; 0 for all others. A table, because a bulk body has five million bytes. */
const KINDS = new Uint8Array(256);
for (const [kind, characters] of [
  [OPENER, "[{"],
  [CLOSER, "]}"],
  [COMMA, ","],
  [QUOTE, '"'],
  [SPACE, " \t\r\n"],
] as const) {
  for (const byte of new TextEncoder().encode(characters)) KINDS[byte] = kind;
}
