// SipHash-2-4 (Aumasson and Bernstein): a hash of 64 bits under a key of 128. Whoever does not know the key cannot make texts
// that have the same hash. JavaScript has no fast integers of 64 bits, so each is two halves of 32.

/** Four words of 32 bits. */
export type SipKey = readonly [number, number, number, number];

/** A hash: its lower and its upper 32 bits. */
export type Hash64 = [low: number, high: number];

export function toSipKey(bytes: Uint8Array): SipKey {
  const view = new DataView(bytes.buffer, bytes.byteOffset, 16);
  return [view.getUint32(0, true), view.getUint32(4, true), view.getUint32(8, true), view.getUint32(12, true)];
}

const encoder = new TextEncoder();
const scratch = new Uint8Array(1_024);

/** The hash of the text as UTF-8. */
export function siphash(key: SipKey, text: string): Hash64 {
  // Three bytes hold any UTF-16 unit.
  if (text.length * 3 > scratch.length) return siphashBytes(key, encoder.encode(text));
  const { written } = encoder.encodeInto(text, scratch);
  return siphashBytes(key, scratch.subarray(0, written));
}

export function siphashBytes([k0, k1, k2, k3]: SipKey, bytes: Uint8Array): Hash64 {
  const v = new Int32Array([
    k0 ^ 0x70736575,
    k1 ^ 0x736f6d65,
    k2 ^ 0x6e646f6d,
    k3 ^ 0x646f7261,
    k0 ^ 0x6e657261,
    k1 ^ 0x6c796765,
    k2 ^ 0x79746573,
    k3 ^ 0x74656462,
  ]);
  const { length } = bytes;
  const whole = length - (length % 8);
  for (let at = 0; at < whole; at += 8) absorb(v, word(bytes, at, 4), word(bytes, at + 4, 4));
  const rest = length - whole;
  absorb(v, word(bytes, whole, Math.min(rest, 4)), word(bytes, whole + 4, Math.max(rest - 4, 0)) | (length << 24));
  v[4]! ^= 0xff;
  for (let round = 0; round < 4; round++) sipRound(v);
  return [(v[0]! ^ v[2]! ^ v[4]! ^ v[6]!) >>> 0, (v[1]! ^ v[3]! ^ v[5]! ^ v[7]!) >>> 0];
}

/** `count` bytes, up to four, the lowest first. */
function word(bytes: Uint8Array, at: number, count: number): number {
  let value = 0;
  for (let index = 0; index < count; index++) value |= bytes[at + index]! << (8 * index);
  return value;
}

function absorb(v: Int32Array, low: number, high: number): void {
  v[6]! ^= low;
  v[7]! ^= high;
  sipRound(v);
  sipRound(v);
  v[0]! ^= low;
  v[1]! ^= high;
}

function sipRound(v: Int32Array): void {
  add(v, 0, 2);
  rotate(v, 2, 13);
  xor(v, 2, 0);
  swap(v, 0);
  add(v, 4, 6);
  rotate(v, 6, 16);
  xor(v, 6, 4);
  add(v, 0, 6);
  rotate(v, 6, 21);
  xor(v, 6, 0);
  add(v, 4, 2);
  rotate(v, 2, 17);
  xor(v, 2, 4);
  swap(v, 4);
}

function add(v: Int32Array, to: number, from: number): void {
  const low = (v[to]! >>> 0) + (v[from]! >>> 0);
  v[to] = low;
  v[to + 1] = v[to + 1]! + v[from + 1]! + (low > 0xffffffff ? 1 : 0);
}

/** By fewer than 32 bits to the left. */
function rotate(v: Int32Array, at: number, bits: number): void {
  const low = v[at]!;
  const high = v[at + 1]!;
  v[at] = (low << bits) | (high >>> (32 - bits));
  v[at + 1] = (high << bits) | (low >>> (32 - bits));
}

function xor(v: Int32Array, to: number, from: number): void {
  v[to]! ^= v[from]!;
  v[to + 1]! ^= v[from + 1]!;
}

/** Rotates by 32 bits. */
function swap(v: Int32Array, at: number): void {
  const low = v[at]!;
  v[at] = v[at + 1]!;
  v[at + 1] = low;
}
