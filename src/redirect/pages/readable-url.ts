// How a destination is shown to people. What is shown is never used as an address.

/** Two or more bytes outside ASCII, percent-encoded. */
const ENCODED = /(?:%[89a-f][\da-f]){2,}/gi;

/**
 * Letters, marks, digits, symbols such as emoji, dashes, quotation marks and brackets. No spaces, controls or characters of no
 * width, which hide or turn other text, and no punctuation, which includes the look-alikes of `/`, `?`, `#` and the dot.
 */
const SHOWN = /^[\p{L}\p{M}\p{N}\p{So}\p{Pd}\p{Pi}\p{Pf}\p{Ps}\p{Pe}]$/u;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;

/** The URL with its percent-encoded letters as letters. All that is not safe to show stays encoded. */
export function toReadable(url: string): string {
  return url.replaceAll(ENCODED, (encoded) => {
    let text: string;
    try {
      text = decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
    let shown = "";
    for (const character of text) shown += isShown(character, shown) ? character : encodeURIComponent(character);
    return shown;
  });
}

/** A mark needs a letter before it, or it would change the sign in front of it. */
function isShown(character: string, before: string): boolean {
  if (!SHOWN.test(character) || INVISIBLE.test(character)) return false;
  return !/\p{M}/u.test(character) || /[\p{L}\p{M}]$/u.test(before);
}

/** Scripts whose letters do not look like Latin ones. */
const DISTINCT_LABEL =
  /^[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\d-]+$/u;
const ASCII_LABEL = /^[\x21-\x7e]+$/;

/**
 * Whether nobody can take a Unicode host name for another one: each label is ASCII, or of letters that look like no Latin ones.
 * Names with Cyrillic, Greek or accented letters are not.
 */
export function isDistinct(unicodeName: string): boolean {
  return unicodeName
    .split(".")
    .every((label) => ASCII_LABEL.test(label) || (DISTINCT_LABEL.test(label) && !INVISIBLE.test(label)));
}
