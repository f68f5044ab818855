import type { MiddlewareHandler } from "hono";
import { badRequest, payloadTooLarge } from "./errors.ts";

/** Reads the body before anything parses it: refuses one that is too large, not whole or not UTF-8. */
export function boundedBody(maxBytes: number): MiddlewareHandler {
  return async (c, next) => {
    const stream = c.req.raw.body;
    if (stream !== null) {
      const declared = Number(c.req.header("Content-Length") ?? 0);
      const bytes = declared > maxBytes ? null : await readAtMost(stream, maxBytes).catch(cutShort);
      if (bytes === null) throw payloadTooLarge(`The body may have at most ${maxBytes} bytes.`);
      // A promise, as Hono keeps it there; its type says otherwise.
      Object.assign(c.req.bodyCache, { text: Promise.resolve(decode(bytes)) });
    }
    await next();
  };
}

/** The client broke off, or what it sent is no body; the runtime's error would pass for one of the database. */
function cutShort(): never {
  throw badRequest("The body did not arrive whole. Send the request again.");
}

/** All of the stream, or null where it has more than `limit` bytes; the rest is then not read. */
async function readAtMost(stream: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.byteLength;
    if (length > limit) return null;
    chunks.push(chunk);
  }
  return joined(chunks, length);
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
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
