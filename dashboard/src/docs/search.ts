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

/**
 * Returns up to `limit` parts that have all words of the text, each with the extract around the first one. Words in a title
 * or heading count more than those in the text.
 */
export function findParts(parts: readonly Part[], text: string, limit: number): Part[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return parts
    .flatMap((part) => {
      const [title, heading, content] = [part.title, part.heading, part.text].map((each) => each.toLowerCase()) as [
        string,
        string,
        string,
      ];
      if (!words.every((word) => `${title} ${heading} ${content}`.includes(word))) return [];
      const score = words.reduce(
        (sum, word) =>
          sum +
          (heading.includes(word) ? 4 : 0) +
          (title.includes(word) ? (heading === "" ? 5 : 2) : 0) +
          (content.includes(word) ? 1 : 0),
        0,
      );
      const first = Math.max(
        0,
        ...words
          .map((word) => content.indexOf(word))
          .filter((at) => at >= 0)
          .slice(0, 1),
      );
      const start = first <= BEFORE_CHARS ? 0 : part.text.indexOf(" ", first - BEFORE_CHARS) + 1;
      const extract = `${start > 0 ? "…" : ""}${part.text.slice(start, start + EXTRACT_CHARS)}${part.text.length > start + EXTRACT_CHARS ? "…" : ""}`;
      return [{ score, part: { ...part, text: extract } }];
    })
    .toSorted((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ part }) => part);
}
