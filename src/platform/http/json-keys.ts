const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [BRACE, BRACKET, CLOSING_BRACE, CLOSING_BRACKET, COMMA] = [0x7b, 0x5b, 0x7d, 0x5d, 0x2c];

/**
 * Whether an object of a JSON text in UTF-8 may have a key twice: two of its keys have the same hash, or one has an escape. It reads
 * each byte once and makes no texts, because nearly all bodies have no such object. It does not check the syntax.
 */
export function mayRepeatKeys(json: Uint8Array): boolean {
  /** The hashes of the keys of each object that is open; null for an array. */
  const open: (Set<number> | null)[] = [];
  let keys: Set<number> | null = null;
  let isBeforeKey = false;
  for (let index = 0; index < json.length; index++) {
    const byte = json[index];
    if (byte === BRACE || byte === BRACKET) {
      keys = byte === BRACE ? new Set() : null;
      open.push(keys);
      isBeforeKey = keys !== null;
    } else if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) {
      open.pop();
      keys = open.at(-1) ?? null;
      isBeforeKey = false;
    } else if (byte === COMMA) isBeforeKey = keys !== null;
    else if (byte === QUOTE) {
      const end = endOfString(json, index + 1);
      if (isBeforeKey && keys !== null) {
        const hash = hashOf(json, index + 1, end);
        if (hash === null || keys.has(hash)) return true;
        keys.add(hash);
      }
      index = end;
      isBeforeKey = false;
    }
  }
  return false;
}

/** The index of the quotation mark that ends a string: the first one without an odd number of backslashes before it. */
function endOfString(json: Uint8Array, start: number): number {
  for (let end = json.indexOf(QUOTE, start); end !== -1; end = json.indexOf(QUOTE, end + 1)) {
    let backslashes = end;
    while (backslashes > start && json[backslashes - 1] === BACKSLASH) backslashes--;
    if ((end - backslashes) % 2 === 0) return end;
  }
  return json.length;
}

/** A hash of the bytes (FNV-1a, 32 bits); null if one of them begins an escape. */
function hashOf(json: Uint8Array, start: number, end: number): number | null {
  let hash = 0x811c9dc5;
  for (let index = start; index < end; index++) {
    const byte = json[index] ?? 0;
    if (byte === BACKSLASH) return null;
    hash = Math.imul(hash ^ byte, 0x01000193);
  }
  return hash;
}

/** What structures JSON: strings, and the characters between values. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],]/gs;

interface Level {
  /** The keys of an object so far; null: of an array. */
  keys: Set<string> | null;
  /** The key or index of the value that is read. */
  at: string | number;
  /** Whether a string would be a key. */
  isBeforeKey: boolean;
}

/**
 * The path of the first key that an object of a JSON text has twice, such as `links.0.url`; null if there is none. `JSON.parse`
 * would keep the last one, and forget the others without a word. What is no JSON is not noticed here.
 */
export function findRepeatedKey(text: string): string | null {
  const levels: Level[] = [];
  for (const [token] of text.matchAll(TOKENS)) {
    const level = levels.at(-1);
    if (token === "{" || token === "[") {
      const isObject = token === "{";
      levels.push({ keys: isObject ? new Set() : null, at: isObject ? "" : 0, isBeforeKey: isObject });
    } else if (token === "}" || token === "]") levels.pop();
    else if (level === undefined) continue;
    else if (token === ",") {
      level.isBeforeKey = level.keys !== null;
      if (typeof level.at === "number") level.at++;
    } else if (level.keys !== null && level.isBeforeKey) {
      const key = toKey(token);
      level.at = key;
      level.isBeforeKey = false;
      if (level.keys.has(key)) return levels.map(({ at }) => at).join(".");
      level.keys.add(key);
    }
  }
  return null;
}

function toKey(token: string): string {
  try {
    return JSON.parse(token) as string;
  } catch {
    return token;
  }
}
