import type { MiddlewareHandler } from "hono";
import { readLimited } from "../lib/read-limited.ts";
import { badRequest, payloadTooLarge } from "./errors.ts";

/** Reads the body before validation. Refuses a body that is too large, incomplete or not UTF-8. */
export function boundedBody(maxBytes: number): MiddlewareHandler {
  return async (c, next) => {
    const stream = c.req.raw.body;
    if (stream !== null) {
      const declared = Number(c.req.header("Content-Length") ?? 0);
      const bytes = declared > maxBytes ? null : await readLimited(stream, maxBytes + 1).catch(failIncomplete);
      if (bytes === null || bytes.byteLength > maxBytes)
        throw payloadTooLarge(`The body may have at most ${maxBytes} bytes.`);
      // Hono's cache holds promises, although its type does not say so.
      Object.assign(c.req.bodyCache, { text: Promise.resolve(decode(bytes)) });
    }
    await next();
  };
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
