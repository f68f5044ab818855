/** A random id for a click batch, in hexadecimal. It has 56 bits, which is the room in the id of a click. */
export function newBatchId(): string {
  const random = crypto.randomUUID();
  return random.slice(0, 8) + random.slice(-6);
}

/**
 * The id of a click: a UUID version 7 (RFC 9562) made of its time, the id of its batch and its index in the batch. A
 * batch that is delivered twice gives the same ids.
 */
export function clickId(at: number, batchId: string, index: number): string {
  const time = at.toString(16).padStart(12, "0");
  const suffix = index.toString(16).padStart(4, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${batchId.slice(0, 3)}-8${batchId.slice(3, 6)}-${batchId.slice(6)}${suffix}`;
}

/** The time in a UUID version 7, Unix milliseconds. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
