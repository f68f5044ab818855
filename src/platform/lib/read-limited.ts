const FIRST_BUFFER_BYTES = 16 * 1_024;

/** The first `limit` bytes of a stream. The rest is not read, and the stream is cancelled unless `preventCancel`. */
export async function readLimited(
  stream: ReadableStream<Uint8Array> | null,
  limit: number,
  { preventCancel = false } = {},
): Promise<Uint8Array> {
  // One buffer that grows: a list of chunks would take a hundred times their size if the sender makes them tiny.
  let buffer = new Uint8Array(Math.min(limit, FIRST_BUFFER_BYTES));
  let length = 0;
  // Leaving the loop cancels the stream.
  for await (const chunk of stream?.values({ preventCancel }) ?? []) {
    const part = chunk.subarray(0, limit - length);
    if (length + part.byteLength > buffer.byteLength) {
      const grown = new Uint8Array(Math.min(limit, Math.max(2 * buffer.byteLength, length + part.byteLength)));
      grown.set(buffer.subarray(0, length));
      buffer = grown;
    }
    buffer.set(part, length);
    length += part.byteLength;
    if (length >= limit) break;
  }
  return buffer.subarray(0, length);
}

/** Leaves out the body of a response whose status is enough. A body that fails says nothing about that status. */
export async function leaveBody({ body }: Response): Promise<void> {
  await body?.cancel().catch(() => undefined);
}

/** Reads and forgets at most `limit` bytes of a stream for at most `ms` milliseconds, and cancels it. */
export async function discard(stream: ReadableStream<Uint8Array>, limit: number, ms: number): Promise<void> {
  const reader = stream.getReader();
  const read = async () => {
    for (let length = 0; length < limit;) {
      const { done, value } = await reader.read();
      if (done) return;
      length += value.byteLength;
    }
  };
  await Promise.race([read(), scheduler.wait(ms)]).catch(() => null);
  await reader.cancel().catch(() => null);
}
