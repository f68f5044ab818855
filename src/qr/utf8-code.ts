import {
  _BYTES as CODEWORDS,
  _ECC_BLOCKS as BLOCKS,
  _GF256 as FIELD,
  _tests as library,
  _WORDS_PER_BLOCK as CHECK_WORDS,
  type ErrorCorrection,
} from "qr";

// Codes of UTF-8 (ISO/IEC 18004). The standard says that bytes without an ECI are ISO 8859-1, and some scanners read them so. The
// library writes no ECI. So the codewords are made here, and the library places them.

/** ECI mode (4 bits), the ECI of UTF-8 (8 bits: 26), byte mode (4 bits). */
const HEADER = [0x71, 0xa4];

/** Fill the room after the bytes and the terminator, in turns. */
const PADDING = [0xec, 0x11];

const LARGEST_VERSION = 40;

/** The modules of the smallest code that has the bytes and says that they are UTF-8. Null: no code has room for both. */
export function encodeUtf8(bytes: Uint8Array, level: ErrorCorrection): boolean[][] | null {
  for (let version = 1; version <= LARGEST_VERSION; version++) {
    const blocks = BLOCKS[level][version - 1] ?? 0;
    const checkWords = CHECK_WORDS[level][version - 1] ?? 0;
    const room = (CODEWORDS[version - 1] ?? 0) - blocks * checkWords;
    const length = version < 10 ? [bytes.length] : [bytes.length >> 8, bytes.length & 255];
    const start = [...HEADER, ...length];
    if (start.length + bytes.length > room || (version < 10 && bytes.length > 255)) continue;
    const words = pad([...start, ...bytes], room);
    return modulesOf(library.drawSymbol(version, level, interleave(words, blocks, checkWords)));
  }
  return null;
}

/** The byte 0 is the terminator. */
function pad(segment: number[], room: number): Uint8Array {
  const words = new Uint8Array(room);
  words.set(segment);
  for (let at = segment.length + 1; at < room; at++) words[at] = PADDING[(at - segment.length - 1) % 2] ?? 0;
  return words;
}

/** Divides the words into blocks, of which the last ones are one word longer, and takes the words of all blocks in turns. */
function interleave(words: Uint8Array, count: number, checkWords: number): Uint8Array {
  const short = Math.floor(words.length / count);
  const longer = words.length % count;
  const blocks = Array.from({ length: count }, (_, n) => {
    const start = n * short + Math.max(0, n - (count - longer));
    return words.subarray(start, start + short + (n < count - longer ? 0 : 1));
  });
  const generator = generatorOf(checkWords);
  const checks = blocks.map((block) => library.rsEcc(block, generator));
  return Uint8Array.from([...inTurns(blocks), ...inTurns(checks)]);
}

function inTurns(blocks: Uint8Array[]): number[] {
  const longest = Math.max(...blocks.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) =>
    blocks.flatMap((block) => (at < block.length ? [block[at] as number] : [])),
  ).flat();
}

/** The generator polynomial: the product of (x - 2^n), without its first coefficient, which is 1. */
function generatorOf(degree: number): Uint8Array {
  let product = [1];
  for (let root = 0; root < degree; root++) {
    product = [...product, 0].map((word, at) => word ^ multiplyByPower(product[at - 1] ?? 0, root));
  }
  return Uint8Array.from(product.slice(1));
}

function multiplyByPower(word: number, power: number): number {
  return word === 0 ? 0 : (FIELD.exp[((FIELD.log[word] ?? 0) + power) % 255] ?? 0);
}

function modulesOf(symbol: Parameters<typeof library.matGet>[0]): boolean[][] {
  const places = Array.from({ length: symbol.size }, (_, at) => at);
  return places.map((y) => places.map((x) => library.matGet(symbol, x, y) === 1));
}
