import { remove as withoutConfusables } from "confusables";
import { toUnicode } from "punycode/punycode.es6.js";

/**
 * Names that look alike have the same skeleton: without accents, with Latin letters in place of their look-alikes from
 * other scripts, and with one character for i, l and 1 (dotless i and iota map to l) and one for o and 0.
 */
export function skeletonOf(domain: string): string {
  const latin = withoutConfusables(toUnicode(domain).normalize("NFKD")).toLowerCase();
  return latin.replaceAll(/[i1]/g, "l").replaceAll("0", "o");
}
