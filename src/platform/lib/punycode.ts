import { toUnicode } from "punycode/punycode.es6.js";

/** Whether the conversion of an ASCII host name to Unicode and back returns the same name. */
export function isValidPunycode(host: string): boolean {
  try {
    return URL.parse(`http://${toUnicode(host)}/`)?.hostname.replace(/\.$/, "") === host;
  } catch {
    return false;
  }
}
