/**
 * SipHash-2-4 (Aumasson and Bernstein, 2012) of the text's characters, a byte each: of one beyond ASCII the lower
 * byte counts. `key` is four words, the lowest first. Returns the lower 53 bits, which a number can hold.
 */
export function siphash(key: Uint32Array, text: string): number {
  const [k0 = 0, k1 = 0, k2 = 0, k3 = 0] = key;
  v[V0] = k0 ^ 0x70736575;
  v[V0 + 1] = k1 ^ 0x736f6d65;
  v[V1] = k2 ^ 0x6e646f6d;
  v[V1 + 1] = k3 ^ 0x646f7261;
  v[V2] = k0 ^ 0x6e657261;
  v[V2 + 1] = k1 ^ 0x6c796765;
  v[V3] = k2 ^ 0x79746573;
  v[V3 + 1] = k3 ^ 0x74656462;
  const { length } = text;
  const lastAt = length - (length % 8);
  for (let at = 0; at < lastAt; at += 8) take(bytesAt(text, at), bytesAt(text, at + 4));
  take(bytesAt(text, lastAt), bytesAt(text, lastAt + 4) | (length << 24));
  v[V2] = half(V2) ^ 0xff;
  for (let rounds = 0; rounds < 4; rounds++) round();
  const low = half(V0) ^ half(V1) ^ half(V2) ^ half(V3);
  const high = half(V0 + 1) ^ half(V1 + 1) ^ half(V2 + 1) ^ half(V3 + 1);
  return (high & 0x1f_ffff) * 2 ** 32 + (low >>> 0);
}

/** The state, four words of 64 bits in two halves each, the lower first. Kept, since every click is hashed. */
const v = new Int32Array(8);
const [V0, V1, V2, V3] = [0, 2, 4, 6] as const;

/** Takes in eight bytes. */
function take(low: number, high: number): void {
  v[V3] = half(V3) ^ low;
  v[V3 + 1] = half(V3 + 1) ^ high;
  round();
  round();
  v[V0] = half(V0) ^ low;
  v[V0 + 1] = half(V0 + 1) ^ high;
}

function round(): void {
  add(V0, V1);
  rotateAndXor(V1, 13, V0);
  swap(V0);
  add(V2, V3);
  rotateAndXor(V3, 16, V2);
  add(V0, V3);
  rotateAndXor(V3, 21, V0);
  add(V2, V1);
  rotateAndXor(V1, 17, V2);
  swap(V2);
}

function half(at: number): number {
  return v[at] as number;
}

function add(to: number, from: number): void {
  const low = (half(to) >>> 0) + (half(from) >>> 0);
  v[to] = low;
  v[to + 1] = half(to + 1) + half(from + 1) + (low > 0xffff_ffff ? 1 : 0);
}

/** To the left, by less than 32 bits. */
function rotateAndXor(at: number, bits: number, by: number): void {
  const low = half(at);
  const high = half(at + 1);
  v[at] = ((low << bits) | (high >>> (32 - bits))) ^ half(by);
  v[at + 1] = ((high << bits) | (low >>> (32 - bits))) ^ half(by + 1);
}

/** Rotates by 32 bits. */
function swap(at: number): void {
  const low = half(at);
  v[at] = half(at + 1);
  v[at + 1] = low;
}

/** Four bytes, the lowest first; 0 where the text has ended. */
function bytesAt(text: string, at: number): number {
  return byteAt(text, at) | (byteAt(text, at + 1) << 8) | (byteAt(text, at + 2) << 16) | (byteAt(text, at + 3) << 24);
}

function byteAt(text: string, at: number): number {
  return at < text.length ? text.charCodeAt(at) & 0xff : 0;
}
