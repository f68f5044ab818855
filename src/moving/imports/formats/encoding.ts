import { FileError } from "./file.ts";
import { refuseOtherFile } from "./other-files.ts";

/** The bytes that tell the encoding, and files of other kinds. */
const HEAD_BYTES = 512;

type Encoding = "utf-8" | "utf-16le" | "utf-16be";

/**
 * The chunks of a file in UTF-8. A file in UTF-16, which Excel writes as "Unicode text", is converted chunk by chunk; one in
 * UTF-8 is only checked.
 * @throws {FileError} It is in another encoding, or a file of another kind.
 */
export async function* toUtf8(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let decoder: TextDecoder | null = null;
  let isConverted = false;
  let head: Uint8Array = new Uint8Array();
  const convert = (bytes: Uint8Array, stream: boolean): Uint8Array => {
    decoder ??= start(bytes);
    isConverted = decoder.encoding !== "utf-8";
    const text = decode(decoder, bytes, stream);
    return isConverted ? new TextEncoder().encode(text) : bytes;
  };
  for await (const chunk of chunks) {
    if (decoder !== null) {
      yield convert(chunk, true);
      continue;
    }
    head = join(head, chunk);
    if (head.byteLength >= HEAD_BYTES) yield convert(head, true);
  }
  if (decoder === null) yield convert(head, true);
  const rest = convert(new Uint8Array(), false);
  if (rest.byteLength > 0) yield rest;
}

function start(head: Uint8Array): TextDecoder {
  refuseOtherFile(head);
  return new TextDecoder(encodingOf(head), { fatal: true, ignoreBOM: true });
}

function decode(decoder: TextDecoder, bytes: Uint8Array, stream: boolean): string {
  try {
    return decoder.decode(bytes, { stream });
  } catch {
    throw new FileError("file_not_readable");
  }
}

/** By the byte order mark, or else by the zeros that UTF-16 has in the names of columns. */
function encodingOf([a, b, c, d]: Uint8Array): Encoding {
  if (a === 0xff && b === 0xfe && (c !== 0 || d !== 0)) return "utf-16le";
  if (a === 0xfe && b === 0xff) return "utf-16be";
  if (a !== 0 && b === 0 && c !== 0 && d === 0) return "utf-16le";
  return a === 0 && b !== 0 && c === 0 && d !== 0 ? "utf-16be" : "utf-8";
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array {
  const all = new Uint8Array(first.byteLength + second.byteLength);
  all.set(first);
  all.set(second, first.byteLength);
  return all;
}
