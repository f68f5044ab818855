/**
 * SipHash-2-4 (Aumasson and Bernstein, 2012) of the text's characters, a byte each: of one beyond ASCII the lower
 * byte counts. `key` is four words, the lowest first. Before the text, `number` is hashed as eight bytes, the lowest
 * first, if it is given. Returns the lower 53 bits, which a number can hold.
 */
// oxlint-disable-next-line max-lines-per-function -- every click is hashed, and a state in local variables is quicker than one in an array
export function siphash(key: Uint32Array, text: string, number?: number): number {
  const [k0 = 0, k1 = 0, k2 = 0, k3 = 0] = key;
  // Four words of 64 bits in two halves each, low and high.
  let [v0l, v0h, v1l, v1h] = [k0 ^ 0x70736575, k1 ^ 0x736f6d65, k2 ^ 0x6e646f6d, k3 ^ 0x646f7261];
  let [v2l, v2h, v3l, v3h] = [k0 ^ 0x6e657261, k1 ^ 0x6c796765, k2 ^ 0x79746573, k3 ^ 0x74656462];
  const { length } = text;
  const lengthByte = number === undefined ? length : length + 8;
  // In blocks of eight bytes, the last of which has the length in its highest; and then without any.
  const end = length - (length % 8) + 8;
  for (let at = number === undefined ? 0 : -8; at <= end; at += 8) {
    const isOver = at === end;
    let low = 0;
    let high = 0;
    if (at < 0) {
      low = (number as number) | 0;
      high = ((number as number) / 2 ** 32) | 0;
    } else if (!isOver) {
      low = bytesAt(text, at);
      high = bytesAt(text, at + 4) | (at === end - 8 ? lengthByte << 24 : 0);
    }
    if (isOver) v2l ^= 0xff;
    v3l ^= low;
    v3h ^= high;
    // The carry of a sum is reckoned without a branch, which nobody could predict.
    for (let rounds = isOver ? 4 : 2; rounds > 0; rounds--) {
      let sum = (v0l + v1l) | 0;
      v0h = (v0h + v1h + (((v0l & v1l) | ((v0l | v1l) & ~sum)) >>> 31)) | 0;
      v0l = sum;
      sum = (v2l + v3l) | 0;
      v2h = (v2h + v3h + (((v2l & v3l) | ((v2l | v3l) & ~sum)) >>> 31)) | 0;
      v2l = sum;
      let swap = v1h;
      v1h = ((v1h << 13) | (v1l >>> 19)) ^ v0h;
      v1l = ((v1l << 13) | (swap >>> 19)) ^ v0l;
      swap = v3h;
      v3h = ((v3h << 16) | (v3l >>> 16)) ^ v2h;
      v3l = ((v3l << 16) | (swap >>> 16)) ^ v2l;
      swap = v0h;
      v0h = v0l;
      v0l = swap;
      sum = (v2l + v1l) | 0;
      v2h = (v2h + v1h + (((v2l & v1l) | ((v2l | v1l) & ~sum)) >>> 31)) | 0;
      v2l = sum;
      sum = (v0l + v3l) | 0;
      v0h = (v0h + v3h + (((v0l & v3l) | ((v0l | v3l) & ~sum)) >>> 31)) | 0;
      v0l = sum;
      swap = v1h;
      v1h = ((v1h << 17) | (v1l >>> 15)) ^ v2h;
      v1l = ((v1l << 17) | (swap >>> 15)) ^ v2l;
      swap = v3h;
      v3h = ((v3h << 21) | (v3l >>> 11)) ^ v0h;
      v3l = ((v3l << 21) | (swap >>> 11)) ^ v0l;
      swap = v2h;
      v2h = v2l;
      v2l = swap;
    }
    v0l ^= low;
    v0h ^= high;
  }
  return ((v0h ^ v1h ^ v2h ^ v3h) & 0x1f_ffff) * 2 ** 32 + ((v0l ^ v1l ^ v2l ^ v3l) >>> 0);
}

/** Four bytes, the lowest first; 0 where the text has ended. */
function bytesAt(text: string, at: number): number {
  return byteAt(text, at) | (byteAt(text, at + 1) << 8) | (byteAt(text, at + 2) << 16) | (byteAt(text, at + 3) << 24);
}

function byteAt(text: string, at: number): number {
  return at < text.length ? text.charCodeAt(at) & 0xff : 0;
}
