/** An id for a batch: as many random bits as a click's id has room for, 56, in hexadecimal. */
export function newBatchId(): string {
  const random = crypto.randomUUID();
  return random.slice(0, 8) + random.slice(-6);
}

/**
 * The id of a click: a UUID version 7 (RFC 9562) made of its time, the id of the batch it came in
 * and its place there. So it is the same however often the batch comes.
 */
export function clickId(at: number, batchId: string, index: number): string {
  const time = at.toString(16).padStart(12, "0");
  const place = index.toString(16).padStart(4, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${batchId.slice(0, 3)}-8${batchId.slice(3, 6)}-${batchId.slice(6)}${place}`;
}

/** The time in a UUID version 7, Unix milliseconds. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
