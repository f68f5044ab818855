/** Compresses bytes in the format zlib (RFC 1950), which PNG and PDF use. */
export async function deflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const compressed = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate"));
  return new Uint8Array(await new Response(compressed).arrayBuffer());
}

/** Unpacks them. Returns null if there are not exactly `length` bytes; more are not unpacked. */
export async function inflate(
  parts: Uint8Array<ArrayBuffer>[],
  length: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const bytes = new Uint8Array(length);
  let at = 0;
  for await (const piece of new Blob(parts).stream().pipeThrough(new DecompressionStream("deflate"))) {
    if (at + piece.length > length) return null;
    bytes.set(piece, at);
    at += piece.length;
  }
  return at === length ? bytes : null;
}
