// The used parts of Node modules that Workers support. @types/node would also declare Node's globals.

declare module "node:crypto" {
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
