import { createHash } from "node:crypto";
import { parse, stringify, v7 } from "uuid";

/** A new id: UUID version 7 (RFC 9562), lower case, ordered by `now` (Unix milliseconds). */
export function newId(now: number): string {
  return v7({ msecs: now });
}

// Adds one to the first 21 random bits of an id. Together with 42 bits of time they must be unique (links are stored by them).
const STEP = 1 << 11;

/** New ids of the same time, in ascending order. */
export function newIds(now: number, count: number): string[] {
  const start = (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) >>> 1;
  return Array.from({ length: count }, (_, index) => v7({ msecs: now, seq: start + index * STEP }));
}

/** The id of the name in the namespace: UUID version 5 (RFC 9562, 5.5). The `v5` of the library computes SHA-1 in JavaScript. */
export function nameId(name: string, namespace: string): string {
  const bytes = createHash("sha1").update(parse(namespace)).update(name).digest().slice(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return stringify(bytes);
}

/** The lowest id of this millisecond, Unix time. */
export function firstIdAt(time: number): string {
  const hex = Math.max(0, time).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** A text that sorts after every id. */
export const AFTER_ALL_IDS = "~";

/** The length of an id. */
export const ID_CHARS = 36;

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Whether the text has the form of {@link newId}. */
export function isId(text: string): boolean {
  return UUID_V7.test(text);
}
