// The used parts of Node modules that Workers support. @types/node would also declare Node's globals.

declare module "node:crypto" {
  export function scrypt(
    password: string,
    salt: Uint8Array,
    keyBytes: number,
    cost: { N: number; r: number; p: number; maxmem: number },
    callback: (error: Error | null, key: Uint8Array) => void,
  ): void;
  export function hkdfSync(digest: "sha256", key: string, salt: Uint8Array, info: string, bytes: number): ArrayBuffer;
  export function timingSafeEqual(a: Uint8Array, b: Uint8Array): boolean;
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
