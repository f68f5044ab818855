/** The first `limit` bytes of a stream. The rest is not read. */
export async function readLimited(stream: ReadableStream<Uint8Array> | null, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  // Leaving the loop cancels the stream.
  for await (const chunk of stream ?? []) {
    chunks.push(chunk.slice(0, limit - length));
    length += chunk.byteLength;
    if (length >= limit) break;
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
