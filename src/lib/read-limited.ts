/** The beginning of a stream, at most `limit` bytes; the rest is not read. */
export async function readLimited(stream: ReadableStream<Uint8Array> | null, limit: number): Promise<Uint8Array> {
  if (stream === null) return new Uint8Array();
  const bytes = new Uint8Array(limit);
  let length = 0;
  // Leaving the loop cancels the stream.
  for await (const chunk of stream) {
    const part = chunk.subarray(0, limit - length);
    bytes.set(part, length);
    length += part.byteLength;
    if (length === limit) break;
  }
  return bytes.subarray(0, length);
}
