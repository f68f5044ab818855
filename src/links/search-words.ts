import { MIN_SEARCH_CHARS } from "./limits.ts";

/** The words and phrases of a search text. A link that is found has all of them, each somewhere in its texts. */
export interface SearchWords {
  /** Those that the search index finds. There is at least one. */
  indexed: readonly string[];
  /** Those with fewer characters than the index needs. */
  short: readonly string[];
}

/** A phrase between quotation marks, which may lack the last one, or a word. Phones write “ and „ in place of ". */
const WORD = /["“”„]([^"“”„]*)(?:["“”„](?!\S)|$)|\S+/g;

const isShort = (word: string) => Array.from(word).length < MIN_SEARCH_CHARS;

/** Reads a text of at least {@link MIN_SEARCH_CHARS} characters. If no word is that long, the whole text is one phrase. */
export function toSearchWords(search: string): SearchWords {
  const words = Array.from(search.matchAll(WORD), ([word, phrase]) => phrase ?? word).filter((word) => word.trim());
  if (words.every(isShort)) return { indexed: [search], short: [] };
  return { indexed: words.filter((word) => !isShort(word)), short: words.filter(isShort) };
}
