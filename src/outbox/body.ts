/** The body of an event as D1 stores it: the text, or the text compressed by DEFLATE (RFC 1951). */

/** Compresses the text in UTF-8. */
export function compressBody(body: string): Promise<ArrayBuffer> {
  return convert(body, new CompressionStream("deflate-raw"));
}

/** Returns the text of a body that D1 returned. D1 returns a BLOB as an array of its bytes. */
export async function readBody(stored: string | readonly number[]): Promise<string> {
  if (typeof stored === "string") return stored;
  const bytes = await convert(Uint8Array.from(stored), new DecompressionStream("deflate-raw"));
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}

function convert(
  content: string | Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<ArrayBuffer> {
  return new Response(new Blob([content]).stream().pipeThrough(stream)).arrayBuffer();
}
