// The used parts of Node modules that Workers support. @types/node would also declare Node's globals.

declare module "node:crypto" {
  interface ScryptOptions {
    N: number;
    r: number;
    p: number;
    /** Bytes. Throws if the parameters need more. */
    maxmem: number;
  }
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
  export function gunzipSync(bytes: Uint8Array, options: Limits): Uint8Array;
  export function inflateSync(bytes: Uint8Array, options: Limits): Uint8Array;
}
