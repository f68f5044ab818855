const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit++) remainder = remainder & 1 ? 0xedb88320 ^ (remainder >>> 1) : remainder >>> 1;
  return remainder;
});

/** The checksum of PNG and gzip (ISO 3309). Pages check images too, and browsers have no `node:zlib`. */
export function crc32(bytes: Uint8Array): number {
  let remainder = 0xffffffff;
  for (const byte of bytes) remainder = (TABLE[(remainder ^ byte) & 255] ?? 0) ^ (remainder >>> 8);
  return ~remainder >>> 0;
}
