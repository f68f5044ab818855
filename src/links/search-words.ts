import { MAX_LIKE_PATTERN_BYTES, MAX_SHARP_S_PER_WORD, MIN_SEARCH_CHARS } from "./limits.ts";

/** A phrase between quotation marks, which may lack the last one, or a word. Phones write “ and „ in place of ". */
const WORD = /["“”„]([^"“”„]*)(?:["“”„](?!\S)|$)|\S+/g;

/**
 * Reads the words and phrases of a text of at least {@link MIN_SEARCH_CHARS} characters. A link that is found has all of
 * them, each somewhere in its texts. If no word is that long, the whole text is one phrase.
 */
export function toSearchWords(search: string): string[] {
  const words = Array.from(search.matchAll(WORD), ([word, phrase]) => phrase ?? word).filter((word) => word.trim());
  return words.every(isShort) ? [search] : words;
}

/** The terms of the search index that a text has if it contains the word: every three characters that follow each other. */
export function toTrigrams(word: string): string[] {
  const characters = Array.from(isOfScheme(word) ? "" : word.replace(END_OF_SCHEME, ""));
  return [...new Set(characters.slice(2).map((last, index) => characters[index]! + characters[index + 1]! + last))];
}

/** The index leaves out this start of URLs, which nearly all of them have. */
const SCHEME = "https:";

/** A part of the scheme that the rest of a URL follows, or nothing. */
const END_OF_SCHEME = /^(?:https|ttps|tps|ps|s)?:(?=\/\/|\/?$)/i;

const isOfScheme = (word: string) => SCHEME.includes(word.toLowerCase());

/**
 * The spellings of a word that are equal without regard to case, as far as the index does not see that: ß is ss, and the
 * texts may have decomposed letters. Letters of full width, as Japanese keyboards write them, are also ordinary ones. Titles are in NFC. The other texts are as they were given.
 */
export function toSpellings(word: string): string[] {
  let spellings = [""];
  // Every second part is a place.
  for (const [index, part] of word.split(SHARP_S).entries()) {
    const ends = index % 2 === 1 && index < 2 * MAX_SHARP_S_PER_WORD ? ["ss", "ß"] : [part];
    spellings = spellings.flatMap((start) => ends.map((end) => start + end));
  }
  const forms = ["NFD", "NFKC"].flatMap((form) => spellings.map((spelling) => spelling.normalize(form)));
  return [...new Set([...spellings, ...forms])];
}

const SHARP_S = /(ss|[ßẞ])/i;

/**
 * Patterns of LIKE: a text that contains the word matches one of them. LIKE disregards the case of ASCII letters only, so other
 * letters match any character, except in words that have no trigram. A pattern has as much of the start of the word as D1
 * permits. Of the rest, the text has all trigrams, in any order.
 */
export function toPatterns(word: string): string[] {
  if (isShort(word)) return [toPattern(Array.from(word.toLowerCase())), toPattern(Array.from(word.toUpperCase()))];
  return toSpellings(word).map((spelling) => toPattern(withOneCase(spelling)));
}

const ANY_LETTER = Symbol("any letter");

/** The characters, with {@link ANY_LETTER} for those that have two cases in the text and one in LIKE. */
function withOneCase(text: string): (string | typeof ANY_LETTER)[] {
  return Array.from(text, (letter) => (OTHER_LETTER.test(letter) ? ANY_LETTER : letter));
}

function toPattern(letters: readonly (string | typeof ANY_LETTER)[]): string {
  let pattern = "%";
  for (const letter of letters) {
    const next = pattern + (letter === ANY_LETTER ? "_" : letter.replace(/[%_\\]/, "\\$&"));
    if (new TextEncoder().encode(next).byteLength >= MAX_LIKE_PATTERN_BYTES) break;
    pattern = next;
  }
  return `${pattern}%`;
}

/** Letters beyond ASCII that have two cases. */
const OTHER_LETTER = /(?![\p{ASCII}])[\p{Changes_When_Lowercased}\p{Changes_When_Uppercased}]/u;

function isShort(word: string): boolean {
  return Array.from(word).length < MIN_SEARCH_CHARS;
}
