/** A part of a document's page: from a heading to the next one. */
export interface Part {
  title: string;
  /** Empty for the start of the page. */
  heading: string;
  path: string;
  text: string;
}

/** Characters of a part's text that a result shows, from a little before the first word. */
const EXTRACT_CHARS = 160;
const BEFORE_CHARS = 40;

/** What a word counts in each place: a title counts most at the start of its page. */
const WEIGHTS = { pageTitle: 5, heading: 4, title: 2, text: 1 };

/** Returns the parts that have all words of the text, the best first, each with the extract around its first word. */
export function findParts(parts: readonly Part[], text: string): Part[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return parts
    .map((part) => ({ part, scores: words.map((word) => scoreOf(part, word)) }))
    .filter(({ scores }) => !scores.includes(0))
    .map(({ part, scores }) => ({ part, score: scores.reduce((sum, score) => sum + score, 0) }))
    .toSorted((a, b) => b.score - a.score)
    .map(({ part: { title, heading, path, text: whole } }) => ({
      title,
      heading,
      path,
      text: extractOf(whole, words),
    }));
}

/** 0: the part does not have the word. */
function scoreOf({ title, heading, text }: Part, word: string): number {
  const inTitle = heading === "" ? WEIGHTS.pageTitle : WEIGHTS.title;
  return (
    (has(heading, word) ? WEIGHTS.heading : 0) + (has(title, word) ? inTitle : 0) + (has(text, word) ? WEIGHTS.text : 0)
  );
}

const has = (text: string, word: string) => text.toLowerCase().includes(word);

function extractOf(text: string, words: readonly string[]): string {
  const first = words.map((word) => text.toLowerCase().indexOf(word)).find((at) => at >= 0) ?? 0;
  const start = first <= BEFORE_CHARS ? 0 : text.indexOf(" ", first - BEFORE_CHARS) + 1;
  const end = start + EXTRACT_CHARS;
  return `${start > 0 ? "…" : ""}${text.slice(start, end)}${end < text.length ? "…" : ""}`;
}
