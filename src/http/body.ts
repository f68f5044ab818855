import type { MiddlewareHandler } from "hono";
import { readLimited } from "../lib/read-limited.ts";
import { MAX_BODY_BYTES, MAX_BODY_DEPTH } from "../limits.ts";
import { MAX_BODY_VALUES, MAX_BULK_BODY_BYTES, MAX_BULK_BODY_VALUES } from "./limits.ts";
import { badRequest, payloadTooLarge, unsupportedMediaType } from "./errors.ts";
import { exceededBound } from "./json-bounds.ts";

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
      const bytes = declared > maxBytes ? null : await readLimited(stream, maxBytes + 1).catch(failIncomplete);
      if (bytes === null || bytes.byteLength > maxBytes) throw tooLarge(maxBytes);
      const body = encoding === null || bytes.byteLength === 0 ? bytes : await decompress(bytes, encoding, maxBytes);
      requireCheapJson(body, maxValues);
      // Hono's cache holds promises, although its type does not say so.
      Object.assign(c.req.bodyCache, { text: Promise.resolve(decode(body)) });
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
    throw badRequest(`The body is not valid ${encoding}, but its header Content-Encoding says so.`);
  }
  if (body.byteLength > maxBytes) throw tooLarge(maxBytes);
  return body;
}

function tooLarge(maxBytes: number) {
  return payloadTooLarge(`The body may have at most ${maxBytes} bytes, also after decompression.`);
}

/** The size in bytes says little about the cost of parsing: 5 MB of `{},` become 141 MB. */
function requireCheapJson(body: Uint8Array, maxValues: number): void {
  const exceeded = exceededBound(body, { maxDepth: MAX_BODY_DEPTH, maxValues });
  if (exceeded === "maxDepth")
    throw badRequest(`The body may be nested at most ${MAX_BODY_DEPTH} levels deep. Send it with fewer levels.`);
  if (exceeded === "maxValues") {
    throw payloadTooLarge(
      `The body may have at most ${maxValues} values: arrays, objects, strings, numbers and literals. Split it into several requests.`,
    );
  }
}

/** The client disconnected or sent a malformed body. The runtime's error would look like a failure of the database. */
function failIncomplete(): never {
  throw badRequest("The body did not arrive whole. Send the request again.");
}

/** The text of the body. An empty body becomes `{}`, so that the response names the missing fields. */
function decode(bytes: Uint8Array): string {
  if (bytes.byteLength === 0) return "{}";
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    throw badRequest("The body is not valid UTF-8.");
  }
}
