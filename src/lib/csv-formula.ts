// The dashboard imports this, too. The library that `csv.ts` imports does not run in browsers.

/** What a formula begins with (OWASP, CSV injection): also in full width, and after characters that a spreadsheet skips. */
const ESCAPED = /^['=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** Puts an apostrophe in front of a value that a spreadsheet would run, or that begins with an apostrophe. */
export function escapeFormula(value: string): string {
  return ESCAPED.test(value) ? `'${value}` : value;
}
