import type { MiddlewareHandler } from "hono";
import { discard, readLimited } from "../lib/read-limited.ts";
import { MAX_BODY_BYTES, MAX_BODY_DEPTH } from "../../limits.ts";
import {
  MAX_BODY_VALUES,
  MAX_BULK_BODY_BYTES,
  MAX_BULK_BODY_VALUES,
  MAX_REFUSED_BODY_BYTES,
  MAX_REFUSED_BODY_MS,
} from "./limits.ts";
import { badRequest, invalidField, payloadTooLarge, unsupportedMediaType } from "./errors.ts";
import { exceededBound } from "./json-bounds.ts";
import { findRepeatedKey, mayRepeatKeys } from "./json-keys.ts";

/** The maximum size of a request body. */
export interface BodyBounds {
  maxBytes: number;
  maxValues: number;
}

export const BODY_BOUNDS: BodyBounds = { maxBytes: MAX_BODY_BYTES, maxValues: MAX_BODY_VALUES };
export const BULK_BODY_BOUNDS: BodyBounds = { maxBytes: MAX_BULK_BODY_BYTES, maxValues: MAX_BULK_BODY_VALUES };

/**
 * Reads the body before validation. Refuses a body that is too large, before or after decompression, incomplete or not
 * UTF-8, and JSON that would be expensive to parse.
 */
export function boundedBody({ maxBytes, maxValues }: BodyBounds): MiddlewareHandler {
  return async (c, next) => {
    const stream = c.req.raw.body;
    if (stream !== null) {
      const encoding = readEncoding(c.req.header("Content-Encoding"));
      const declared = Number(c.req.header("Content-Length") ?? 0);
      if (declared > maxBytes) throw tooLarge(maxBytes);
      const bytes = await readLimited(stream, maxBytes + 1, { preventCancel: true }).catch(failIncomplete);
      if (bytes.byteLength > maxBytes) {
        // A client that is still sending would see a broken connection, and not the answer.
        await discard(stream, MAX_REFUSED_BODY_BYTES, MAX_REFUSED_BODY_MS);
        throw tooLarge(maxBytes);
      }
      const body = encoding === null || bytes.byteLength === 0 ? bytes : await decompress(bytes, encoding, maxBytes);
      const text = decode(body);
      requireCheapJson(body, maxValues);
      requireUniqueKeys(body, text);
      // Hono's cache holds promises, although its type does not say so.
      Object.assign(c.req.bodyCache, { text: Promise.resolve(text) });
    }
    await next();
  };
}

const ACCEPTED_ENCODINGS = "gzip, deflate";

/** The content coding of the body (RFC 9110, 8.4.1); null for none. Throws a 415 for an unknown one, or for several. */
export function readEncoding(header = "identity"): "gzip" | "deflate" | null {
  const encoding = header.trim().toLowerCase();
  if (encoding === "identity" || encoding === "") return null;
  if (encoding === "gzip" || encoding === "x-gzip") return "gzip";
  if (encoding === "deflate") return "deflate";
  throw unsupportedMediaType(
    `Send the body uncompressed, or with one of the content encodings ${ACCEPTED_ENCODINGS}.`,
    {
      "Accept-Encoding": ACCEPTED_ENCODINGS,
    },
  );
}

/** Stops at twice the maximum, so a body that would expand to gigabytes costs little more than one of the maximum size. */
async function decompress(bytes: Uint8Array, encoding: "gzip" | "deflate", maxBytes: number): Promise<Uint8Array> {
  // Imported on demand: few clients compress their requests.
  const { gunzipSync, inflateSync } = await import("node:zlib");
  const expand = encoding === "gzip" ? gunzipSync : inflateSync;
  let body: Uint8Array;
  try {
    // The runtime applies this limit to its buffer, which grows in steps and is larger than the result.
    body = expand(bytes, { maxOutputLength: 2 * maxBytes });
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(maxBytes);
    throw badRequest("wrong_content_encoding", { value: encoding });
  }
  if (body.byteLength > maxBytes) throw tooLarge(maxBytes);
  return body;
}

function tooLarge(maxBytes: number) {
  return payloadTooLarge("body_too_large", { max: maxBytes });
}

/** The size in bytes says little about the cost of parsing: 5 MB of `{},` become 141 MB. */
function requireCheapJson(body: Uint8Array, maxValues: number): void {
  const exceeded = exceededBound(body, { maxDepth: MAX_BODY_DEPTH, maxValues });
  if (exceeded === "maxDepth") throw badRequest("body_too_deep", { max: MAX_BODY_DEPTH });
  if (exceeded === "maxValues") throw payloadTooLarge("body_too_full", { max: maxValues });
}

/** Of two values with one name, one would be lost without a word. */
function requireUniqueKeys(body: Uint8Array, text: string): void {
  const path = mayRepeatKeys(body) ? findRepeatedKey(text) : null;
  if (path !== null) throw invalidField(path, "repeated_name");
}

/** The client disconnected or sent a malformed body. The runtime's error would look like a failure of the database. */
export function failIncomplete(): never {
  throw badRequest("cut_body");
}

/** The text of the body. An empty body becomes `{}`, so that the response names the missing fields. */
function decode(bytes: Uint8Array): string {
  if (bytes.byteLength === 0) return "{}";
  if (bytes.byteLength > 1 && isUtf16(bytes)) throw badRequest("not_utf8");
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    throw badRequest("not_utf8");
  }
}

/** Whether a text is in UTF-16, by its byte order mark, or by the zeros that it has in the first characters of JSON. */
function isUtf16([a, b]: Uint8Array): boolean {
  return (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff) || (a === 0) !== (b === 0);
}
