// The used parts of Node modules that Workers support. @types/node would also declare Node's globals.

declare module "node:crypto" {
  interface ScryptOptions {
    N: number;
    r: number;
    p: number;
    /** Bytes. Throws if the parameters need more. */
    maxmem: number;
  }
  interface Hash {
    update(data: string | Uint8Array): Hash;
    digest(): Uint8Array;
    digest(encoding: "base64" | "hex"): string;
  }
  export function createHash(algorithm: string): Hash;
  export function randomBytes(size: number): Uint8Array;
  export function scryptSync(password: string, salt: Uint8Array, bytes: number, options: ScryptOptions): Uint8Array;
  export function timingSafeEqual(a: Uint8Array, b: Uint8Array): boolean;
  export function hkdfSync(digest: "sha256", key: string, salt: Uint8Array, info: string, bytes: number): ArrayBuffer;
}

declare module "node:url" {
  export function domainToUnicode(host: string): string;
}

declare module "node:zlib" {
  interface Limits {
    /** Bytes. Throws a RangeError beyond. */
    maxOutputLength: number;
  }
  interface DeflateOptions {
    /** How the output ends. */
    finishFlush: number;
  }
  export const constants: {
    /** The output ends at a byte, and further blocks may follow. */
    Z_SYNC_FLUSH: number;
    /** Nothing may follow. */
    Z_FINISH: number;
  };
  /** Returns the checksum of the bytes, or of those with the checksum `before` and these. */
  export function crc32(bytes: Uint8Array, before: number): number;
  export function deflateRawSync(bytes: Uint8Array, options: DeflateOptions): Uint8Array;
  export function inflateRawSync(bytes: Uint8Array, options: Limits): Uint8Array;
  export function gunzipSync(bytes: Uint8Array, options: Limits): Uint8Array;
  export function inflateSync(bytes: Uint8Array, options: Limits): Uint8Array;
}
