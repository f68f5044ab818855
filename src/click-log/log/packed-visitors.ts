// Visitors, which have 53 bits, as text: seven bytes each, in Base64. In JSON they would take twice as much.

const BYTES = 7;
const LOW_BYTES = 4;
const LOW = 2 ** 32;

export function packVisitors(visitors: readonly number[]): string {
  const bytes = new Uint8Array(visitors.length * BYTES);
  const view = new DataView(bytes.buffer);
  for (const [index, visitor] of visitors.entries()) {
    const at = index * BYTES;
    const high = Math.floor(visitor / LOW);
    view.setUint8(at, high >>> 16);
    view.setUint16(at + 1, high & 0xffff);
    view.setUint32(at + BYTES - LOW_BYTES, visitor % LOW);
  }
  return bytes.toBase64();
}

export function unpackVisitors(text: string): number[] {
  const { buffer, length } = Uint8Array.fromBase64(text);
  const view = new DataView(buffer);
  return Array.from({ length: length / BYTES }, (_, index) => {
    const at = index * BYTES;
    const high = view.getUint8(at) * 2 ** 16 + view.getUint16(at + 1);
    return high * LOW + view.getUint32(at + BYTES - LOW_BYTES);
  });
}
