import type { MiddlewareHandler } from "hono";
import { MAX_BODY_BYTES } from "../limits.ts";
import { badRequest, payloadTooLarge } from "./errors.ts";

/** Reads the body before anything parses it: refuses one that is too large or not UTF-8. */
export const boundedBody: MiddlewareHandler = async (c, next) => {
  const stream = c.req.raw.body;
  if (stream !== null) {
    const declared = Number(c.req.header("Content-Length") ?? 0);
    const bytes = declared > MAX_BODY_BYTES ? null : await readAtMost(stream, MAX_BODY_BYTES);
    if (bytes === null) throw payloadTooLarge(`The body may have at most ${MAX_BODY_BYTES} bytes.`);
    // A promise, as Hono keeps it there; its type says otherwise.
    Object.assign(c.req.bodyCache, { text: Promise.resolve(decode(bytes)) });
  }
  await next();
};

/** All of the stream, or null where it has more than `limit` bytes; the rest is then not read. */
async function readAtMost(stream: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array | null> {
  const bytes = new Uint8Array(limit);
  let length = 0;
  for await (const chunk of stream) {
    if (length + chunk.byteLength > limit) return null;
    bytes.set(chunk, length);
    length += chunk.byteLength;
  }
  return bytes.subarray(0, length);
}

/** The text of the body; of an empty one an object without fields, so that the answer names what is missing. */
function decode(bytes: Uint8Array): string {
  if (bytes.byteLength === 0) return "{}";
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    throw badRequest("The body is not valid UTF-8.");
  }
}
