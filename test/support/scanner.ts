import { decodeQR } from "qr/decode.js";

/** Reads the code in an image as a scanner does. `pixels` are rows; true is dark. Each pixel is enlarged `scale` times. */
export function scan(pixels: boolean[][], scale = 1): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(scanBytes(pixels, scale));
}

/** The bytes in the code, before they are decoded as text. A code without bytes gives those of its digits or letters. */
export function scanBytes(pixels: boolean[][], scale = 1): Uint8Array {
  const side = pixels.length * scale;
  const data = new Uint8Array(side * side * 4).fill(255);
  for (const [y, row] of pixels.entries()) {
    for (const [x, dark] of row.entries()) {
      if (!dark) continue;
      for (let dy = 0; dy < scale; dy++) {
        const from = ((y * scale + dy) * side + x * scale) * 4;
        for (let at = from; at < from + scale * 4; at++) if (at % 4 !== 3) data[at] = 0;
      }
    }
  }
  let bytes: Uint8Array | null = null;
  const text = decodeQR(
    { width: side, height: side, data },
    {
      timeLimit: 5_000,
      textDecoder(segment, eci) {
        if (bytes !== null) throw new Error("the code has two segments of bytes");
        // 26 is UTF-8, the decoder's default if the code names no encoding.
        if (eci !== 26) throw new Error(`the code is said to be in encoding ${eci}`);
        bytes = segment.slice();
        return "";
      },
    },
  );
  if (bytes !== null && text !== "") throw new Error("the code has bytes and other segments");
  return bytes ?? new TextEncoder().encode(text);
}
