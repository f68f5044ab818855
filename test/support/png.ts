/** A PNG of the only kind that the service writes. */
export interface Png {
  size: number;
  /** The two colours as `#rrggbb`: background, foreground. */
  palette: string[];
  /** Rows of pixels; true is the foreground. */
  pixels: boolean[][];
}

/** Reads the file by the specification. Throws if the signature, or the order, lengths or CRCs of the chunks are wrong. */
export async function readPng(bytes: Uint8Array<ArrayBuffer>): Promise<Png> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  same(hexOf(bytes.subarray(0, 8)), "89504e470d0a1a0a", "signature");
  const chunks = new Map<string, Uint8Array<ArrayBuffer>>();
  for (let at = 8; at < bytes.byteLength;) {
    const length = view.getUint32(at);
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    same(view.getUint32(at + 8 + length), crc32(bytes.subarray(at + 4, at + 8 + length)), `CRC of ${type}`);
    chunks.set(type, bytes.slice(at + 8, at + 8 + length));
    at += 12 + length;
  }
  same([...chunks.keys()].join(), "IHDR,PLTE,IDAT,IEND", "chunks");
  const [header, palette, data, end] = [...chunks.values()] as [Uint8Array, Uint8Array, BufferSource, Uint8Array];
  same(end.byteLength, 0, "length of IEND");
  const size = view.getUint32(16);
  // Bit depth 1, with a palette, the only compression and filter methods, not interlaced.
  same(hexOf(header), `${hexOf(header.subarray(0, 4)).repeat(2)}0103000000`, "header");
  same(palette.byteLength, 6, "length of PLTE");
  return {
    size,
    palette: [`#${hexOf(palette.subarray(0, 3))}`, `#${hexOf(palette.subarray(3))}`],
    pixels: toPixels(await inflate(data), size),
  };
}

function toPixels(lines: Uint8Array, size: number): boolean[][] {
  const lineBytes = 1 + Math.ceil(size / 8);
  same(lines.byteLength, size * lineBytes, "length of the pixels");
  return Array.from({ length: size }, (_, y) => {
    const line = lines.subarray(y * lineBytes, (y + 1) * lineBytes);
    same(line[0], 0, "filter");
    return Array.from({ length: size }, (_, x) => (((line[1 + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1) === 1);
  });
}

async function inflate(data: BufferSource): Promise<Uint8Array> {
  const stream = new Blob([data]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Computed bit by bit, unlike in the service. */
function crc32(bytes: Uint8Array): number {
  let remainder = 0xffffffff;
  for (const byte of bytes) {
    for (let bit = 0; bit < 8; bit++) {
      const carry = (remainder ^ (byte >> bit)) & 1;
      remainder = (remainder >>> 1) ^ (carry === 1 ? 0xedb88320 : 0);
    }
  }
  return ~remainder >>> 0;
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function same<T>(actual: T, expected: T, what: string): void {
  if (actual !== expected) throw new Error(`PNG: ${what} is ${String(actual)}, not ${String(expected)}`);
}
