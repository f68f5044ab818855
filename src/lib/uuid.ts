import { v7 } from "uuid";

/** A new id: UUID version 7 (RFC 9562), lower case, ordered by `now` (Unix milliseconds). */
export function newId(now: number): string {
  return v7({ msecs: now });
}

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Whether the text has the form of {@link newId}. */
export function isId(text: string): boolean {
  return UUID_V7.test(text);
}
