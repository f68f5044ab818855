declare module "siphash" {
  /** SipHash-2-4 under a key of four 32-bit words, cut to 53 bits. Texts are hashed as UTF-8. */
  export function hash_uint(key: Uint32Array, message: string | Uint8Array): number;
}
