import { isNothing } from "./nothing.ts";

/** What a formula begins with (OWASP, CSV injection): also in full width, and after characters that a spreadsheet skips. */
const ESCAPED = /^['=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const QUOTED = /[",\r\n]/;

/**
 * A value as a CSV file has it (RFC 4180). A value that a spreadsheet would run as a formula gets an apostrophe in front, and so
 * does one that begins with an apostrophe: a program that reads the file removes one apostrophe from the front of each value that has one.
 * A value that an import would take for nothing, such as `NULL`, is quoted.
 */
export function csvCell(value: string): string {
  const safe = ESCAPED.test(value) ? `'${value}` : value;
  return QUOTED.test(safe) || isNothing(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
