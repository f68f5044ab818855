/** A JPEG whose blocks are all the same grey, for its width and height of up to 1,024 pixels. */
export interface Jpeg {
  width?: number;
  height?: number;
  /** Bits of a value. */
  precision?: number;
  /** The sampling factors of each component, two of four bits. */
  factors?: number[];
  isProgressive?: boolean;
  /** Each as {@link scanOf} makes it. */
  scans?: number[][];
  /** Segments before the frame. */
  before?: number[];
}

export function jpegOf(jpeg: Jpeg): Uint8Array {
  const { width = 8, height = 8, precision = 8, factors = [0x11], isProgressive = false } = jpeg;
  const components = factors.flatMap((factor, index) => [index + 1, factor, 0]);
  const frame = [precision, ...twoBytes(height), ...twoBytes(width), factors.length, ...components];
  return Uint8Array.from([
    0xff,
    0xd8,
    ...(jpeg.before ?? []),
    ...segment(0xdb, [0, ...Array.from({ length: 64 }, () => 1)]),
    // One code of one bit in each table: no difference to the block before, no other coefficients.
    ...segment(0xc4, [0x00, ...codes(0)]),
    // In a progressive image it also ends the next blocks: their number less 16,384 follows in 14 bits.
    ...segment(0xc4, [0x10, ...codes(isProgressive ? 0xe0 : 0)]),
    ...segment(isProgressive ? 0xc2 : 0xc0, frame),
    ...(jpeg.scans ?? [scanOf(blocksOf(width, height))]).flat(),
    0xff,
    0xd9,
  ]);
}

/** A scan of the first component with two bits of 0 for each block. */
export function scanOf(blocks: number, first = 0, last = 63): number[] {
  return [...segment(0xda, [1, 1, 0, first, last, 0]), ...Array.from({ length: Math.ceil(blocks / 4) }, () => 0)];
}

/** A scan of a progressive image that corrects all coefficients of all blocks but the first, in two bytes. */
export function correctionOf(first = 1, last = 63): number[] {
  return [...segment(0xda, [1, 1, 0, first, last, 0x10]), 0, 0];
}

export function segment(marker: number, body: number[]): number[] {
  return [0xff, marker, ...twoBytes(body.length + 2), ...body];
}

function codes(value: number): number[] {
  return [1, ...Array.from({ length: 15 }, () => 0), value];
}

function blocksOf(width: number, height: number): number {
  return Math.ceil(width / 8) * Math.ceil(height / 8);
}

function twoBytes(number: number): number[] {
  return [number >> 8, number & 255];
}
