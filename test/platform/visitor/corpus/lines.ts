/** The lines of a corpus without its comments. */
export function linesOf(corpus: string): string[] {
  return corpus.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
}
