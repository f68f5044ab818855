/** The body of an event as D1 stores it: the text, or the text compressed by DEFLATE (RFC 1951). */

/** Compresses the text in UTF-8. */
export function compressBody(body: string): Promise<ArrayBuffer> {
  return convert(body, new CompressionStream("deflate-raw"));
}

/** SQL for the stored body of the delivery `d`. That of an event with several recipients is stored once. */
const STORED_BODY = "coalesce(d.body, (SELECT body FROM event_bodies WHERE event_id = d.event_id))";

/**
 * SQL for the body of the delivery `d`, for {@link readBody}: the text, or what is compressed in hexadecimal digits. D1 returns a
 * BLOB as a JSON array of its bytes, which takes many times as long.
 */
export const SELECTED_BODY = `(SELECT iif(typeof(body) = 'blob', hex(body), body) FROM (SELECT ${STORED_BODY} AS body))`;

/** Returns the text of a {@link SELECTED_BODY}. A text is a JSON object, so it is not taken for digits. */
export async function readBody(selected: string): Promise<string> {
  if (selected.startsWith("{")) return selected;
  const bytes = await convert(Uint8Array.fromHex(selected), new DecompressionStream("deflate-raw"));
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}

function convert(
  content: string | Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<ArrayBuffer> {
  return new Response(new Blob([content]).stream().pipeThrough(stream)).arrayBuffer();
}
