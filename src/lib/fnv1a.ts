/** A number from 0 to 2^32 - 1 that follows from the text and looks like chance. Nothing is secret about it. */
export function fnv1a(text: string): number {
  // FNV-1a
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return mix32(hash);
}

/** MurmurHash3's last step: of numbers that differ in one bit, all bits of the results may differ. */
export function mix32(number: number): number {
  let mixed = number ^ (number >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
